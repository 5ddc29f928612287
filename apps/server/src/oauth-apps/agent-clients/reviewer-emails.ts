import { isolated } from '@parley/rules/text/isolated-text'
import { Type } from 'typebox'
import type { Caller } from '../../access/caller.ts'
import { clientHostOf } from '../../access/shown-app.ts'
import { emailLanguage } from '../../accounts/email-links/account-emails.ts'
import { queueEmail } from '../../accounts/email-links/queue-email.ts'
import type { Config } from '../../platform/config/config.ts'
import { type Database, inTransaction, type Tx } from '../../platform/database/database.ts'
import type { Encryption } from '../../platform/encryption.ts'
import { defineJob } from '../../platform/jobs/define-job.ts'
import { textsIn } from '../../platform/texts.ts'
import type { AppRow } from '../app-store.ts'
import { countMailedSubmissions, countWaitingClients, findReviewersToMail } from './agent-client-store.ts'

const dayMs = 24 * 60 * 60 * 1000

/**
 * Submissions of one person, or changes of one document, that are mailed one by one in a day. Any signed-in person can
 * cause them, and must not use up the emails about other clients.
 */
const maxMailedOfCause = 3
/** The same for all people and documents together. */
const maxMailedPerDay = 10
/** Further submissions are mailed together after this time. */
const gatheredAfterMs = 60 * 60 * 1000

/** Queued by a submission without an email of its own. Keyed, so that only one such job waits. */
export const mailWaitingClientsJob = defineJob('mail-waiting-clients', Type.Object({}))

/**
 * Email the reviewers about a client that no developer has registered, before its submission is recorded. Without a
 * reviewer, the administrators get the email, because they can appoint one. The email names the host of the document and
 * nothing that the client says about itself, so that our emails carry no text that strangers choose. Beyond the limits,
 * one email about all waiting clients follows later.
 */
export async function notifyReviewers(
  tx: Tx,
  dependencies: { config: Config; encryption: Encryption },
  app: AppRow,
  { caller, now }: { caller: Caller | undefined; now: Date },
): Promise<void> {
  const { ofCause, mailed } = await countMailedSubmissions(tx, {
    cause: caller?.accountId ?? app.id,
    maxMailedOfCause,
    since: new Date(now.getTime() - dayMs),
  })
  if (ofCause >= maxMailedOfCause || mailed >= maxMailedPerDay) {
    const { name } = mailWaitingClientsJob
    return mailWaitingClientsJob.queue(tx, {}, { key: name, delayMs: gatheredAfterMs, keepsRunAt: true })
  }
  const { config } = dependencies
  const { clientHost } = clientHostOf(app)
  // A revision that the configuration had approved is withdrawn while it waits for a review.
  const isChange = app.liveRevision !== null && !app.liveByConfiguration
  for (const { email, language: chosen } of await findReviewersToMail(tx, config)) {
    const language = emailLanguage(chosen)
    const t = textsIn(language, 'app-emails')
    const client = clientHost === undefined ? t('clientWaits.itself') : isolated(language, clientHost)
    const named = { client, service: isolated(language, config.baseUrl) }
    await queueEmail(tx, dependencies, {
      to: email,
      language,
      subject: t('clientWaits.subject', { client }),
      paragraphs: isChange
        ? [t('clientWaits.changed.lead', named), t('clientWaits.changed.next')]
        : [t('clientWaits.lead', named), t('clientWaits.next')],
      link: { label: t('clientWaits.open'), address: `${config.baseUrl}/reviews/${app.id}` },
    })
  }
}

/**
 * Email the reviewers the number of waiting clients, if any: one email for all clients without an email of their own.
 */
export async function mailWaitingClients({
  database,
  config,
  encryption,
}: {
  database: Database
  config: Config
  encryption: Encryption
}): Promise<void> {
  const waiting = await countWaitingClients(database)
  if (waiting === 0) return
  await inTransaction(database, async (tx) => {
    for (const { email, language: chosen } of await findReviewersToMail(tx, config)) {
      const language = emailLanguage(chosen)
      const t = textsIn(language, 'app-emails')
      await queueEmail(
        tx,
        { encryption },
        {
          to: email,
          language,
          subject: t('clientsWait.subject', { waiting }),
          paragraphs: [t('clientsWait.lead', { service: isolated(language, config.baseUrl) }), t('clientsWait.next')],
          link: { label: t('clientsWait.open'), address: `${config.baseUrl}/reviews` },
        },
      )
    }
  })
}
