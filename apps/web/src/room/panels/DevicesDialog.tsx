import { Modal } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useReturnFocus } from '../../ui/use-return-focus.ts'
import { DeviceSelects } from '../lobby/DeviceSelects.tsx'
import { type DeviceKind, keepChoice, keptChoice } from '../lobby/device-choice.ts'
import { useDevices } from '../lobby/use-devices.ts'
import { useVisited } from '../room-context.ts'
import { useDeed } from '../use-deed.ts'

/** Another camera, microphone or speaker, without leaving. */
export function DevicesDialog({ onClose }: { onClose(): void }) {
  const { t } = useTranslation('room')
  const { t: house } = useTranslation()
  const { room } = useVisited()
  const deed = useDeed()
  useReturnFocus()
  const devices = useDevices('inside')
  const [kept, setKept] = useState(() => keptChoice(localStorage))
  const choose = async (kind: DeviceKind, id: string) => {
    if (!(await deed(() => room.switchDevice(kind, id), 'devices'))) return
    const changed = { ...kept, devices: { ...kept.devices, [kind]: id } }
    keepChoice(localStorage, changed)
    setKept(changed)
  }
  return (
    <Modal
      opened
      onClose={onClose}
      title={t('devices.title')}
      centered
      closeButtonProps={{ 'aria-label': house('close') }}
    >
      <DeviceSelects devices={devices} chosen={kept.devices} onChoose={choose} />
    </Modal>
  )
}
