import { addressKey } from '@parley/rules/text/email-address'
import { type Language, languages } from '@parley/rules/text/language'
import { Type } from 'typebox'
import { inTransaction } from '../../platform/database/database.ts'
import { defineJob } from '../../platform/jobs/define-job.ts'
import type { Database, Tx } from '../../tables/tables.ts'
import { findAccountByAddress } from '../account/account-store.ts'
import type { AccountsService } from '../accounts-service.ts'
import { findPendingPerson, keepPendingSignUp } from '../sign-in/pending-sign-up.ts'
import { confirmAddressEmail, emailLanguage, resetPasswordEmail } from './account-emails.ts'
import { keepMailedLink, type LinkPurpose, linkPurposes } from './mailed-link-store.ts'
import { queueEmail } from './queue-email.ts'

type LinkRequest = { email: string; link: LinkPurpose; acceptLanguage: string }

/** `language` is that of the request, for a profile that names none; absent in jobs of an earlier release. */
export const linkMailJob = defineJob(
  'mail-account-link',
  Type.Object({
    email: Type.String(),
    link: Type.Enum(linkPurposes),
    language: Type.Optional(Type.Enum(languages)),
  }),
)

type Asked = { key: string; language: Language | undefined; now: Date }
type Dependencies = Pick<AccountsService, 'random' | 'config' | 'encryption'>

/** Asks for a link by mail. All who ask wait for the same one insert, whether the address has an account or not. */
export async function requestLinkMail(database: Database, { email, link, acceptLanguage }: LinkRequest) {
  await linkMailJob.queue(database, { email, link, language: emailLanguage('', acceptLanguage) })
}

/** Looks the address up and mails the link if there is something to open with it; run twice, it mails two good links. */
export function createLinkMailTask(service: Pick<AccountsService, 'database' | 'clock'> & Dependencies) {
  return linkMailJob.handle(async ({ email, link, language }) => {
    const asked = { key: addressKey(email), language, now: service.clock.now() }
    await inTransaction(service.database, (tx) =>
      link === 'reset-password' ? mailReset(tx, service, asked) : mailConfirmation(tx, service, asked),
    )
  })
}

/** A disabled account stays closed. */
async function mailReset(tx: Tx, service: Dependencies, { key, language: asked, now }: Asked) {
  const account = await findAccountByAddress(tx, key)
  if (account === undefined || account.disabledAt !== null) return
  const token = await keepMailedLink(tx, service.random, { accountId: account.id, purpose: 'reset-password', now })
  const language = emailLanguage(account.language, asked)
  const { baseUrl } = service.config
  await queueEmail(tx, service, resetPasswordEmail({ baseUrl, to: account.email, language, token }))
}

/**
 * For an account that is not confirmed, or a sign-up that waits. The sign-up waits for another day in any case: one that
 * ended earlier beside an account would tell, by its password, that there is one.
 */
async function mailConfirmation(tx: Tx, service: Dependencies, { key, language: asked, now }: Asked) {
  const { baseUrl } = service.config
  const pending = await findPendingPerson(tx, key, now)
  const pendingToken = pending && (await keepPendingSignUp(tx, service, pending, now))
  const account = await findAccountByAddress(tx, key)
  if (account !== undefined) {
    if (account.disabledAt !== null || account.emailVerifiedAt !== null) return
    const token = await keepMailedLink(tx, service.random, { accountId: account.id, purpose: 'verify-email', now })
    const language = emailLanguage(account.language, asked)
    return queueEmail(tx, service, confirmAddressEmail({ baseUrl, to: account.email, language, token }))
  }
  if (pending === undefined || pendingToken === undefined) return
  const language = emailLanguage(pending.language, asked)
  await queueEmail(tx, service, confirmAddressEmail({ baseUrl, to: pending.email, language, token: pendingToken }))
}
