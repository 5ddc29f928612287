import { addressKey } from '@parley/rules/text/email-address'
import { type Language, languageCodes } from '@parley/texts/languages'
import { Type } from 'typebox'
import { type Database, inTransaction, type Tx } from '../../platform/database/database.ts'
import { defineJob } from '../../platform/jobs/define-job.ts'
import type { Platform } from '../../platform/platform.ts'
import { findAccountByAddress } from '../account/account-store.ts'
import { findPendingPerson, insertPendingSignUp } from '../sign-up.ts'
import { confirmAddressEmail, emailLanguage, resetPasswordEmail } from './account-emails.ts'
import { insertMailedLink, type LinkPurpose, linkPurposes } from './mailed-link-store.ts'
import { queueEmail } from './queue-email.ts'

type LinkRequest = { email: string; link: LinkPurpose; acceptLanguage: string }

/** `language` is the request's, for profiles without one. */
export const linkMailJob = defineJob(
  'mail-account-link',
  Type.Object({
    email: Type.String(),
    link: Type.Enum(linkPurposes),
    language: Type.Enum(languageCodes),
  }),
)

type LinkRecipient = { key: string; language: Language; now: Date }
type MailDependencies = Pick<Platform, 'random' | 'config' | 'encryption'>

/** Queue an emailed link. The same one insert runs whether or not the address has an account. */
export async function queueLinkEmail(database: Database, { email, link, acceptLanguage }: LinkRequest) {
  await linkMailJob.queue(database, { email, link, language: emailLanguage('', acceptLanguage) })
}

/** Email the link if the address has an account or a pending sign-up; a job that runs twice sends two valid links. */
export function createLinkMailTask(service: Pick<Platform, 'database' | 'clock'> & MailDependencies) {
  return linkMailJob.handle(async ({ email, link, language }) => {
    const requestLanguage = { key: addressKey(email), language, now: service.clock.now() }
    await inTransaction(service.database, (tx) =>
      link === 'reset-password'
        ? emailResetLink(tx, service, requestLanguage)
        : emailConfirmationLink(tx, service, requestLanguage),
    )
  })
}

/** Email a link to reset the password; disabled accounts get none. */
async function emailResetLink(
  tx: Tx,
  service: MailDependencies,
  { key, language: requestLanguage, now }: LinkRecipient,
) {
  const account = await findAccountByAddress(tx, key)
  if (account === undefined || account.disabledAt !== null) return
  const token = await insertMailedLink(tx, service.random, { accountId: account.id, purpose: 'reset-password', now })
  const language = emailLanguage(account.language, requestLanguage)
  const { baseUrl } = service.config
  await queueEmail(tx, service, resetPasswordEmail({ baseUrl, to: account.email, language, token }))
}

/**
 * Email a link to verify the address, for an unverified account or a pending sign-up. The pending sign-up is always
 * extended by a day: if it expired earlier beside an account, its password would reveal the account.
 */
async function emailConfirmationLink(
  tx: Tx,
  service: MailDependencies,
  { key, language: requestLanguage, now }: LinkRecipient,
) {
  const { baseUrl } = service.config
  const pending = await findPendingPerson(tx, key, now)
  const pendingToken = pending && (await insertPendingSignUp(tx, service, pending, now))
  const account = await findAccountByAddress(tx, key)
  if (account !== undefined) {
    if (account.disabledAt !== null || account.emailVerifiedAt !== null) return
    const token = await insertMailedLink(tx, service.random, { accountId: account.id, purpose: 'verify-email', now })
    const language = emailLanguage(account.language, requestLanguage)
    return queueEmail(tx, service, confirmAddressEmail({ baseUrl, to: account.email, language, token }))
  }
  if (pending === undefined || pendingToken === undefined) return
  const language = emailLanguage(pending.language, requestLanguage)
  await queueEmail(tx, service, confirmAddressEmail({ baseUrl, to: pending.email, language, token: pendingToken }))
}
