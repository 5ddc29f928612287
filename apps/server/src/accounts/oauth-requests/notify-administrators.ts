import type { Service } from '../../access/service.ts'
import { isAddressTrusted } from '../../access/trusted-address.ts'
import type { Tx } from '../../tables/tables.ts'
import type { AccountRow } from '../account/account-store.ts'
import { emailLanguage, oauthRequestedEmail } from '../email-links/account-emails.ts'
import { queueEmail } from '../email-links/queue-email.ts'

const dayMs = 24 * 60 * 60 * 1000

/** Requests of one organisation that are mailed within a day. The navigation shows the number of all of them. */
const maxMailedRequestsPerDay = 10

/** Of a large organisation, the administrators who have been there longest. */
const maxMailedAdministrators = 10

/**
 * Mail the administrators of an account's organisation that it asks for OAuth, within a limit for each day: anybody who
 * can sign up can ask. The
 * caller holds the organisation's lock, so that requests are counted one after another. Answers whether the request was
 * mailed. The mail holds the name of the person, not their reason:
 * a mail of ours carries no text that a stranger chose.
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
  for (const { email, language } of administrators.filter((one) => isAddressTrusted(one, config))) {
    const mail = { baseUrl: config.baseUrl, to: email, language: emailLanguage(language) }
    await queueEmail(tx, service, oauthRequestedEmail({ ...mail, requester }))
  }
  return administrators.length > 0
}

/**
 * Whether a request that is sent now may be mailed: the first one, or, a day after that mail, one that follows a refusal.
 * Asking again while a request waits mails nobody.
 */
export const isRequestToMail = (
  previous: { notifiedAt: Date | null; declinedAt: Date | null } | undefined,
  now: Date,
): boolean => {
  const notifiedAt = previous?.notifiedAt ?? null
  if (notifiedAt === null) return true
  return previous?.declinedAt != null && now.getTime() - notifiedAt.getTime() >= dayMs
}
