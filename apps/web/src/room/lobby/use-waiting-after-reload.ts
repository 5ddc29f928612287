import type { Entering } from '@parley/contract'
import { useEffect, useRef } from 'react'

const prefix = 'parley-asked:'

type Waiting = {
  code: string
  entering: Entering
  phase: 'lobby' | 'asking' | 'waiting' | 'inside' | 'over'
  goOn(): void
}

/**
 * A person who had asked to enter goes on waiting after a reload, before their place is given up. Who is let in meanwhile,
 * or was inside, is in the lobby: nobody is seen or heard by a reload.
 */
export function useWaitingAfterReload({ code, entering: { state }, phase, goOn }: Waiting): void {
  const key = prefix + code
  const latest = useRef(goOn)
  latest.current = goOn
  const waits = state === 'waiting' || state === 'waiting_for_host'
  useEffect(() => {
    if (waits && sessionStorage.getItem(key) !== null) latest.current()
  }, [key, waits])
  const asks = phase === 'asking' || phase === 'waiting'
  useEffect(() => {
    if (!asks) return
    sessionStorage.setItem(key, 'true')
    // A reload ends the page without this; going to another page, or having come in, does not.
    return () => sessionStorage.removeItem(key)
  }, [key, asks])
}
