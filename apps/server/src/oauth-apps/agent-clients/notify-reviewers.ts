import { isolated } from '@parley/rules/text/isolated-text'
import { sql } from 'kysely'
import { Type } from 'typebox'
import type { Caller } from '../../access/caller.ts'
import { clientHostOf } from '../../access/shown-app.ts'
import { isAddressTrusted } from '../../access/trusted-address.ts'
import { findServiceTenant } from '../../accounts/account/tenant-store.ts'
import { emailLanguage } from '../../accounts/email-links/account-emails.ts'
import { queueEmail } from '../../accounts/email-links/queue-email.ts'
import type { Config } from '../../platform/config/config.ts'
import { type Database, inTransaction, type Tx } from '../../platform/database/database.ts'
import type { Encryption } from '../../platform/encryption.ts'
import { defineJob } from '../../platform/jobs/define-job.ts'
import type { AppRow } from '../app-store.ts'
import { appEmailTexts } from '../email-texts/in-language.ts'

const dayMs = 24 * 60 * 60 * 1000

/**
 * Submissions of one person, or changes of one document, that have an email each in a day: any signed-in person can cause
 * them, and must not use up the emails about others.
 */
const maxMailedOfCause = 3
/** The same of all together. */
const maxMailedPerDay = 10
/** All further ones have an email together after this time, so that no submission remains without one. */
const gatheredAfterMs = 60 * 60 * 1000

/** Queued by a submission without an email of its own; keyed, so that it waits once. */
export const mailWaitingClientsJob = defineJob('mail-waiting-clients', Type.Object({}))

/** The oldest reviewer accounts of a large organisation. */
const maxMailedReviewers = 10

/**
 * Email the reviewers that a client waits which no developer has registered, before its submission is recorded. Where
 * there is no reviewer, the administrators get the email, who can appoint one. It names the host of the document and
 * nothing that the client says about itself, so that our emails carry no text chosen by others. Beyond the limits an email
 * about all that wait follows later.
 */
export async function notifyReviewers(
  tx: Tx,
  service: { config: Config; encryption: Encryption },
  app: AppRow,
  { caller, now }: { caller: Caller | undefined; now: Date },
): Promise<void> {
  const { ofCause, mailed } = await countSubmissions(tx, caller?.accountId ?? app.id, now)
  if (ofCause >= maxMailedOfCause || mailed >= maxMailedPerDay) {
    const { name } = mailWaitingClientsJob
    return mailWaitingClientsJob.queue(tx, {}, { key: name, delayMs: gatheredAfterMs, keepsRunAt: true })
  }
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

/** Email the reviewers how many clients wait, where at least one does: a single email for all that had none. */
export async function mailWaitingClients({
  database,
  config,
  encryption,
}: {
  database: Database
  config: Config
  encryption: Encryption
}): Promise<void> {
  const { waiting } = await database
    .selectFrom('app')
    .select(({ fn }) => fn.countAll<number>().as('waiting'))
    .where('registration', '!=', 'portal')
    .where('status', '=', 'under_review')
    .where('deletedAt', 'is', null)
    .executeTakeFirstOrThrow()
  if (waiting === 0) return
  await inTransaction(database, async (tx) => {
    for (const { email, language: chosen } of await findReviewers(tx, config)) {
      const language = emailLanguage(chosen)
      const { subject, lead, next, open } = appEmailTexts(language).clientsWait
      await queueEmail(
        tx,
        { encryption },
        {
          to: email,
          language,
          subject: subject(waiting),
          paragraphs: [lead(isolated(language, config.baseUrl)), next],
          link: { label: open, address: `${config.baseUrl}/reviews` },
        },
      )
    }
  })
}

/**
 * Count the submissions of the last day: those of a cause, an account or the app whose document has changed, and those
 * that were within the limit of their own cause.
 */
async function countSubmissions(tx: Tx, cause: string, now: Date) {
  const { rows } = await sql<{ ofCause: number; mailed: number }>`
    select count(*) filter (where cause = ${cause}) as of_cause,
      count(*) filter (where nth <= ${maxMailedOfCause}) as mailed
    from (
      select coalesce(r.decided_by, r.app_id) as cause,
        row_number() over (partition by coalesce(r.decided_by, r.app_id) order by r.created_at) as nth
      from app_review r join app on app.id = r.app_id
      where app.registration <> 'portal' and r.decision = 'submitted'
        and r.created_at > ${new Date(now.getTime() - dayMs)}
    ) as submission`.execute(tx)
  return rows[0] ?? { ofCause: 0, mailed: 0 }
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
