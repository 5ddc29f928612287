import type { Service } from '../../access/service.ts'
import { isAddressTrusted } from '../../access/trusted-address.ts'
import type { Tx } from '../../platform/database/database.ts'
import type { AccountRow } from '../account/account-store.ts'
import { emailLanguage, oauthRequestedEmail } from '../email-links/account-emails.ts'
import { queueEmail } from '../email-links/queue-email.ts'

const dayMs = 24 * 60 * 60 * 1000

/** The maximum of emailed requests of one organisation per day. The navigation counts all of them. */
const maxMailedRequestsPerDay = 10

/** The oldest administrator accounts of a large organisation. */
const maxMailedAdministrators = 10

/**
 * Email the administrators of an account's organisation that it requests OAuth, within a daily limit, because any user
 * can send requests. The caller holds the organisation's lock, so that requests are counted one after another. Returns
 * whether the request was emailed. The email names the person without their reason, so that our emails carry no text
 * chosen by others.
 */
export async function notifyAdministrators(
  tx: Tx,
  service: Pick<Service, 'encryption' | 'config'>,
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
