import { addressKey } from '@parley/rules/text/email-address'
import type { Logger } from 'pino'
import type { WithDatabase } from '../../access/service.ts'
import { readDatabaseFailure } from '../../platform/database/database-failure.ts'
import { isUuid } from '../../platform/database/uuid.ts'
import { isGuestReplyAddressAmong } from '../guest-token.ts'
import { calendarUid } from '../message-ids.ts'
import type { MailOutcome } from './mail-outcomes.ts'
import { readCalendarReply } from './read-calendar-reply.ts'
import { readMail } from './read-mail.ts'
import { recordReplies } from './record-replies.ts'

export type InboundMail = {
  content: Buffer
  /** Of the envelope, where it is known; the header names them too. */
  recipients: readonly string[]
  /** Whether its envelope has no sender (RFC 5321, 4.5.5). */
  isBounce: boolean
}

type Dependencies = Pick<WithDatabase, 'database' | 'encryption' | 'config' | 'clock' | 'random'> & { log: Logger }

/**
 * Record the answer in a mail from a calendar program (RFC 6047). Any other mail is dropped, without a trace of its
 * content. An error of our own drops it too: tried again for days, it would come back to its sender. Throws only when
 * the database fails.
 */
export async function receiveMail(dependencies: Dependencies, mail: InboundMail): Promise<MailOutcome> {
  try {
    return await recordResponseIn(dependencies, mail)
  } catch (error) {
    if (readDatabaseFailure(error) !== undefined) throw error
    dependencies.log.error({ err: error }, 'a mail to REPLY_ADDRESS is dropped, because it could not be looked at')
    return 'failed'
  }
}

async function recordResponseIn(dependencies: Dependencies, mail: InboundMail): Promise<MailOutcome> {
  if (mail.isBounce) return 'automatic'
  const read = await readMail(mail.content)
  if (typeof read === 'string') return read
  const replies = await readCalendarReply(read.calendar, read.from)
  const [first] = replies ?? []
  if (replies === undefined || first === undefined) return 'no-answer'
  const { uid } = first
  if (replies.some((reply) => reply.uid !== uid)) return 'no-answer'
  const guest = { meetingId: uid.slice(0, Math.max(uid.indexOf('@'), 0)), addressKey: addressKey(read.from) }
  if (replies.some(({ attendee }) => addressKey(attendee) !== guest.addressKey)) return 'other-sender'
  // Before the database is asked: strangers cost nothing.
  const recipients = [...mail.recipients, ...read.recipients]
  if (!isGuestReplyAddressAmong(dependencies.encryption, recipients, guest)) return 'wrong-token'
  const isKnown = isUuid(guest.meetingId) && uid === calendarUid(guest.meetingId, dependencies.config.baseUrl)
  return isKnown ? recordReplies(dependencies, guest, replies) : 'unknown-meeting'
}
