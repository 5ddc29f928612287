import { Alert, Button } from '@mantine/core'
import type { Profile } from '@parley/contract'
import { browserSupportsWebAuthn } from '@simplewebauthn/browser'
import { IconFingerprint } from '@tabler/icons-react'
import { ProblemAlert } from '../session/ProblemAlert.tsx'
import { useSignInTexts } from '../session/sign-in-texts.ts'
import { useCeremonyWords } from './use-ceremony-words.ts'
import { usePasskeySignIn } from './use-passkey-sign-in.ts'

type PasskeySignInProps = { onSignedIn(person: Profile): void }

/** Sign in with a passkey. Renders nothing where the browser does not support them, as without HTTPS. */
export function PasskeySignIn({ onSignedIn }: PasskeySignInProps) {
  return browserSupportsWebAuthn() ? <PasskeyButton onSignedIn={onSignedIn} /> : null
}

function PasskeyButton({ onSignedIn }: PasskeySignInProps) {
  const signInText = useSignInTexts()
  const { press, pending, error } = usePasskeySignIn(onSignedIn)
  const words = useCeremonyWords()(error)
  return (
    <>
      {words === undefined && <ProblemAlert error={error} />}
      <div role="alert">
        {words !== undefined && (
          <Alert color="yellow" variant="light" role="presentation" mb="md">
            {words}
          </Alert>
        )}
      </div>
      <Button
        variant="default"
        fullWidth
        leftSection={<IconFingerprint size={18} aria-hidden />}
        loading={pending}
        onClick={press}
      >
        {signInText('signInWithPasskey')}
      </Button>
    </>
  )
}
