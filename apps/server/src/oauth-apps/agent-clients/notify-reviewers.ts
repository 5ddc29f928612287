import { isolated } from '@parley/rules/text/isolated-text'
import { sql } from 'kysely'
import type { Caller } from '../../access/caller.ts'
import { clientHostOf } from '../../access/shown-app.ts'
import { isAddressTrusted } from '../../access/trusted-address.ts'
import { findServiceTenant } from '../../accounts/account/tenant-store.ts'
import { emailLanguage } from '../../accounts/email-links/account-emails.ts'
import { queueEmail } from '../../accounts/email-links/queue-email.ts'
import type { Config } from '../../platform/config/config.ts'
import type { Encryption } from '../../platform/encryption.ts'
import type { Tx } from '../../tables/tables.ts'
import type { AppRow } from '../app-store.ts'
import { appEmailTexts } from '../email-texts/in-language.ts'

const dayMs = 24 * 60 * 60 * 1000

/**
 * Emails a day about the submissions of one person, or the changes of one document: any signed-in person can cause them,
 * and must not use up the emails about others.
 */
const maxMailedOfCause = 3
/**
 * Emails a day about all submissions, after which reviewers have one an hour: the page of reviews, to which it leads,
 * lists all.
 */
const maxMailedPerDay = 10
const hourMs = 60 * 60 * 1000

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
  { caller, now }: { caller: Caller | undefined; now: Date },
): Promise<void> {
  const { ofCause, mailed, mailedLately } = await countSubmissions(tx, caller?.accountId ?? app.id, now)
  if (ofCause >= maxMailedOfCause || (mailed >= maxMailedPerDay && mailedLately > 0)) return
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

/**
 * Count the submissions of the last day: those of a cause, an account or the app whose document has changed, and those
 * that were within the limit of their own cause, in all and in the last hour.
 */
async function countSubmissions(tx: Tx, cause: string, now: Date) {
  const lately = new Date(now.getTime() - hourMs)
  const { rows } = await sql<{ ofCause: number; mailed: number; mailedLately: number }>`
    select count(*) filter (where cause = ${cause}) as "ofCause",
      count(*) filter (where nth <= ${maxMailedOfCause}) as mailed,
      count(*) filter (where nth <= ${maxMailedOfCause} and created_at > ${lately}) as "mailedLately"
    from (
      select coalesce(r.decided_by, r.app_id) as cause, r.created_at,
        row_number() over (partition by coalesce(r.decided_by, r.app_id) order by r.created_at) as nth
      from app_review r join app on app.id = r.app_id
      where app.registration <> 'portal' and r.decision = 'submitted'
        and r.created_at > ${new Date(now.getTime() - dayMs)}
    ) as submission`.execute(tx)
  return rows[0] ?? { ofCause: 0, mailed: 0, mailedLately: 0 }
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
