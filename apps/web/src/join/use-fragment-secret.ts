import { useLocation, useNavigate } from '@tanstack/react-router'
import { useEffect, useMemo, useRef, useState } from 'react'
import { type JoinSecret, keepSecret, keptSecret } from '../session/kept-secrets.ts'

/** The secret of a link, from its fragment or kept before a reload. */
type LinkSecret = JoinSecret & {
  /** How often another link was opened since the page was loaded; the answer to an earlier one is obsolete. */
  again: number
}

/**
 * Read the secret of a link from its fragment and remove it from the address at once, so that it is neither in the
 * history nor visible on a shared screen. With `keepFor`, the meeting's code, the secret is kept in this tab
 * (kept-secrets.ts). While the next page is being fetched, the location, with its fragment, is already that page's.
 */
export function useFragmentSecret(address: string, keepFor?: string): LinkSecret {
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
