import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'

type MadeSecret = { name: string; secret: string }

/**
 * A secret that was just created. It is kept in this window's memory across tabs and pages until the user confirms
 * having stored it; leaving the window before asks for confirmation.
 */
export function useMadeSecret(appId: string, sandbox: boolean) {
  const queryClient = useQueryClient()
  const queryKey = ['made-secret', appId, sandbox]
  const { data: made = null } = useQuery<MadeSecret | null>({
    queryKey,
    queryFn: () => null,
    enabled: false,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: Number.POSITIVE_INFINITY,
  })
  const isMade = made !== null
  useEffect(() => {
    if (!isMade) return
    const ask = (event: BeforeUnloadEvent) => event.preventDefault()
    window.addEventListener('beforeunload', ask)
    return () => window.removeEventListener('beforeunload', ask)
  }, [isMade])
  return {
    made: made ?? undefined,
    keep: (secret: MadeSecret) => queryClient.setQueryData(queryKey, secret),
    clear: () => queryClient.setQueryData(queryKey, null),
  }
}
