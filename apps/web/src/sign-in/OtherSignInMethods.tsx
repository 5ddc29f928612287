import { Divider } from '@mantine/core'
import type { Profile } from '@parley/contract'
import { browserSupportsWebAuthn } from '@simplewebauthn/browser'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { serviceQuery } from '../session/session.ts'
import { PasskeySignIn } from './PasskeySignIn.tsx'
import { ProviderSignIn } from './ProviderSignIn.tsx'

type OtherWaysProps = {
  onSignedIn(person: Profile): void
  /** Where to go on to; the provider leads there itself. */
  returnTo: string
}

/** What opens an account besides a password; nothing where there is nothing else. */
export function OtherSignInMethods({ onSignedIn, returnTo }: OtherWaysProps) {
  const { t } = useTranslation('accounts')
  // Above a page whose session has ended nothing may suspend or fail: what was typed there would be gone.
  const { providerName = null } = useQuery(serviceQuery).data ?? {}
  if (!browserSupportsWebAuthn() && providerName === null) return null
  return (
    <>
      <Divider my="md" label={t('signIn.or')} />
      <PasskeySignIn onSignedIn={onSignedIn} />
      {providerName !== null && <ProviderSignIn providerName={providerName} returnTo={returnTo} />}
    </>
  )
}
