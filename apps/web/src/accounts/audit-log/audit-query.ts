import { listAuditLog } from '@parley/contract'
import { infiniteQueryOptions } from '@tanstack/react-query'
import { client } from '../../session/client.ts'
import { type AuditSearch, auditFilters } from './audit-search.ts'

const entriesOnAPage = 50

export const auditLogKey = ['audit-log']

/** Newest first. */
export const auditLogQuery = (search: AuditSearch) =>
  infiniteQueryOptions({
    queryKey: [...auditLogKey, search],
    initialPageParam: null as string | null,
    queryFn: ({ pageParam }) =>
      client.call(listAuditLog, {
        query: { limit: entriesOnAPage, ...auditFilters(search), ...(pageParam !== null && { after: pageParam }) },
      }),
    getNextPageParam: ({ nextCursor }) => nextCursor,
  })
