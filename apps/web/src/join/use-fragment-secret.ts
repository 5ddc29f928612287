import { useLocation, useNavigate } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'

/** What a link brings along: the PIN of a meeting, or the key that makes its bearer the host. */
export type Brought = {
  pin?: string
  hostKey?: string
  /** How often a link was opened here since the page was: what came of the one before is over. */
  again: number
}

/**
 * The secret of a link, out of its fragment: taken from the address at once, so that it is neither kept in the history
 * nor shown when the screen is. While the next page is fetched, the address is that page's already, and so is its
 * fragment.
 */
export function useFragmentSecret(address: string): Brought {
  const { hash, pathname } = useLocation()
  const navigate = useNavigate()
  const fragment = new URLSearchParams(pathname === address ? hash : '')
  const pin = fragment.get('pin') ?? undefined
  const hostKey = fragment.get('key') ?? undefined
  const atFirst = useRef(pin !== undefined || hostKey !== undefined)
  const [kept, setKept] = useState({ address, pin, hostKey, again: 0 })
  useEffect(() => {
    if (pin === undefined && hostKey === undefined) return
    const more = atFirst.current ? 0 : 1
    atFirst.current = false
    setKept((before) => ({ address, pin, hostKey, again: before.again + more }))
    void navigate({ to: '.', hash: '', replace: true })
  }, [address, pin, hostKey, navigate])
  const { again } = kept
  if (kept.address !== address) return { again }
  return {
    again,
    ...(kept.pin !== undefined && { pin: kept.pin }),
    ...(kept.hostKey !== undefined && { hostKey: kept.hostKey }),
  }
}
