import { createHash } from 'node:crypto'
import { Type } from 'typebox'
import type { Executor } from '../platform/database/database.ts'
import type { Encryption } from '../platform/encryption.ts'
import { defineJob } from '../platform/jobs/define-job.ts'
import type { Mail, Mailer } from './mail.ts'

/** `sealed`: a `QueuedMail`, encrypted. */
export const sendMailJob = defineJob('send-mail', Type.Object({ sealed: Type.String() }))

/** graphile-worker waits e^n seconds after the nth try, e^10 at most: the 14th comes a day and four hours after the first. */
const maxMailAttempts = 14

/** Links that open accounts stand in mails, so the database holds them encrypted only. */
const purpose = 'mail'

/** A mail without a message id gets one that is the same at every try. */
export type QueuedMail = Omit<Mail, 'messageId'> & Partial<Pick<Mail, 'messageId'>>

/**
 * Queues a mail in the transaction of the change that it tells of: it goes out after the commit, and not at all after a
 * rollback. It is tried for a day; then it is given up with a line in the log. With a key it waits for `delayMs`, and takes
 * the place of one that waits under the same key.
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

/** Hands queued mails to the mailer. `baseUrl` names the host of message ids. */
export function createSendMailTask(options: { mailer: Mailer; encryption: Encryption; baseUrl: string }) {
  const { mailer, encryption, baseUrl } = options
  const { hostname } = new URL(baseUrl)
  return sendMailJob.handle(async ({ sealed }) => {
    const mail = JSON.parse(encryption.decrypt(Buffer.from(sealed, 'base64'), purpose)) as QueuedMail
    await mailer.deliver({ ...mail, messageId: mail.messageId ?? `<${fingerprint(sealed)}@${hostname}>` })
  })
}

/** Sealing draws a nonce, so that two mails of the same words differ. */
const fingerprint = (sealed: string) => createHash('sha256').update(sealed).digest('hex').slice(0, 32)
