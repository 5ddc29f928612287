import { Button, Divider, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { ProblemError } from '@parley/client'
import { type Profile, signIn, signInWithPasskey } from '@parley/contract'
import { browserSupportsWebAuthn, browserSupportsWebAuthnAutofill, WebAuthnAbortService } from '@simplewebauthn/browser'
import { IconBuilding } from '@tabler/icons-react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { client } from '../session/client.ts'
import { ProblemAlert } from '../session/ProblemAlert.tsx'
import { beginSession, serviceQuery } from '../session/session.ts'
import { useMutation } from '../ui/hooks/use-mutation.ts'
import { PasswordField } from '../ui/PasswordField.tsx'
import { keepFragment, splitAddress } from './kept-fragment.ts'
import { PasskeyButton } from './PasskeyButton.tsx'
import { type PasskeyResponse, requestPasskey } from './request-passkey.ts'
import { SendLinkAgain } from './SendLinkAgain.tsx'

/** Sign in with a password, on the sign-in page and above a page whose session has ended. */
export function SignInForm({ onSignedIn }: { onSignedIn(person: Profile): void }) {
  const { t: signInText } = useTranslation('sign-in')
  const queryClient = useQueryClient()
  const form = useForm({ initialValues: { email: '', password: '' } })
  const attempt = useMutation({
    mutationFn: (body: typeof form.values) => client.call(signIn, { body }),
    onSuccess: ({ user }) => {
      beginSession(queryClient, user)
      onSignedIn(user)
    },
  })
  const unconfirmed = attempt.error instanceof ProblemError && attempt.error.problem.code === 'email_not_verified'
  return (
    <>
      <ProblemAlert error={attempt.error} />
      {unconfirmed && <SendLinkAgain email={form.values.email} />}
      <form onSubmit={form.onSubmit((values) => attempt.mutate(values))}>
        <TextInput
          label={signInText('email')}
          type="email"
          name="email"
          autoComplete="username webauthn"
          required
          mb="md"
          {...form.getInputProps('email')}
        />
        <PasswordField
          label={signInText('password')}
          name="password"
          autoComplete="current-password"
          required
          mb="lg"
          {...form.getInputProps('password')}
        />
        <Button type="submit" fullWidth loading={attempt.isPending}>
          {signInText('signIn')}
        </Button>
      </form>
    </>
  )
}

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

type PasskeySignInProps = { onSignedIn(person: Profile): void }

/** Sign in with a passkey. Renders nothing where the browser does not support them, as without HTTPS. */
function PasskeySignIn({ onSignedIn }: PasskeySignInProps) {
  return browserSupportsWebAuthn() ? <SupportedPasskeySignIn onSignedIn={onSignedIn} /> : null
}

function SupportedPasskeySignIn({ onSignedIn }: PasskeySignInProps) {
  const { t: signInText } = useTranslation('sign-in')
  const { press, pending, error } = usePasskeySignIn(onSignedIn)
  return <PasskeyButton label={signInText('signInWithPasskey')} pending={pending} error={error} onPress={press} />
}

/** A challenge is valid for five minutes; an open page requests the next one earlier. */
const renewAfterMs = 4 * 60 * 1000

/**
 * Sign in with a passkey: on `press`, or when the user selects one from the address field's autofill (`autocomplete="…
 * webauthn"`).
 */
function usePasskeySignIn(onSignedIn: (person: Profile) => void) {
  const queryClient = useQueryClient()
  // The browser allows one WebAuthn request at a time, so the autofill request waits for the button's.
  const [pressed, setPressed] = useState(false)
  const [round, setRound] = useState(0)
  const { mutate, error, isPending } = useMutation({
    mutationFn: async (answered: Promise<PasskeyResponse | undefined>) => {
      const credential = await answered
      return credential && client.call(signInWithPasskey, { body: { credential } })
    },
    onSuccess: (session) => {
      if (session === undefined) return
      beginSession(queryClient, session.user)
      onSignedIn(session.user)
    },
    // The autofill request resumes after the button's; one that was refused is not repeated at once.
    onError: () => setPressed(false),
  })

  // biome-ignore lint/correctness/useExhaustiveDependencies: each round needs a fresh challenge
  useEffect(() => {
    if (pressed) return
    let over = false
    const offer = async () => {
      if (!(await browserSupportsWebAuthnAutofill()) || over) return
      const credential = await requestPasskey({ useBrowserAutofill: true, isOver: () => over })
      if (!over) mutate(Promise.resolve(credential))
    }
    // An autofill request that failed is not reported, because the user may not intend to use it.
    offer().catch(() => {})
    const timer = setTimeout(() => setRound((rounds) => rounds + 1), renewAfterMs)
    return () => {
      over = true
      clearTimeout(timer)
      WebAuthnAbortService.cancelCeremony()
    }
  }, [pressed, round, mutate])

  const press = () => {
    setPressed(true)
    mutate(requestPasskey({ useBrowserAutofill: false }))
  }
  return { press, pending: isPending, error }
}

type ProviderSignInProps = {
  /** The provider's name in the operator's configuration. */
  providerName: string
  /**
   * The path to open afterwards. Its fragment is kept in this tab, because it may hold a PIN and would otherwise become
   * part of a query.
   */
  returnTo: string
}

/** Redirect to the organisation's identity provider, which redirects back. */
function ProviderSignIn({ providerName, returnTo }: ProviderSignInProps) {
  const { t } = useTranslation('accounts')
  const parted = splitAddress(returnTo)
  const query = new URLSearchParams({ returnTo: parted.path })
  return (
    <Button
      component="a"
      href={`/api/auth/provider-sign-in?${query}`}
      onClick={() => keepFragment(parted)}
      variant="default"
      fullWidth
      mt="sm"
      leftSection={<IconBuilding size={18} aria-hidden />}
    >
      {t('signIn.provider', { name: providerName })}
    </Button>
  )
}
