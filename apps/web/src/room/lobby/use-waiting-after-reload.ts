import type { Entering } from '@parley/contract'
import { useEffect, useRef } from 'react'

const prefix = 'parley-asked:'

type Waiting = {
  code: string
  entering: Entering
  phase: 'lobby' | 'requesting' | 'waiting' | 'inside' | 'over'
  goOn(): void
}

/**
 * Continue waiting after a reload, before the service gives up the place. A person who was admitted in the meantime, or
 * was inside, stays in the lobby, so that a reload never turns camera or microphone on.
 */
export function useWaitingAfterReload({ code, entering: { state }, phase, goOn }: Waiting): void {
  const key = prefix + code
  const latest = useRef(goOn)
  latest.current = goOn
  const waits = state === 'waiting' || state === 'waiting_for_host'
  useEffect(() => {
    if (waits && sessionStorage.getItem(key) !== null) latest.current()
  }, [key, waits])
  const asks = phase === 'requesting' || phase === 'waiting'
  useEffect(() => {
    if (!asks) return
    sessionStorage.setItem(key, 'true')
    // A reload skips this cleanup; navigating away or joining runs it.
    return () => sessionStorage.removeItem(key)
  }, [key, asks])
}
