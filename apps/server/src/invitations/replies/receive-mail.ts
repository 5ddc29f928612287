import type { InvitationResponse } from '@parley/contract'
import { findNamedStart, type RecurrenceId } from '@parley/rules/invitations/answerable-occurrence'
import type { Series } from '@parley/rules/recurrence/recurrence'
import { addressKey } from '@parley/rules/text/email-address'
import type { Logger } from 'pino'
import type { WithDatabase } from '../../access/service.ts'
import { findAnyMeeting } from '../../meetings/meeting-store.ts'
import { findAskedSequence } from '../../meetings/responses/occurrence-response-store.ts'
import { readDatabaseFailure } from '../../platform/database/database-failure.ts'
import { isUuid } from '../../platform/database/uuid.ts'
import type { Database } from '../../tables/tables.ts'
import { isGuestReplyAddressAmong } from '../guest-token.ts'
import { calendarUid } from '../message-ids.ts'
import { respondToOccurrence } from '../responses/respond-to-occurrence.ts'
import { findDateToRespondTo, recordResponse } from '../responses/response-store.ts'
import { type CalendarReply, readCalendarReply } from './read-calendar-reply.ts'
import { readMail } from './read-mail.ts'

/** What became of a mail: its answer was recorded, or why it was dropped. The values of a label of a metric. */
export const mailOutcomes = [
  'recorded',
  'too-large',
  'unreadable',
  'automatic',
  'looping',
  'other-mail', // without a calendar object, or from several people
  'no-answer', // a calendar object of another kind
  'other-sender', // not from the attendee who answers
  'wrong-token', // not sent to the address of this guest and meeting
  'unknown-meeting',
  'not-invited',
  'cancelled', // the meeting, or the date that is answered
  'over',
  'unknown-date', // a date that the series does not have
  'too-many', // of one guest's answers to single dates
  'outdated', // to a time that has changed, or overtaken by another answer
  'failed', // an error of ours, which is logged
] as const
export type MailOutcome = (typeof mailOutcomes)[number]

export type InboundMail = {
  content: Buffer
  /** Of the envelope, where it is known; the header names them too. */
  recipients: readonly string[]
  /** Whether its envelope has no sender (RFC 5321, 4.5.5). */
  isBounce: boolean
}

type Dependencies = Pick<WithDatabase, 'database' | 'encryption' | 'config' | 'clock'> & { log: Logger }

/**
 * Record the answer in a mail from a calendar program (RFC 6047). Any other mail is dropped, without a trace of its content.
 * An error of our own drops it too: tried again for days, it would come back to its sender. Throws only when the database
 * fails.
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
  const replies = await readCalendarReply(read.calendar)
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

async function recordReplies(
  { database, clock }: Dependencies,
  guest: { meetingId: string; addressKey: string },
  replies: readonly CalendarReply[],
): Promise<MailOutcome> {
  const now = clock.now()
  const meeting = await findAnyMeeting(database, guest.meetingId)
  if (meeting === undefined) return 'unknown-meeting'
  if (!meeting.people.some(({ addressKey }) => addressKey === guest.addressKey)) return 'not-invited'
  if (meeting.cancelledAt !== null) return 'cancelled'
  const { series, next } = await findDateToRespondTo(database, meeting, now)
  if (next === undefined) return 'over'
  const askedSequence = await findAskedSequenceOfMeeting(database, guest.meetingId)
  const outcomes: MailOutcome[] = []
  for (const { sequence, stamp, response, occurrence } of replies) {
    if (sequence < askedSequence) {
      outcomes.push('outdated')
      continue
    }
    // A clock that is ahead must not outdate the answers that follow.
    const answer = { ...guest, response, respondedAt: new Date(Math.min(stamp.getTime(), now.getTime())) }
    if (occurrence === null) outcomes.push((await recordResponse(database, answer)) ? 'recorded' : 'outdated')
    else outcomes.push(await recordForOccurrence(database, series, { ...answer, occurrence, sequence }, now))
  }
  return outcomes.find((outcome) => outcome === 'recorded') ?? outcomes[0] ?? 'no-answer'
}

type ReplyToOccurrence = {
  meetingId: string
  addressKey: string
  response: InvitationResponse
  respondedAt: Date
  occurrence: RecurrenceId
  sequence: number
}

async function recordForOccurrence(
  database: Database,
  series: Series,
  { occurrence, sequence, ...answer }: ReplyToOccurrence,
  now: Date,
): Promise<MailOutcome> {
  const originalStart = findNamedStart(series, occurrence)
  if (originalStart === undefined) return 'unknown-date'
  if (sequence < (await findAskedSequence(database, answer.meetingId, originalStart))) return 'outdated'
  const outcome = await respondToOccurrence(database, series, { ...answer, originalStart }, now)
  switch (outcome) {
    case 'no-such-occurrence':
      return 'unknown-date'
    case 'occurrence-cancelled':
      return 'cancelled'
    case 'occurrence-over':
      return 'over'
    default:
      return outcome
  }
}

async function findAskedSequenceOfMeeting(database: Database, meetingId: string): Promise<number> {
  const found = await database
    .selectFrom('meeting')
    .select('askedSequence')
    .where('id', '=', meetingId)
    .executeTakeFirst()
  return found?.askedSequence ?? 0
}
