import { type ReplyOf, readOauthAccess, requestOauthAccess } from '@parley/contract'
import { readRequired } from '@parley/rules/text/parsed'
import { readPlainText } from '@parley/rules/text/plain-text'
import { audit } from '../access/audit.ts'
import type { Caller } from '../access/caller.ts'
import { findAccount } from '../accounts/account/account-store.ts'
import { lockTenant } from '../accounts/account/tenant-store.ts'
import { findOauthRequest } from '../accounts/oauth-access-request-store.ts'
import { isRequestToMail, notifyAdministrators } from '../accounts/oauth-access-requests.ts'
import { type Database, inTransaction } from '../platform/database/database.ts'
import { problem } from '../platform/http/problem.ts'
import type { Dependencies } from './dependencies.ts'

/**
 * Require that OAuth, which is in Beta, is enabled for the caller's account. The developers' portal is closed without it.
 * @throws oauth_not_enabled
 */
export async function requireOauth(database: Database, caller: Caller): Promise<void> {
  const account = await database
    .selectFrom('account')
    .select('oauthEnabled')
    .where('id', '=', caller.accountId)
    .executeTakeFirst()
  if (account?.oauthEnabled !== true) throw problem('oauth_not_enabled')
}

/** Register the request for OAuth access and its state. */
export function registerOauthAccess(dependencies: Dependencies): void {
  serveRequestOauthAccess(dependencies)
  serveReadOauthAccess(dependencies)
}

const reasonLimits = { minLength: 1, maxLength: 1_000, lines: true }

/**
 * Request OAuth for the caller's account. A repeated request replaces the previous one. Administrators see it until one
 * of them enables OAuth or declines the request.
 */
function serveRequestOauthAccess(dependencies: Dependencies) {
  const { serve, clock, random } = dependencies
  serve(requestOauthAccess, {
    read: ({ body }) => readRequired(body.reason, (text) => readPlainText('/reason', text, reasonLimits)),
    handle: ({ caller, input: reason, request, database }) =>
      inTransaction(database, async (tx) => {
        const now = clock.now()
        await lockTenant(tx, caller.tenantId)
        const account = await findAccount(tx, caller.accountId)
        if (account === undefined || account.oauthEnabled) {
          return { status: 'OAuth is enabled for your account already.' }
        }
        const previous = await findOauthRequest(tx, account.id)
        const isMailed = isRequestToMail(previous, now) && (await notifyAdministrators(tx, dependencies, account, now))
        const accessRequest = {
          reason,
          createdAt: now,
          declinedAt: null,
          declineReason: '',
          notifiedAt: isMailed ? now : (previous?.notifiedAt ?? null),
        }
        await tx
          .insertInto('oauthAccessRequest')
          .values({ accountId: account.id, ...accessRequest })
          .onConflict((conflict) => conflict.column('accountId').doUpdateSet(accessRequest))
          .execute()
        const entry = { tenantId: caller.tenantId, actorId: caller.accountId, subjectId: caller.accountId }
        const { address } = request
        await audit(tx, random, now, { ...entry, action: 'oauth.requested', detail: { reason }, address })
        return { status: 'An administrator has been asked to enable OAuth for your account.' }
      }),
  })
}

/** Read whether OAuth is enabled for the caller. Until then the other endpoints of the portal are refused. */
function serveReadOauthAccess({ serve }: Dependencies) {
  serve(readOauthAccess, {
    handle: async ({ caller, database }): Promise<ReplyOf<typeof readOauthAccess>> => {
      const [account, request] = await Promise.all([
        findAccount(database, caller.accountId),
        findOauthRequest(database, caller.accountId),
      ])
      const noRequest = { requestedOn: null, declinedOn: null, declineReason: '' }
      if (account?.oauthEnabled === true) return { ...noRequest, status: 'enabled' }
      if (request === undefined) return { ...noRequest, status: 'none' }
      const requestedOn = request.createdAt.toISOString()
      if (request.declinedAt === null) return { ...noRequest, status: 'requested', requestedOn }
      const { declinedAt, declineReason } = request
      return { status: 'declined', requestedOn, declinedOn: declinedAt.toISOString(), declineReason }
    },
  })
}
