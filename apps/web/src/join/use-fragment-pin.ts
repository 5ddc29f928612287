import { useLocation, useNavigate } from '@tanstack/react-router'
import { useEffect, useState } from 'react'

/**
 * The PIN of a link, out of its fragment: taken from the address at once, so that it is neither kept in the history nor
 * shown when the screen is. A new link brings a new one.
 */
export function useFragmentPin(): string | undefined {
  const { hash } = useLocation()
  const navigate = useNavigate()
  const brought = new URLSearchParams(hash).get('pin') ?? undefined
  const [pin, setPin] = useState(brought)
  useEffect(() => {
    if (brought === undefined) return
    setPin(brought)
    void navigate({ to: '.', hash: '', replace: true })
  }, [brought, navigate])
  return pin
}
