import { listAccounts } from '@parley/contract'
import { sql } from 'kysely'
import { readAfter, writeCursor } from '../../platform/database/cursor.ts'
import type { Database } from '../../platform/database/database.ts'
import type { AccountsService } from '../accounts-service.ts'
import { viewAccountSummary } from './account-summary-view.ts'
import { findOauthRequests } from './oauth-request-store.ts'

const defaultLimit = 50

/** List the accounts of the administrator's organisation, oldest first: ids are in order of time. */
export function serveListAccounts({ serve, config }: AccountsService) {
  serve(listAccounts, {
    read: ({ query }) => readAfter(query.after),
    handle: async ({ caller, query: { limit = defaultLimit, q }, input: after, database }) => {
      const matching = matchingAccounts(database, caller.tenantId, q)
      const [{ totalCount }, found] = await Promise.all([
        matching.select((account) => account.fn.countAll<number>().as('totalCount')).executeTakeFirstOrThrow(),
        matching
          .selectAll()
          .$if(after !== undefined, (accounts) => accounts.where('id', '>', after?.id ?? ''))
          .orderBy('id')
          .limit(limit + 1)
          .execute(),
      ])
      const page = found.slice(0, limit)
      const last = page.at(-1)
      const moreAvailable = found.length > limit
      const requests = await findOauthRequests(
        database,
        page.map(({ id }) => id),
      )
      return {
        totalCount,
        moreAvailable,
        nextCursor: moreAvailable && last !== undefined ? writeCursor({ at: last.createdAt, id: last.id }) : null,
        accounts: page.map((account) => viewAccountSummary(account, requests.get(account.id), config)),
      }
    },
  })
}

function matchingAccounts(database: Database, tenantId: string, q: string | undefined) {
  const accounts = database.selectFrom('account').where('tenantId', '=', tenantId).where('deletedAt', 'is', null)
  if (q === undefined || q.trim() === '') return accounts
  const pattern = `%${q.trim().replace(/[\\%_]/g, '\\$&')}%`
  return accounts.where(sql<boolean>`name || ' ' || lname || ' ' || email ilike ${pattern}`)
}
