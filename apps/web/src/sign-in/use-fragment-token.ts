import { useLocation, useNavigate } from '@tanstack/react-router'
import { useEffect, useState } from 'react'

/**
 * Read the token of a mailed link from its fragment and remove it from the address at once, so that it is neither in
 * the history nor visible on a shared screen.
 */
export function useFragmentToken(): string | undefined {
  const { hash } = useLocation()
  const navigate = useNavigate()
  const fragmentToken = new URLSearchParams(hash).get('token') ?? undefined
  const [token, setToken] = useState(fragmentToken)
  useEffect(() => {
    if (fragmentToken === undefined) return
    setToken(fragmentToken)
    void navigate({ to: '.', hash: '', replace: true })
  }, [fragmentToken, navigate])
  return token
}
