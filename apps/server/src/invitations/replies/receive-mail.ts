import { isAuthenticated } from '@parley/rules/invitations/authentication-results'
import { addressKey } from '@parley/rules/text/email-address'
import type { Logger } from 'pino'
import { findReplyGeneration } from '../../access/credentials/reply-addresses.ts'
import type { WithDatabase } from '../../access/service.ts'
import { readDatabaseFailure } from '../../platform/database/database-failure.ts'
import { isUuid } from '../../platform/database/uuid.ts'
import { KeyedBuckets } from '../../platform/token-bucket.ts'
import { findReplyTokens, isReplyTokenAmong } from '../guest-token.ts'
import { calendarUid } from '../message-ids.ts'
import type { MailOutcome } from './mail-outcomes.ts'
import { createMailReader, type MailReader, MailReaderBusy } from './mail-reader.ts'
import { recordReplies } from './record-replies.ts'

export type InboundMail = {
  content: Buffer
  /** Of the envelope, where it is known; the header names them too. */
  recipients: readonly string[]
  /** Whether its envelope has no sender (RFC 5321, 4.5.5). */
  isBounce: boolean
}

/** The answers of large organisations have logos and the whole invitation in them. Announced as SIZE (RFC 1870). */
export const maxMailBytes = 512 * 1024

/** A mail server puts the address that it delivers to first; of what follows, nothing is looked for. */
const maxHeaderBytes = 64 * 1024

/** Mails to one reply address. A calendar program answers the dates of a series one by one: 200 at once, 60 an hour. */
const mailsOfGuest = { perSecond: 60 / 3600, burst: 200 }
const maxGuestsCounted = 10_000

type Dependencies = Pick<WithDatabase, 'database' | 'encryption' | 'config' | 'clock' | 'random'> & { log: Logger }

/**
 * Take mails to REPLY_ADDRESS. `receive` records the answer in a mail from a calendar program (RFC 6047); any other mail
 * is dropped, without a trace of its content. An error of our own drops it too: tried again for days, it would come back
 * to its sender. It throws only when the database fails, or MailReaderBusy while too many mails wait.
 */
export function createMailReceiver(dependencies: Dependencies, options: Parameters<typeof createMailReader>[0] = {}) {
  const reader = createMailReader(options)
  const buckets = new KeyedBuckets(mailsOfGuest, maxGuestsCounted)
  return {
    async receive(mail: InboundMail): Promise<MailOutcome> {
      try {
        return await recordReplyIn({ ...dependencies, reader, buckets }, mail)
      } catch (error) {
        if (error instanceof MailReaderBusy || readDatabaseFailure(error) !== undefined) throw error
        dependencies.log.error({ err: error }, 'a mail to REPLY_ADDRESS is dropped, because it could not be read')
        return 'failed'
      }
    },
    stop: reader.stop,
  }
}

/**
 * A mail without a token of this service is dropped before anything of it is parsed: mail of strangers costs a search
 * in its header. All else is read in a thread, and compared before the database is asked.
 */
async function recordReplyIn(
  dependencies: Dependencies & { reader: MailReader; buckets: KeyedBuckets },
  { content, recipients, isBounce }: InboundMail,
): Promise<MailOutcome> {
  const { encryption, config, clock, database, reader, buckets } = dependencies
  if (isBounce) return 'automatic'
  if (content.length > maxMailBytes) return 'too-large'
  const tokens = [recipients.join(' '), headerOf(content)].flatMap((text) => findReplyTokens(encryption, text))
  const [token] = tokens
  if (token === undefined) return 'wrong-token'
  const key = token.toString('base64')
  if (!buckets.take(key, clock.now().getTime())) return 'too-many'

  const read = await reader.read(content)
  // It may have taken all the time that a mail may; calendar programs do not send such mails.
  if (read === 'unreadable') buckets.drain(key, clock.now().getTime())
  if (typeof read === 'string') return read
  const { uid } = read.replies[0]
  if (read.replies.some((reply) => reply.uid !== uid)) return 'no-answer'
  const guest = { meetingId: uid.slice(0, Math.max(uid.indexOf('@'), 0)), addressKey: addressKey(read.from) }
  if (read.replies.some(({ attendee }) => addressKey(attendee) !== guest.addressKey)) return 'other-sender'
  const { mailAuthservId: server } = config
  const evidence = { server: server ?? '', sender: read.from, headers: read.authenticationResults }
  if (server !== undefined && !isAuthenticated(evidence)) return 'unauthenticated'
  if (!isUuid(guest.meetingId)) return 'wrong-token'
  const replyGeneration = await findReplyGeneration(database, guest)
  if (!isReplyTokenAmong(encryption, tokens, { ...guest, replyGeneration })) return 'wrong-token'
  if (uid !== calendarUid(guest.meetingId, config.baseUrl)) return 'unknown-meeting'
  return recordReplies(dependencies, guest, read.replies)
}

/** The header of a mail up to its first empty line, or its limit. */
function headerOf(content: Buffer): string {
  const head = content.subarray(0, maxHeaderBytes).toString('latin1')
  const end = /\r?\n\r?\n/.exec(head)?.index
  return head.slice(0, end)
}
