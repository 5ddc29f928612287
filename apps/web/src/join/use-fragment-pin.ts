import { useLocation, useNavigate } from '@tanstack/react-router'
import { useEffect, useState } from 'react'

/**
 * The PIN of a link, out of its fragment: taken from the address at once, so that it is neither kept in the history nor
 * shown when the screen is. While the next page is fetched, the address is that page's already, and so is its fragment.
 */
export function useFragmentPin(address: string): string | undefined {
  const { hash, pathname } = useLocation()
  const navigate = useNavigate()
  const brought = pathname === address ? (new URLSearchParams(hash).get('pin') ?? undefined) : undefined
  const [kept, setKept] = useState({ address, pin: brought })
  useEffect(() => {
    if (brought === undefined) return
    setKept({ address, pin: brought })
    void navigate({ to: '.', hash: '', replace: true })
  }, [address, brought, navigate])
  return kept.address === address ? kept.pin : undefined
}
