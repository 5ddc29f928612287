import { useLocation, useNavigate } from '@tanstack/react-router'
import { useEffect, useState } from 'react'

/**
 * The secret of a mailed link, out of its fragment: taken from the address at once, so that it is neither kept in the
 * history nor shown when the screen is.
 */
export function useFragmentToken(): string | undefined {
  const { hash } = useLocation()
  const navigate = useNavigate()
  const brought = new URLSearchParams(hash).get('token') ?? undefined
  const [token, setToken] = useState(brought)
  useEffect(() => {
    if (brought === undefined) return
    setToken(brought)
    void navigate({ to: '.', hash: '', replace: true })
  }, [brought, navigate])
  return token
}
