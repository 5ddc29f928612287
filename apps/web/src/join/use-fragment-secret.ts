import { useLocation, useNavigate } from '@tanstack/react-router'
import { useEffect, useState } from 'react'

/** What a link brings along: the PIN of a meeting, or the key that makes its bearer the host. */
export type Brought = { pin?: string; hostKey?: string }

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
  const [kept, setKept] = useState({ address, pin, hostKey })
  useEffect(() => {
    if (pin === undefined && hostKey === undefined) return
    setKept({ address, pin, hostKey })
    void navigate({ to: '.', hash: '', replace: true })
  }, [address, pin, hostKey, navigate])
  if (kept.address !== address) return {}
  return {
    ...(kept.pin !== undefined && { pin: kept.pin }),
    ...(kept.hostKey !== undefined && { hostKey: kept.hostKey }),
  }
}
