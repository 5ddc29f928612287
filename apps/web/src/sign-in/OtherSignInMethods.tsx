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
  /** The path to open afterwards; the provider redirects there itself. */
  returnTo: string
}

/** Sign-in methods besides the password; nothing when there are none. */
export function OtherSignInMethods({ onSignedIn, returnTo }: OtherWaysProps) {
  const { t: signInText } = useTranslation('sign-in')
  // Above a page whose session has ended, this must neither suspend nor throw: the page's typed input would be lost.
  const { providerName = null } = useQuery(serviceQuery).data ?? {}
  if (!browserSupportsWebAuthn() && providerName === null) return null
  return (
    <>
      <Divider my="md" label={signInText('or')} />
      <PasskeySignIn onSignedIn={onSignedIn} />
      {providerName !== null && <ProviderSignIn providerName={providerName} returnTo={returnTo} />}
    </>
  )
}
