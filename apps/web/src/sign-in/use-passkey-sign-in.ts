import { type Profile, signInWithPasskey } from '@parley/contract'
import { browserSupportsWebAuthnAutofill, WebAuthnAbortService } from '@simplewebauthn/browser'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { client } from '../session/client.ts'
import { sessionQuery } from '../session/session.ts'
import { useMutation } from '../ui/hooks/use-mutation.ts'
import { type PasskeyResponse, requestPasskey } from './request-passkey.ts'

/** A challenge is valid for five minutes; an open page requests the next one earlier. */
const renewAfterMs = 4 * 60 * 1000

/**
 * Sign in with a passkey: on `press`, or when the user selects one from the address field's autofill (`autocomplete="…
 * webauthn"`).
 */
export function usePasskeySignIn(onSignedIn: (person: Profile) => void) {
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
      queryClient.setQueryData(sessionQuery.queryKey, session.user)
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
