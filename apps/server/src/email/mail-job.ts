import { createHash } from 'node:crypto'
import { Type } from 'typebox'
import type { Config } from '../platform/config/config.ts'
import type { Executor } from '../platform/database/database.ts'
import type { Encryption } from '../platform/encryption.ts'
import { defineJob } from '../platform/jobs/define-job.ts'
import type { ModuleJobs } from '../platform/jobs/module-jobs.ts'
import type { Mail, Mailer } from './mail.ts'

/** `sealed`: a `QueuedMail`, encrypted. */
export const sendMailJob = defineJob('send-mail', Type.Object({ sealed: Type.String() }))

/**
 * graphile-worker waits e^n seconds after the nth attempt, e^10 at most: the 14th is a day and four hours after the
 * first.
 */
const maxMailAttempts = 14

/** Mails contain links that give access to accounts, so the database stores them encrypted. */
const purpose = 'mail'

/** A mail without a Message-ID gets an id that is the same at every attempt. */
type QueuedMail = Omit<Mail, 'messageId'> & Partial<Pick<Mail, 'messageId'>>

/**
 * Queue a mail in the transaction of its change: the mail is sent after the commit, and not at all after a rollback.
 * Delivery is retried for a day, then the mail is dropped with a log line. A mail with a key waits for `delayMs`, and
 * replaces a waiting mail with the same key.
 */
export async function queueMail(
  executor: Executor,
  encryption: Encryption,
  mail: QueuedMail,
  gathered?: { key: string; delayMs: number },
): Promise<void> {
  const sealed = encryption.encrypt(JSON.stringify(mail), purpose).toString('base64')
  const options = { maxAttempts: maxMailAttempts, ...(gathered && { ...gathered, keepsRunAt: true }) }
  await sendMailJob.queue(executor, { sealed }, options)
}

/** Create the task that hands queued mails to the mailer. `baseUrl` gives the host of Message-IDs. */
export function createSendMailTask(options: { mailer: Mailer; encryption: Encryption; baseUrl: string }) {
  const { mailer, encryption, baseUrl } = options
  const { hostname } = new URL(baseUrl)
  return sendMailJob.handle(async ({ sealed }) => {
    const mail = JSON.parse(encryption.decrypt(Buffer.from(sealed, 'base64'), purpose)) as QueuedMail
    await mailer.deliver({ ...mail, messageId: mail.messageId ?? `<${fingerprint(sealed)}@${hostname}>` })
  })
}

/** Encryption uses a random nonce, so that mails with the same content differ. */
const fingerprint = (sealed: string) => createHash('sha256').update(sealed).digest('hex').slice(0, 32)

type Dependencies = { mailer: Mailer; encryption: Encryption; config: Config }

/** The background work of email: queued messages are handed to the mail server. */
export const createEmailJobs = ({ mailer, encryption, config }: Dependencies): ModuleJobs => ({
  mailTasks: createSendMailTask({ mailer, encryption, baseUrl: config.baseUrl }),
})
