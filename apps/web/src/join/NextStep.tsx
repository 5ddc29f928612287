import { Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import type { ShutState } from './door-state.ts'
import { PinForm } from './PinForm.tsx'

type NextStepProps = {
  state: ShutState
  code: string
  pin: string | undefined
  signedIn: boolean
  busy: boolean
  onPin(pin: string): void
  onAgain(): void
}

/** What one can do about the answer at the door; nothing where waiting is all there is to do. */
export function NextStep({ state, code, pin, signedIn, busy, onPin, onAgain }: NextStepProps) {
  const { t } = useTranslation('join')
  switch (state) {
    case 'pin_required':
      return <PinForm busy={busy} error={undefined} onSubmit={onPin} />
    case 'pin_wrong':
      return <PinForm busy={busy} error={t('states.pin_wrong.text')} onSubmit={onPin} />
    case 'sign_in_required':
    case 'not_invited':
      return (
        <Button
          fullWidth
          renderRoot={(props) => (
            // The PIN comes along as a fragment, and never in a query.
            <Link
              to="/sign-in"
              search={{ next: `/j/${code}` }}
              hash={pin === undefined ? '' : `pin=${pin}`}
              {...props}
            />
          )}
        >
          {signedIn ? t('signInOther') : t('signIn')}
        </Button>
      )
    case 'slow_down':
    case 'locked':
    case 'full':
      return (
        <Button variant="default" fullWidth loading={busy} onClick={onAgain}>
          {t('tryAgain')}
        </Button>
      )
    case 'not_found':
    case 'cancelled':
    case 'ended':
    case 'denied':
      return signedIn ? (
        <Button variant="default" fullWidth renderRoot={(props) => <Link to="/meetings" {...props} />}>
          {t('toMeetings')}
        </Button>
      ) : null
    case 'too_early':
      return null
  }
}
