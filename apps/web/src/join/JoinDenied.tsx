import { Anchor, Button, Stack, Text, TextInput, Title, VisuallyHidden } from '@mantine/core'
import { useForm } from '@mantine/form'
import type { Entering } from '@parley/contract'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { writeCode } from '../meetings/meeting-status.ts'
import type { JoinSecret } from '../session/kept-secrets.ts'
import { useDates } from '../texts/dates.ts'
import { useNow } from '../ui/hooks/use-now.ts'
import { focusFirstInvalid } from '../ui/keyboard/focus-first-invalid.ts'
import type { ClosedState } from './entry-query.ts'
import { JoinByCodeForm } from './JoinByCodeForm.tsx'
import classes from './JoinDenied.module.css'
import { maxPinCharacters, PinForm } from './PinForm.tsx'

const tickMs = 1_000

/** The longest time for which a page asks people to keep it open. */
const waitsAtMostMs = 3_600_000

type JoinDeniedProps = {
  entering: Entering & { state: ClosedState }
  answeredAt: Date
  /** The code of the answer; undefined until the answer to another code arrives. */
  code: string | undefined
}

/** Why the caller may not enter, and what to do. A live region announces changes. */
export function JoinDenied({ entering, answeredAt, code }: JoinDeniedProps) {
  const { t } = useTranslation('join')
  const now = useNow(tickMs)
  const { state, opensAt, retryAfter, role } = entering
  const dates = useDates()
  const freeAt = retryAfter === undefined ? undefined : new Date(answeredAt.getTime() + retryAfter * 1000)
  const hosts = role === 'host' || role === 'cohost'
  const opensLater = opensAt !== undefined && Date.parse(opensAt) - now.getTime() > waitsAtMostMs
  return (
    <div className={classes.answer} data-kind={kindOf(state)}>
      <div role="status">
        <Title order={2} size="h4">
          {t(`states.${state}.title`)}
        </Title>
        {/* A second wrong code has the same words, which alone would not be announced again. */}
        {state === 'not_found' && code !== undefined && (
          <VisuallyHidden>{t('code', { code: writeCode(code) })}</VisuallyHidden>
        )}
        {hosts && <Text>{role === 'host' ? t('asHost') : t('asCohost')}</Text>}
        {opensLater && <Text>{t('opensAt', { time: dates.dateTime(opensAt) })}</Text>}
        {opensLater && <Text>{t('states.too_early.later')}</Text>}
        {/* The PIN's field shows its own error. */}
        {state !== 'pin_wrong' && !opensLater && (
          <Text>
            {/* Hosts cannot ask the host. */}
            {hosts && (state === 'cancelled' || state === 'ended')
              ? t(`hostStates.${state}`)
              : t(`states.${state}.text`)}
          </Text>
        )}
        {opensAt !== undefined && !opensLater && <Text>{t('opensAt', { time: dates.dateTime(opensAt) })}</Text>}
      </div>
      {opensAt !== undefined && !opensLater && new Date(opensAt) > now && (
        <Text fw={600} role="timer">
          {t('opens', { distance: dates.countdown(opensAt, now) })}
        </Text>
      )}
      {freeAt !== undefined && freeAt > now && (
        <Text fw={600} role="timer">
          {t('retryIn', { distance: dates.countdown(freeAt, now) })}
        </Text>
      )}
    </div>
  )
}

/** The colour only repeats the words. */
function kindOf(state: ClosedState): 'wait' | 'ask' | 'out' {
  if (state === 'too_early') return 'wait'
  return state === 'pin_required' || state === 'sign_in_required' ? 'ask' : 'out'
}

type NextStepProps = {
  state: ClosedState
  code: string
  signedIn: boolean
  busy: boolean
  onSecret(secret: JoinSecret): void
  onAgain(): void
  answeredAt: Date
  /** Seconds until another request is accepted. */
  retryAfter: number | undefined
  onAskAgain(): void
}

/** What the caller can do about the answer; nothing when waiting is the only option. */
export function NextStep({
  state,
  code,
  signedIn,
  busy,
  onSecret,
  onAgain,
  answeredAt,
  retryAfter = 0,
  onAskAgain,
}: NextStepProps) {
  const { t } = useTranslation(['join', 'app'])
  const { t: signInText } = useTranslation('sign-in')
  const onPin = (pin: string) => onSecret({ pin })
  switch (state) {
    case 'pin_required':
    case 'pin_wrong':
      return (
        <Stack gap="md">
          <PinForm
            busy={busy}
            error={state === 'pin_wrong' ? t('states.pin_wrong.text') : undefined}
            onSubmit={onPin}
          />
          {!signedIn && <SignInInstead code={code} />}
        </Stack>
      )
    case 'sign_in_required':
    case 'not_invited':
      return (
        <Button
          fullWidth
          // The PIN is kept in this tab and never in an address.
          renderRoot={(props) => <Link to="/sign-in" search={{ next: `/j/${code}` }} {...props} />}
        >
          {signedIn ? t('signInOther') : signInText('signIn')}
        </Button>
      )
    case 'slow_down':
      return (
        <Stack gap="md">
          <Button variant="default" fullWidth loading={busy} onClick={onAgain}>
            {t('app:tryAgain')}
          </Button>
          {!signedIn && <SignInInstead code={code} />}
          {hasHostPin(code) && <HostPinForm busy={busy} onSubmit={onSecret} />}
        </Stack>
      )
    case 'locked':
    case 'full':
      return (
        <Button variant="default" fullWidth loading={busy} onClick={onAgain}>
          {t('app:tryAgain')}
        </Button>
      )
    case 'denied':
      return <AskAgain from={new Date(answeredAt.getTime() + retryAfter * 1_000)} onAskAgain={onAskAgain} />
    case 'not_found':
      // A mistyped meeting ID is corrected where it is refused.
      return (
        <Stack gap="md">
          <JoinByCodeForm startCode={code} />
          {signedIn && (
            <Button variant="subtle" fullWidth renderRoot={(props) => <Link to="/meetings" {...props} />}>
              {t('toMeetings')}
            </Button>
          )}
        </Stack>
      )
    case 'cancelled':
    case 'ended':
      return signedIn ? (
        <Button variant="default" fullWidth renderRoot={(props) => <Link to="/meetings" {...props} />}>
          {t('toMeetings')}
        </Button>
      ) : null
    case 'too_early':
      return null
  }
}

/** The message next to it shows the remaining time. */
export function AskAgain({ from, onAskAgain }: { from: Date; onAskAgain(): void }) {
  const { t } = useTranslation('join')
  const now = useNow(1_000)
  return (
    <Button variant="default" fullWidth disabled={now < from} onClick={onAskAgain}>
      {t('askAgain')}
    </Button>
  )
}

/** Own rooms have no host PIN; their codes begin with 9 (docs/meetings.md, "Who sees what"). */
const hasHostPin = (code: string) => !code.startsWith('9')

/** Hosts and invited people need no PIN, and the rate limit of wrong PINs does not apply to them. */
function SignInInstead({ code }: { code: string }) {
  const { t } = useTranslation('join')
  return (
    <Anchor ta="center" renderRoot={(props) => <Link to="/sign-in" search={{ next: `/j/${code}` }} {...props} />}>
      {t('signInInstead')}
    </Anchor>
  )
}

type HostPinFormProps = { busy: boolean; onSubmit(secret: JoinSecret): void }

/**
 * While PIN attempts are paused, the PIN together with the host's PIN is accepted: an attacker who guesses has neither.
 */
function HostPinForm({ busy, onSubmit }: HostPinFormProps) {
  const { t } = useTranslation(['join', 'app'])
  const { t: violation } = useTranslation('violations')
  const [opened, setOpened] = useState(false)
  const required = (value: string) => (value.trim() === '' ? violation('required') : null)
  const form = useForm({ initialValues: { pin: '', hostPin: '' }, validate: { pin: required, hostPin: required } })
  if (!opened) {
    return (
      <Button variant="subtle" fullWidth onClick={() => setOpened(true)}>
        {t('hostPin.open')}
      </Button>
    )
  }
  const submit = ({ pin, hostPin }: typeof form.values) =>
    onSubmit({ pin: pin.replaceAll(/\s/g, ''), hostKey: hostPin.replaceAll(/\s/g, '') })
  const asTyped = { required: true, autoComplete: 'off', spellCheck: false, dir: 'ltr', mb: 'md' } as const
  return (
    <form noValidate onSubmit={form.onSubmit(submit, focusFirstInvalid)}>
      <TextInput
        label={t('app:pin')}
        data-autofocus
        autoFocus
        autoCapitalize="none"
        maxLength={maxPinCharacters}
        {...asTyped}
        {...form.getInputProps('pin')}
      />
      <TextInput
        label={t('hostPin.label')}
        description={t('hostPin.hint')}
        inputMode="numeric"
        maxLength={maxPinCharacters}
        {...asTyped}
        {...form.getInputProps('hostPin')}
      />
      <Button type="submit" fullWidth loading={busy}>
        {t('hostPin.submit')}
      </Button>
    </form>
  )
}
