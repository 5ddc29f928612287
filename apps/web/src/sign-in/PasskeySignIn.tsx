import type { Profile } from '@parley/contract'
import { browserSupportsWebAuthn } from '@simplewebauthn/browser'
import { useTranslation } from 'react-i18next'
import { PasskeyButton } from './PasskeyButton.tsx'
import { usePasskeySignIn } from './use-passkey-sign-in.ts'

type PasskeySignInProps = { onSignedIn(person: Profile): void }

/** Sign in with a passkey. Renders nothing where the browser does not support them, as without HTTPS. */
export function PasskeySignIn({ onSignedIn }: PasskeySignInProps) {
  return browserSupportsWebAuthn() ? <SupportedPasskeySignIn onSignedIn={onSignedIn} /> : null
}

function SupportedPasskeySignIn({ onSignedIn }: PasskeySignInProps) {
  const { t: signInText } = useTranslation('sign-in')
  const { press, pending, error } = usePasskeySignIn(onSignedIn)
  return <PasskeyButton label={signInText('signInWithPasskey')} pending={pending} error={error} onPress={press} />
}
