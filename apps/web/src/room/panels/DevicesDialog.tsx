import { Stack, Switch } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useReturnFocus } from '../../ui/hooks/use-return-focus.ts'
import { Modal } from '../../ui/Modal.tsx'
import { DeviceSelects } from '../lobby/DeviceSelects.tsx'
import { type DeviceRole, type Kept, keepChoice, keptChoice } from '../lobby/device-choice.ts'
import { useDevices } from '../lobby/use-devices.ts'
import { isHosting, useSnapshot, useVisited } from '../room-context.ts'
import { useAction } from '../use-action.ts'
import { useChimeSetting } from './use-chime.ts'

/** Change camera, microphone or speaker without leaving. */
export function DevicesDialog({ onClose }: { onClose(): void }) {
  const { t } = useTranslation(['room', 'app'])
  const { room } = useVisited()
  const snapshot = useSnapshot()
  const runAction = useAction()
  useReturnFocus()
  const devices = useDevices('inside')
  const [kept, setKept] = useState(() => keptChoice(localStorage))
  const [chime, setChime] = useChimeSetting()
  const keep = (changed: Kept) => {
    keepChoice(localStorage, changed)
    setKept(changed)
  }
  const choose = async (kind: DeviceRole, id: string) => {
    if (await runAction(() => room.switchDevice(kind, id), 'devices'))
      keep({ ...kept, devices: { ...kept.devices, [kind]: id } })
  }
  const blur = async (on: boolean) => {
    if (await runAction(() => room.setBackgroundBlur(on), 'devices')) keep({ ...kept, blur: on })
  }
  return (
    <Modal opened onClose={onClose} title={t('devices.title')} closeButtonProps={{ 'aria-label': t('app:close') }}>
      <Stack gap="md">
        <DeviceSelects devices={devices} chosen={kept.devices} onChoose={choose} />
        {snapshot.backgroundBlur !== null && (
          <Switch
            label={t('devices.blur')}
            checked={snapshot.backgroundBlur}
            onChange={({ currentTarget: { checked } }) => void blur(checked)}
          />
        )}
        {isHosting(snapshot) && (
          <Switch
            label={t('waitingRoom.bell')}
            checked={chime}
            onChange={({ currentTarget: { checked } }) => setChime(checked)}
          />
        )}
      </Stack>
    </Modal>
  )
}
