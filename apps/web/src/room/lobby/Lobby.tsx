import { Alert, Button, Stack, Text } from '@mantine/core'
import { type Entering, roomRights } from '@parley/contract'
import { IconAlertTriangle } from '@tabler/icons-react'
import { type FormEvent, type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { focusFirstInvalid } from '../../ui/keyboard/focus-first-invalid.ts'
import { DeviceSelects, SpeakerTest } from './DeviceSelects.tsx'
import type { Kept } from './device-choice.ts'
import type { DeviceErrorKind } from './device-state.ts'
import classes from './Lobby.module.css'
import { LobbyEffects } from './LobbyEffects.tsx'
import { MirrorView } from './MirrorView.tsx'
import { NameField } from './NameField.tsx'
import { RoomState } from './RoomState.tsx'
import type { LobbyDevices } from './use-lobby-devices.ts'

type LobbyProps = {
  /** Absent before the meeting exists. */
  code?: string
  /** What identifies the meeting. */
  heading: ReactNode
  entering: Entering
  /** The account's name; guests enter one. */
  accountName: string | undefined
  devices: LobbyDevices
  keptName: string
  /** Focus the button, because the element that led here is unmounted. */
  isBack: boolean
  busy: boolean
  onJoin(chosen: Kept): void
}

/** Before joining: preview camera and microphone, and choose a name. */
export function Lobby({ code, heading, entering, accountName, devices, keptName, isBack, busy, onJoin }: LobbyProps) {
  const { t } = useTranslation('room')
  // What an account has changed its name to holds as long as its admission.
  const nameBefore = accountName === undefined ? undefined : (entering.name ?? accountName)
  const [name, setName] = useState(nameBefore ?? keptName)
  const [isMissing, setMissing] = useState(false)
  const { camera, microphone, available, chosen, choose, effects, question } = devices
  const way = wayIn(entering)
  const join = (event: FormEvent) => {
    event.preventDefault()
    const { background, reducesNoise } = effects
    if (name.trim() !== '') return onJoin({ name: name.trim(), devices: chosen, background, reducesNoise })
    setMissing(true)
    focusFirstInvalid()
  }
  const nameField = (
    <NameField
      entering={entering}
      accountName={nameBefore}
      name={name}
      isMissing={isMissing}
      onChange={(changed) => {
        setName(changed)
        setMissing(false)
      }}
    />
  )
  return (
    <form noValidate className={classes.lobby} onSubmit={join}>
      <div className={classes.heading}>{heading}</div>
      <MirrorView name={name} camera={camera} microphone={microphone} question={question} />
      <Stack gap="sm" className={classes.rest ?? ''}>
        {code !== undefined && <RoomState code={code} entering={entering} />}
        {accountName !== undefined && nameField}
        <StartingNotes devices={entering.devices} />
        <DeviceErrors camera={camera.preview.trouble} microphone={microphone.preview.trouble} />
        {accountName === undefined && nameField}
        <div className={classes.join}>
          <Button type="submit" size="md" fullWidth loading={busy} autoFocus={isBack}>
            {t(`lobby.join.${way}`)}
          </Button>
        </div>
        <Text size="sm" c="dimmed">
          {t(
            way === 'waiting' && (entering.hostInside === false || entering.state === 'waiting_for_host')
              ? 'lobby.next.noHost'
              : `lobby.next.${way}`,
          )}
        </Text>
        <DeviceSelects devices={available} chosen={chosen} onChoose={choose} />
        <LobbyEffects effects={effects} />
        <SpeakerTest speakerId={chosen.speaker} />
      </Stack>
    </form>
  )
}

/** How the person comes in. The owner of an own room admits each guest, also those who came before the owner. */
function wayIn({ state, meeting }: Entering): 'waiting' | 'waiting_for_host' | 'admitted' {
  if (state === 'waiting_for_host') return meeting?.kind === 'own_room' ? 'waiting' : state
  return state === 'waiting' ? state : 'admitted'
}

/** How the host's settings affect joining. */
function StartingNotes({ devices }: { devices: Entering['devices'] }) {
  const { t, i18n } = useTranslation('room')
  // The note about the microphone says more.
  const off =
    devices === undefined ? [] : roomRights.filter((right) => right !== 'microphone' && !devices.allowed[right])
  const names = off.map((right) => t(`rights.names.${right}`))
  return (
    <>
      {devices?.hardMuted === true && <Text>{t('lobby.hardMuted')}</Text>}
      {devices?.hardMuted === false && !devices.microphone && <Text>{t('lobby.muted')}</Text>}
      {devices?.camera === false && devices.allowed.camera && <Text>{t('lobby.noCamera')}</Text>}
      {names.length > 0 && (
        <Text>{t('rights.turnedOff', { list: new Intl.ListFormat(i18n.language).format(names) })}</Text>
      )}
    </>
  )
}

type DeviceTroublesProps = { camera: DeviceErrorKind | undefined; microphone: DeviceErrorKind | undefined }

/** Device errors and how to fix them; one message when both devices have the same error. */
function DeviceErrors({ camera, microphone }: DeviceTroublesProps) {
  const { t } = useTranslation('room')
  const troubles =
    camera === microphone
      ? [{ device: 'both', trouble: camera } as const]
      : [{ device: 'camera', trouble: camera } as const, { device: 'microphone', trouble: microphone } as const]
  return (
    <div role="status">
      {troubles.map(
        ({ device, trouble }) =>
          trouble !== undefined && (
            <Alert
              key={device}
              color="gray"
              variant="light"
              icon={<IconAlertTriangle aria-hidden />}
              mb="sm"
              role="presentation"
              title={t(`trouble.titles.${device}`)}
            >
              {t(`trouble.${trouble}`)}
            </Alert>
          ),
      )}
    </div>
  )
}
