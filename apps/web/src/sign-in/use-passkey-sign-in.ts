import { type Profile, signInWithPasskey } from '@parley/contract'
import { browserSupportsWebAuthnAutofill, WebAuthnAbortService } from '@simplewebauthn/browser'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { client } from '../session/client.ts'
import { sessionQuery } from '../session/session.ts'
import { type PasskeyAnswer, requestPasskey } from './request-passkey.ts'

/** A challenge is good for five minutes; a page that stays open asks for the next one before. */
const renewAfterMs = 4 * 60 * 1000

/**
 * Signs in with a passkey: by `press`, or as soon as somebody chooses one among what the browser offers in the field of
 * the address (`autocomplete="… webauthn"`).
 */
export function usePasskeySignIn(onSignedIn: (person: Profile) => void) {
  const queryClient = useQueryClient()
  // Only one dialog of the browser can be open, so the offer in the field waits for the button's.
  const [pressed, setPressed] = useState(false)
  const [round, setRound] = useState(0)
  const { mutate, error, isPending } = useMutation({
    mutationFn: async (answered: Promise<PasskeyAnswer | undefined>) => {
      const credential = await answered
      return credential && client.call(signInWithPasskey, { body: { credential } })
    },
    onSuccess: (session) => {
      if (session === undefined) return
      queryClient.setQueryData(sessionQuery.queryKey, session.user)
      onSignedIn(session.user)
    },
    // After the button the field offers again; an offer that was refused is not repeated at once.
    onError: () => setPressed(false),
  })

  // biome-ignore lint/correctness/useExhaustiveDependencies: each round offers with a fresh challenge
  useEffect(() => {
    if (pressed) return
    let over = false
    const offer = async () => {
      if (!(await browserSupportsWebAuthnAutofill()) || over) return
      const credential = await requestPasskey({ useBrowserAutofill: true, isOver: () => over })
      if (!over) mutate(Promise.resolve(credential))
    }
    // Why an offer came to nothing is not for somebody who may not even want it.
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
