import { isolated } from '@parley/rules/text/isolated-text'
import { isAddressTrusted } from '../../access/trusted-address.ts'
import { findServiceTenant } from '../../accounts/account/tenant-store.ts'
import { emailLanguage } from '../../accounts/email-links/account-emails.ts'
import { queueEmail } from '../../accounts/email-links/queue-email.ts'
import type { Config } from '../../platform/config/config.ts'
import type { Encryption } from '../../platform/encryption.ts'
import type { Tx } from '../../tables/tables.ts'
import type { AppRow } from '../app-store.ts'
import { clientHostOf } from '../client-host.ts'
import { appEmailTexts } from '../email-texts/in-language.ts'

const dayMs = 24 * 60 * 60 * 1000

/** The maximum of emailed submissions per day, because any signed-in person can cause them. The reviews list all. */
const maxMailedPerDay = 10

/** The oldest reviewer accounts of a large organisation. */
const maxMailedReviewers = 10

/**
 * Email the reviewers that a client waits which no developer has registered, before its submission is recorded. Where
 * there is no reviewer, the administrators get the email, who can appoint one. It names the host of the document and
 * nothing that the client says about itself, so that our emails carry no text chosen by others.
 */
export async function notifyReviewers(
  tx: Tx,
  service: { config: Config; encryption: Encryption },
  app: AppRow,
  now: Date,
): Promise<void> {
  if ((await countSubmissions(tx, new Date(now.getTime() - dayMs))) >= maxMailedPerDay) return
  const { config } = service
  const { clientHost } = clientHostOf(app)
  // What the configuration approved is withdrawn when it waits for a review.
  const isChange = app.liveRevision !== null && !app.liveByConfiguration
  for (const { email, language: chosen } of await findReviewers(tx, config)) {
    const language = emailLanguage(chosen)
    const { clientWaits } = appEmailTexts(language)
    const { subject, open, itself } = clientWaits
    const { lead, next } = isChange ? clientWaits.changed : clientWaits
    const client = clientHost === undefined ? itself : isolated(language, clientHost)
    await queueEmail(tx, service, {
      to: email,
      language,
      subject: subject(client),
      paragraphs: [lead(client, isolated(language, config.baseUrl)), next],
      link: { label: open, address: `${config.baseUrl}/reviews/${app.id}` },
    })
  }
}

async function countSubmissions(tx: Tx, since: Date): Promise<number> {
  const { count } = await tx
    .selectFrom('appReview')
    .innerJoin('app', 'app.id', 'appReview.appId')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('app.registration', '!=', 'portal')
    .where('appReview.decision', '=', 'submitted')
    .where('appReview.createdAt', '>', since)
    .executeTakeFirstOrThrow()
  return count
}

async function findReviewers(tx: Tx, config: Config) {
  const tenantId = await findServiceTenant(tx)
  if (tenantId === undefined) return []
  for (const role of ['reviewer', 'administrator'] as const) {
    const accounts = await tx
      .selectFrom('account')
      .select(['email', 'language', 'emailVerifiedAt'])
      .where('tenantId', '=', tenantId)
      .where(role, '=', true)
      .where('disabledAt', 'is', null)
      .orderBy('id')
      .limit(maxMailedReviewers)
      .execute()
    const trusted = accounts.filter((account) => isAddressTrusted(account, config))
    if (trusted.length > 0) return trusted
  }
  return []
}
