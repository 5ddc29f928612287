import { Anchor, Button, Stack } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import type { JoinSecret } from '../session/kept-secrets.ts'
import { useNow } from '../ui/hooks/use-now.ts'
import type { ClosedState } from './entry-state.ts'
import { HostPinForm } from './HostPinForm.tsx'
import { PinForm } from './PinForm.tsx'

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
function AskAgain({ from, onAskAgain }: { from: Date; onAskAgain(): void }) {
  const { t } = useTranslation('join')
  const now = useNow(1_000)
  return (
    <Button variant="default" fullWidth disabled={now < from} onClick={onAskAgain}>
      {t('askAgain')}
    </Button>
  )
}

/** Own rooms have no host PIN; their codes begin with 9 (docs/api-conventions.md, "Meetings"). */
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
