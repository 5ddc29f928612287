import { useLocation, useNavigate } from '@tanstack/react-router'
import { useEffect, useMemo, useRef, useState } from 'react'
import { type JoinSecret, keepSecret, keptSecret } from '../session/kept-secrets.ts'

/** What a link brings along, now or before the page was loaded again. */
export type Brought = JoinSecret & {
  /** How often a link was opened here since the page was: what came of the one before is over. */
  again: number
}

/**
 * The secret of a link, out of its fragment: taken from the address at once, so that it is neither kept in the history
 * nor shown when the screen is. With `keepFor`, the code of its meeting, it is kept in this tab instead (kept-secrets.ts).
 * While the next page is fetched, the address is that page's already, and so is its fragment.
 */
export function useFragmentSecret(address: string, keepFor?: string): Brought {
  const { hash, pathname } = useLocation()
  const navigate = useNavigate()
  const fragment = new URLSearchParams(pathname === address ? hash : '')
  const pin = fragment.get('pin') ?? undefined
  const hostKey = fragment.get('key') ?? undefined
  const hasFragment = pin !== undefined || hostKey !== undefined
  const atFirst = useRef(hasFragment)
  const before = useMemo(() => (keepFor === undefined ? {} : keptSecret(sessionStorage, keepFor)), [keepFor])
  const [opened, setOpened] = useState({ address: hasFragment ? address : '', pin, hostKey, again: 0 })
  useEffect(() => {
    if (pin === undefined && hostKey === undefined) return
    const more = atFirst.current ? 0 : 1
    atFirst.current = false
    if (keepFor !== undefined) {
      const secret = { ...(pin !== undefined && { pin }), ...(hostKey !== undefined && { hostKey }) }
      keepSecret(sessionStorage, keepFor, secret)
    }
    setOpened((last) => ({ address, pin, hostKey, again: last.again + more }))
    void navigate({ to: '.', hash: '', replace: true })
  }, [address, keepFor, pin, hostKey, navigate])
  const { again } = opened
  if (opened.address !== address) return { ...before, again }
  return {
    again,
    ...(opened.pin !== undefined && { pin: opened.pin }),
    ...(opened.hostKey !== undefined && { hostKey: opened.hostKey }),
  }
}
