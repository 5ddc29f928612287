import { listOauthRequests } from '@parley/contract'
import type { Database } from '../../platform/database/database.ts'
import type { AccountsService } from '../accounts-service.ts'
import { viewAccountSummary } from '../administration/account-summary-view.ts'
import { findOauthRequests } from '../administration/oauth-request-store.ts'

/** The oldest are listed first, so the others follow as these are answered. */
const maxListedRequests = 100

export function serveListOauthRequests({ serve, config }: AccountsService) {
  serve(listOauthRequests, {
    handle: async ({ caller, database }) => {
      const waiting = waitingAccounts(database, caller.tenantId)
      const [{ totalCount }, accounts] = await Promise.all([
        waiting.select((account) => account.fn.countAll<number>().as('totalCount')).executeTakeFirstOrThrow(),
        waiting
          .selectAll('account')
          .orderBy('request.createdAt')
          .orderBy('account.id')
          .limit(maxListedRequests)
          .execute(),
      ])
      const requests = await findOauthRequests(
        database,
        accounts.map(({ id }) => id),
      )
      return {
        totalCount,
        accounts: accounts.map((account) => viewAccountSummary(account, requests.get(account.id), config)),
      }
    },
  })
}

/** Disabled accounts cannot use OAuth; their requests are not listed. */
const waitingAccounts = (database: Database, tenantId: string) =>
  database
    .selectFrom('oauthAccessRequest as request')
    .innerJoin('account', 'account.id', 'request.accountId')
    .where('account.tenantId', '=', tenantId)
    .where('account.disabledAt', 'is', null)
    .where('account.oauthEnabled', '=', false)
    .where('request.declinedAt', 'is', null)
