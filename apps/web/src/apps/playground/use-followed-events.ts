import { followEvents, isProblem } from '@parley/client'
import type { FollowedEvent } from '@parley/contract'
import { useEffect, useRef, useState } from 'react'
import { readClockMs } from '../../ui/hooks/use-now.ts'
import type { Tokens } from './use-playground.ts'
import { fetchAsProgram } from './wire.ts'

/** More are of no use on a page; the log has them all. */
const maxShown = 50

/** Follow the event log with the access token, as an app does. The newest events come first. */
export function useFollowedEvents(tokens: Tokens | undefined) {
  /** Undefined while nothing is followed. */
  const [connection, setConnection] = useState<'connecting' | 'connected' | 'lost'>()
  /** Why the service no longer accepts the token. */
  const [refusal, setRefusal] = useState<'revoked' | 'expired'>()
  const [error, setError] = useState<unknown>(null)
  const [events, setEvents] = useState<readonly FollowedEvent[]>([])
  const running = useRef<AbortController>(undefined)
  // After a refresh, the next connection is made with the new token.
  const current = useRef(tokens)
  current.current = tokens
  const hasTokens = tokens !== undefined

  useEffect(() => {
    if (!hasTokens) return
    return () => {
      running.current?.abort()
      setConnection(undefined)
      setRefusal(undefined)
      setError(null)
      setEvents([])
    }
  }, [hasTokens])

  async function follow({ signal }: AbortController) {
    const service = { base: '', token: () => current.current?.access_token ?? '', fetch: fetchAsProgram }
    const onCursor = () => setConnection('connected')
    for await (const event of followEvents(service, { signal, onCursor, onLost: () => setConnection('lost') })) {
      if (signal.aborted) return
      setEvents((known) => [event, ...known].slice(0, maxShown))
    }
  }

  function start() {
    const stopping = new AbortController()
    running.current = stopping
    setConnection('connecting')
    setRefusal(undefined)
    setError(null)
    follow(stopping).catch((failure: unknown) => {
      if (stopping.signal.aborted) return
      setConnection(undefined)
      if (!isProblem(failure, 'unauthorized')) return setError(failure)
      setRefusal(readClockMs() < (current.current?.expiresAtMs ?? 0) ? 'revoked' : 'expired')
    })
  }

  function stop() {
    running.current?.abort()
    setConnection(undefined)
  }

  return { connection, refusal, error, events, start, stop }
}
