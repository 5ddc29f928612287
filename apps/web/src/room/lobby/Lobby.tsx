import { Button, Stack, Switch, Text, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import type { Entering } from '@parley/contract'
import { useTranslation } from 'react-i18next'
import { focusFirstInvalid } from '../../ui/keyboard/focus-first-invalid.ts'
import { DeviceErrors } from './DeviceErrors.tsx'
import { DeviceSelects } from './DeviceSelects.tsx'
import type { Kept } from './device-choice.ts'
import classes from './Lobby.module.css'
import { MirrorView } from './MirrorView.tsx'
import { SpeakerTest } from './SpeakerTest.tsx'
import { StartingNotes } from './StartingNotes.tsx'
import type { LobbyDevices } from './use-lobby-devices.ts'
import { WhoIsInside } from './WhoIsInside.tsx'

/** The contract's limit. */
const maxNameLength = 100

type LobbyProps = {
  entering: Entering
  /** The account's name; guests enter one. */
  accountName: string | undefined
  devices: LobbyDevices
  keptName: string
  keptBlur: boolean
  /** Focus the button, because the element that led here is unmounted. */
  isBack: boolean
  busy: boolean
  onJoin(chosen: Kept): void
}

/** Before joining: preview camera and microphone, and choose a name. */
export function Lobby({ entering, accountName, devices, keptName, keptBlur, isBack, busy, onJoin }: LobbyProps) {
  const { t } = useTranslation('room')
  const { t: violation } = useTranslation('violations')
  const form = useForm({
    initialValues: { name: accountName ?? keptName },
    validate: { name: (name) => (name.trim() === '' ? violation('required') : null) },
  })
  const { camera, microphone, available, chosen, choose, blur } = devices
  const way = entering.state === 'waiting' || entering.state === 'waiting_for_host' ? entering.state : 'admitted'
  const join = ({ name }: { name: string }) =>
    onJoin({ name: name.trim(), devices: chosen, blur: blur?.on ?? keptBlur })
  return (
    <form noValidate className={classes.lobby} onSubmit={form.onSubmit(join, focusFirstInvalid)}>
      <MirrorView name={form.values.name} camera={camera} microphone={microphone} />
      <Stack gap="sm">
        <WhoIsInside inside={entering.inside} />
        <StartingNotes devices={entering.devices} role={entering.role} />
        <DeviceErrors camera={camera.preview.trouble} microphone={microphone.preview.trouble} />
        {accountName === undefined ? (
          <TextInput
            label={t('lobby.name')}
            description={t('lobby.nameHint')}
            required
            maxLength={maxNameLength}
            autoComplete="name"
            {...form.getInputProps('name')}
          />
        ) : (
          <Text>{t('lobby.joinAs', { name: accountName })}</Text>
        )}
        <Button type="submit" size="md" fullWidth loading={busy} autoFocus={isBack}>
          {t(`lobby.join.${way}`)}
        </Button>
        <Text size="sm" c="dimmed">
          {t(way === 'waiting' && entering.hostInside === false ? 'lobby.next.noHost' : `lobby.next.${way}`)}
        </Text>
        <DeviceSelects devices={available} chosen={chosen} onChoose={choose} />
        {blur !== null && (
          <Switch
            label={t('devices.blur')}
            checked={blur.on}
            onChange={({ currentTarget: { checked } }) => blur.set(checked)}
          />
        )}
        <SpeakerTest speakerId={chosen.speaker} />
      </Stack>
    </form>
  )
}
