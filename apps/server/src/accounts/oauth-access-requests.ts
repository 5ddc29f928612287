import { declineOauthRequest, listOauthRequests } from '@parley/contract'
import { mapParsed, readOptional } from '@parley/rules/text/parsed'
import { readPlainText } from '@parley/rules/text/plain-text'
import { audit } from '../access/audit.ts'
import { isAddressTrusted } from '../access/trusted-address.ts'
import { type Database, inTransaction, type Tx } from '../platform/database/database.ts'
import { isUuid } from '../platform/database/uuid.ts'
import { problem } from '../platform/http/problem.ts'
import type { Platform } from '../platform/platform.ts'
import { type AccountRow, lockAccount } from './account/account-store.ts'
import { viewAccountSummary } from './account-administration.ts'
import type { Dependencies } from './dependencies.ts'
import { emailLanguage, oauthDeclinedEmail, oauthRequestedEmail } from './email-links/account-emails.ts'
import { queueEmail } from './email-links/queue-email.ts'
import { findOauthRequests } from './oauth-access-request-store.ts'

/** Register the endpoints by which administrators answer requests for OAuth (Beta). */
export function registerOauthAccessRequests(dependencies: Dependencies): void {
  serveListOauthRequests(dependencies)
  serveDeclineOauthRequest(dependencies)
}

/** The oldest are listed first, so the others follow as these are answered. */
const maxListedRequests = 100

function serveListOauthRequests({ serve, config }: Dependencies) {
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

const maxReasonLength = 1_000

/** Decline a request for OAuth. Declining again returns 404, so the person is emailed once. */
function serveDeclineOauthRequest(service: Dependencies) {
  const { serve, clock, random, config } = service
  serve(declineOauthRequest, {
    read: ({ body }) => {
      const limits = { maxLength: maxReasonLength, lines: true }
      const reason = readOptional(body.reason, (text) => readPlainText('/reason', text, limits))
      return mapParsed(reason, (text) => text?.trim() ?? '')
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

const dayMs = 24 * 60 * 60 * 1000

/** The maximum of emailed requests of one organisation per day. The navigation counts all of them. */
const maxMailedRequestsPerDay = 10

/** The oldest administrator accounts of a large organisation. */
const maxMailedAdministrators = 10

/**
 * Email the administrators of an account's organisation that it requests OAuth, within a daily limit, because any user
 * can send requests. The caller holds the organisation's lock, so that requests are counted one after another. Return
 * whether the request was emailed. The email names the person without their reason, so that our emails carry no text
 * chosen by others.
 */
export async function notifyAdministrators(
  tx: Tx,
  service: Pick<Platform, 'encryption' | 'config'>,
  account: AccountRow,
  now: Date,
): Promise<boolean> {
  const { mailed } = await tx
    .selectFrom('oauthAccessRequest as request')
    .innerJoin('account', 'account.id', 'request.accountId')
    .where('account.tenantId', '=', account.tenantId)
    .where('request.notifiedAt', '>', new Date(now.getTime() - dayMs))
    .select((request) => request.fn.countAll<number>().as('mailed'))
    .executeTakeFirstOrThrow()
  if (mailed >= maxMailedRequestsPerDay) return false

  const administrators = await tx
    .selectFrom('account')
    .selectAll()
    .where('tenantId', '=', account.tenantId)
    .where('administrator', '=', true)
    .where('disabledAt', 'is', null)
    .where('id', '!=', account.id)
    .orderBy('id')
    .limit(maxMailedAdministrators)
    .execute()
  const { config } = service
  const requester = { name: `${account.name} ${account.lname}`.trim(), email: account.email }
  for (const { email, language } of administrators.filter((administrator) => isAddressTrusted(administrator, config))) {
    const mail = { baseUrl: config.baseUrl, to: email, language: emailLanguage(language) }
    await queueEmail(tx, service, oauthRequestedEmail({ ...mail, requester }))
  }
  return administrators.length > 0
}

/**
 * Whether a request is emailed: the first one, or one that follows a refusal at least a day after the last email.
 * Repeating a pending request sends no email.
 */
export const isRequestToMail = (
  previous: { notifiedAt: Date | null; declinedAt: Date | null } | undefined,
  now: Date,
): boolean => {
  const notifiedAt = previous?.notifiedAt ?? null
  if (notifiedAt === null) return true
  return previous?.declinedAt != null && now.getTime() - notifiedAt.getTime() >= dayMs
}
