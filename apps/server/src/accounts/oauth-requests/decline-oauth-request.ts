import { declineOauthRequest } from '@parley/contract'
import { readPlainText } from '@parley/rules/text/plain-text'
import { mapReading, readOptional } from '@parley/rules/text/reading'
import { audit } from '../../access/audit.ts'
import { inTransaction } from '../../platform/database/database.ts'
import { isUuid } from '../../platform/database/uuid.ts'
import { problem } from '../../platform/http/problem.ts'
import { lockAccount } from '../account/account-store.ts'
import type { AccountsService } from '../accounts-service.ts'
import { viewAccountSummary } from '../administration/account-summary-view.ts'
import { emailLanguage, oauthDeclinedEmail } from '../email-links/account-emails.ts'
import { queueEmail } from '../email-links/queue-email.ts'

const maxReasonLength = 1_000

/** Decline a request for OAuth. Declining again returns 404, so the person is emailed once. */
export function serveDeclineOauthRequest(service: AccountsService) {
  const { serve, clock, random, config } = service
  serve(declineOauthRequest, {
    read: ({ body }) => {
      const limits = { maxLength: maxReasonLength, lines: true }
      const reason = readOptional(body.reason, (text) => readPlainText('/reason', text, limits))
      return mapReading(reason, (text) => text?.trim() ?? '')
    },
    handle: ({ caller, params: { userId }, input: reason, request, database }) =>
      inTransaction(database, async (tx) => {
        const now = clock.now()
        const account = isUuid(userId) ? await lockAccount(tx, userId) : undefined
        if (account === undefined || account.tenantId !== caller.tenantId) throw problem('account_not_found')
        const declined = await tx
          .updateTable('oauthAccessRequest')
          .set({ declinedAt: now, declineReason: reason })
          .where('accountId', '=', account.id)
          .where('declinedAt', 'is', null)
          .executeTakeFirstOrThrow()
        if (declined.numUpdatedRows === 0n) throw problem('oauth_request_not_found')

        const entry = { tenantId: account.tenantId, actorId: caller.accountId, subjectId: account.id }
        const { address } = request
        await audit(tx, random, now, { ...entry, action: 'oauth.declined', detail: { reason }, address })
        if (account.id !== caller.accountId && account.disabledAt === null) {
          const mail = { baseUrl: config.baseUrl, to: account.email, language: emailLanguage(account.language) }
          await queueEmail(tx, service, oauthDeclinedEmail({ ...mail, reason }))
        }
        return viewAccountSummary(account, undefined, config)
      }),
  })
}
