import { Skeleton, Stack, Switch, Text } from '@mantine/core'
import { lazy, Suspense, useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useReturnFocus } from '../../ui/hooks/use-return-focus.ts'
import { Modal } from '../../ui/Modal.tsx'
import { showToast } from '../../ui/toast.ts'
import type { BackgroundName } from '../effects/background.ts'
import { DeviceSelects, SpeakerTest } from '../lobby/DeviceSelects.tsx'
import { type DeviceRole, type Kept, keepChoice, keptChoice } from '../lobby/device-choice.ts'
import { LevelMeter } from '../lobby/MirrorView.tsx'
import { type Devices, useDevicePreview, useDevices } from '../lobby/use-devices.ts'
import { useSwitchDevice } from '../lobby/use-switch-device.ts'
import { isHosting, useSnapshot, useVisited } from '../room-context.ts'
import { VideoPlayer } from '../tiles/VideoPlayer.tsx'
import { useAction } from '../use-action.ts'
import classes from './DevicesDialog.module.css'
import { useChimeSetting } from './use-chime.ts'

const EffectFields = lazy(async () => ({ default: (await import('../effects/EffectFields.tsx')).EffectFields }))
const fieldsHeight = 280

/** Change camera, microphone or speaker without leaving. */
export function DevicesDialog({ onClose }: { onClose(): void }) {
  const { t } = useTranslation(['room', 'call', 'app'])
  const { room, effects } = useVisited()
  const snapshot = useSnapshot()
  const runAction = useAction()
  const switchDevice = useSwitchDevice()
  useReturnFocus()
  const devices = useDevices('inside')
  const [kept, setKept] = useState(() => keptChoice(localStorage))
  const [starting, setStarting] = useState<BackgroundName>()
  const cameraIsOff = snapshot.me?.camera === null
  // biome-ignore lint/correctness/useExhaustiveDependencies: a background that ends by itself switches the camera off
  useEffect(() => setKept(keptChoice(localStorage)), [cameraIsOff])
  const [chime, setChime] = useChimeSetting()
  const keep = (changed: Kept) => {
    keepChoice(localStorage, changed)
    setKept(changed)
  }
  const choose = async (kind: DeviceRole, id: string) => {
    if (await switchDevice(kind, id)) setKept(keptChoice(localStorage))
  }
  const setBackground = async (background: BackgroundName) => {
    setStarting(background)
    // The choice is kept first: a background that ends at once by itself takes it back.
    const before = keptChoice(localStorage)
    keep({ ...before, background })
    if (!(await runAction(() => room.setEffect('camera', effects.background(background)), 'devices'))) keep(before)
    setStarting(undefined)
  }
  const setNoise = async (reducesNoise: boolean) => {
    const before = keptChoice(localStorage)
    keep({ ...before, reducesNoise })
    try {
      await room.setEffect('microphone', effects.noise(reducesNoise))
    } catch {
      keep(before)
      showToast({ kind: 'problem', about: 'devices', message: t('effects.noiseFailed') })
    }
  }
  return (
    <Modal opened onClose={onClose} title={t('devices.title')} closeButtonProps={{ 'aria-label': t('app:close') }}>
      <Stack gap="md">
        <OwnPicture />
        <DeviceSelects devices={devices} chosen={kept.devices} onChoose={choose} />
        <OwnLevel devices={devices} deviceId={kept.devices.microphone} />
        <SpeakerTest speakerId={kept.devices.speaker} />
        <Suspense fallback={<Skeleton height={fieldsHeight} />}>
          <EffectFields
            background={starting ?? kept.background}
            busy={starting !== undefined}
            onBackground={(name) => void setBackground(name)}
            reducesNoise={kept.reducesNoise}
            onNoise={(on) => void setNoise(on)}
          />
        </Suspense>
        {isHosting(snapshot) && (
          <Switch
            label={t('call:waitingRoom.bell')}
            checked={chime}
            onChange={({ currentTarget: { checked } }) => setChime(checked)}
          />
        )}
      </Stack>
    </Modal>
  )
}

/** The picture that is sent, with its background. A camera that is off stays off. */
function OwnPicture() {
  const { t } = useTranslation(['room', 'call'])
  const camera = useSnapshot().me?.camera ?? null
  return (
    <div className={classes.picture}>
      {camera === null ? (
        t('lobby.cameraOff')
      ) : (
        <VideoPlayer picture={camera} label={t('lobby.mirror')} whole={false} mirrored />
      )}
    </div>
  )
}

const takeNothing = () => undefined

/** The level of the chosen microphone, also while muted; its sound does not leave the page. */
function OwnLevel({ devices, deviceId }: { devices: Devices; deviceId: string | undefined }) {
  const { t } = useTranslation(['room', 'call'])
  // Without a permission the browser would ask for it.
  const isAllowed = devices.microphone.some(({ label }) => label !== '')
  const { stream } = useDevicePreview({
    kind: 'microphone',
    on: isAllowed,
    deviceId,
    tries: 0,
    takeOpened: takeNothing,
  })
  if (stream === undefined) return null
  return (
    <div>
      <Text size="sm" mb={4}>
        {t('lobby.level')}
      </Text>
      <LevelMeter stream={stream} label={t('lobby.level')} />
    </div>
  )
}
