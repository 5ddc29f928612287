import { Divider } from '@mantine/core'
import type { Profile } from '@parley/contract'
import { browserSupportsWebAuthn } from '@simplewebauthn/browser'
import { useTranslation } from 'react-i18next'
import { PasskeySignIn } from './PasskeySignIn.tsx'

/** What opens an account besides a password; nothing where there is nothing else. */
export function OtherWays({ onSignedIn }: { onSignedIn(person: Profile): void }) {
  const { t } = useTranslation('accounts')
  if (!browserSupportsWebAuthn()) return null
  return (
    <>
      <Divider my="md" label={t('signIn.or')} />
      <PasskeySignIn onSignedIn={onSignedIn} />
    </>
  )
}
