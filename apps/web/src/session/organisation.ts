import { type OrganisationLook, readSession } from '@parley/contract'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { createStore, useStore } from '../ui/hooks/create-store.ts'
import { client } from './client.ts'

/** The look of the reader's organisation, or of the service's without a session. It comes with the session. */
export const organisationQuery = queryOptions({
  queryKey: ['organisation'],
  staleTime: Number.POSITIVE_INFINITY,
  gcTime: Number.POSITIVE_INFINITY,
  queryFn: async () => (await client.call(readSession)).organisation,
})

/** The look of the host's organisation while a meeting of another person is shown; undefined elsewhere. */
const hostLook = createStore<OrganisationLook | null | undefined>(undefined)

/** Show a meeting in the look of its host's organisation; undefined while it is not known. */
export function useHostLook(look: OrganisationLook | null | undefined): void {
  useEffect(() => hostLook.replace(look), [look])
  useEffect(() => () => hostLook.replace(undefined), [])
}

/** The look of the page; null: that of the product. */
export function useLook(): OrganisationLook | null {
  const host = useStore(hostLook)
  const { data: own = null } = useQuery({ ...organisationQuery, enabled: false })
  return host === undefined ? own : host
}
