import { requestOauthAccess } from '@parley/contract'
import { readPlainText } from '@parley/rules/text/plain-text'
import { readRequired } from '@parley/rules/text/reading'
import { audit } from '../../access/audit.ts'
import { findAccount } from '../../accounts/account/account-store.ts'
import { lockTenant } from '../../accounts/account/tenant-store.ts'
import { findOauthRequest } from '../../accounts/administration/oauth-request-store.ts'
import { isRequestToMail, notifyAdministrators } from '../../accounts/oauth-requests/notify-administrators.ts'
import { inTransaction } from '../../platform/database/database.ts'
import type { AppsService } from '../apps-service.ts'

const reasonLimits = { minLength: 1, maxLength: 1_000, lines: true }

/**
 * Request OAuth for the caller's account. A repeated request replaces the previous one; administrators see it until one
 * of them enables OAuth or declines.
 */
export function serveRequestOauthAccess(service: AppsService) {
  const { serve, clock, random } = service
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
        const isMailed = isRequestToMail(previous, now) && (await notifyAdministrators(tx, service, account, now))
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
