import { type AppEventKind, isAppEventKind, listAppEvents } from '@parley/contract'
import { collect, combine, type Parsed, readOptional, refuseAt } from '@parley/rules/text/parsed'
import { readTimestampField } from '@parley/rules/text/timestamp'
import { readAfter, writeCursor } from '../../platform/database/cursor.ts'
import { requireOwnApp } from '../app-store.ts'
import type { Dependencies } from '../dependencies.ts'
import { requireOauth } from '../oauth-access.ts'
import { listAppEventRows } from './app-event-store.ts'

const defaultLimit = 50

/** List an app's events that fit the filter, the newest first. */
export function registerAppEvents({ serve }: Dependencies) {
  serve(listAppEvents, {
    read: ({ query }) =>
      combine({
        after: readAfter(query.after),
        kinds: readOptional(query.kind, readKinds),
        from: readOptional(query.fromDate, (text) => readTimestampField('/fromDate', text)),
        to: readOptional(query.toDate, (text) => readTimestampField('/toDate', text)),
      }),
    handle: async ({ caller, params: { appId }, query, input: { after, ...dates }, database }) => {
      await requireOauth(database, caller)
      const { app } = await requireOwnApp(database, appId, caller.accountId)
      const { limit = defaultLimit, sandbox, requestId } = query
      const filter = { ...dates, sandbox, requestId, search: textOf(query.search) }
      const found = await listAppEventRows(database, app.id, filter, { after, limit: limit + 1 })
      const page = found.slice(0, limit)
      const last = page.at(-1)
      const moreAvailable = found.length > limit
      return {
        moreAvailable,
        nextCursor: moreAvailable && last !== undefined ? writeCursor({ at: last.lastOccurredAt, id: last.id }) : null,
        events: page.map(({ id, createdAt, lastOccurredAt, ...event }) => ({
          _id: id,
          createdOn: createdAt.toISOString(),
          lastOccurredOn: lastOccurredAt.toISOString(),
          ...event,
        })),
      }
    },
  })
}

/** A search for nothing finds everything. */
const textOf = (search: string | undefined) => search?.trim() || undefined

const readKinds = (text: string): Parsed<AppEventKind[]> =>
  collect(
    text.split(',').map((name): Parsed<AppEventKind> => {
      const kind = name.trim()
      if (isAppEventKind(kind)) return { value: kind }
      return refuseAt('/kind', 'unknown_kind', kind === '' ? 'holds an empty name' : 'names a kind that does not exist')
    }),
  )
