import { requestOauthAccess } from '@parley/contract'
import { findPlainTextViolation } from '@parley/rules/text/plain-text'
import { audit } from '../../access/audit.ts'
import { findAccount } from '../../accounts/account/account-store.ts'
import { lockTenant } from '../../accounts/account/tenant-store.ts'
import { findOauthRequest } from '../../accounts/administration/oauth-request-store.ts'
import { isRequestToMail, notifyAdministrators } from '../../accounts/oauth-requests/notify-administrators.ts'
import { inTransaction } from '../../platform/database/database.ts'
import type { AppsService } from '../apps-service.ts'

const maxReasonLength = 1_000

/** Asking again replaces what was asked before; administrators see it with the account until one enables OAuth or declines. */
export function serveRequestOauthAccess(service: AppsService) {
  const { serve, clock, random } = service
  serve(
    requestOauthAccess,
    ({ caller, body: { reason }, request, database }) =>
      inTransaction(database, async (tx) => {
        const now = clock.now()
        await lockTenant(tx, caller.tenantId)
        const account = await findAccount(tx, caller.accountId)
        if (account === undefined || account.oauthEnabled) {
          return { status: 'OAuth is enabled for your account already.' }
        }
        const previous = await findOauthRequest(tx, account.id)
        const isMailed = isRequestToMail(previous, now) && (await notifyAdministrators(tx, service, account, now))
        const asked = {
          ...{ reason, createdAt: now, declinedAt: null, declineReason: '' },
          notifiedAt: isMailed ? now : (previous?.notifiedAt ?? null),
        }
        await tx
          .insertInto('oauthAccessRequest')
          .values({ accountId: account.id, ...asked })
          .onConflict((conflict) => conflict.column('accountId').doUpdateSet(asked))
          .execute()
        const entry = { tenantId: caller.tenantId, actorId: caller.accountId, subjectId: caller.accountId }
        const { address } = request
        await audit(tx, random, now, { ...entry, action: 'oauth.requested', detail: { reason }, address })
        return { status: 'An administrator has been asked to enable OAuth for your account.' }
      }),
    ({ body: { reason } }) => {
      const limits = { minLength: 1, maxLength: maxReasonLength, lines: true }
      const fault = reason === undefined ? undefined : findPlainTextViolation(reason, limits)
      return fault ? [{ path: '/reason', code: fault.code, message: `reason ${fault.message}.` }] : []
    },
  )
}
