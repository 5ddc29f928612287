import type { InvitationResponse } from '@parley/contract'
import { findAnswerable, findNamedStart } from '@parley/rules/invitations/answerable-occurrence'
import { isAuthenticated } from '@parley/rules/invitations/authentication-results'
import { readProposedTimes, type WrittenProposal } from '@parley/rules/invitations/time-proposal'
import { firstOccurrence, type Occurrence, type Series } from '@parley/rules/recurrence/recurrence'
import { addressKey } from '@parley/rules/text/email-address'
import { findReplyGeneration } from '../../access/credentials/reply-addresses.ts'
import { findAnyMeeting } from '../../meetings/meeting-store.ts'
import { findAskedSequence } from '../../meetings/occurrence-response-store.ts'
import type { Database } from '../../platform/database/database.ts'
import { readDatabaseFailure } from '../../platform/database/database-failure.ts'
import { isUuid } from '../../platform/database/uuid.ts'
import { KeyedBuckets } from '../../platform/token-bucket.ts'
import { calendarUid } from '../calendar-meeting-input.ts'
import type { Dependencies } from '../dependencies.ts'
import { findReplyTokens, isReplyTokenAmong } from '../guest-links.ts'
import { findDateToRespondTo, recordResponse, respondToOccurrence, wholeSecond } from '../response-store.ts'
import { recordProposal } from '../time-proposal-store.ts'
import { createMailReader, type MailReader, MailReaderBusy } from './mail-reader.ts'
import type { CalendarReply } from './read-mail.ts'

/**
 * What became of a mail: its answer or proposal was recorded, or why it was dropped. The values of a label of a metric.
 */
export const mailOutcomes = [
  'recorded',
  'proposed', // another time
  'too-large',
  'unreadable',
  'automatic',
  'looping',
  'other-mail', // without a calendar object, or from several people
  'no-answer', // a calendar object of another kind
  'other-sender', // not from the attendee who answers
  'wrong-token', // not sent to the address of this guest and meeting
  'unauthenticated', // by the mail server that MAIL_AUTHSERV_ID names
  'unknown-meeting',
  'not-invited',
  'cancelled', // the meeting, or the date that is answered
  'over',
  'unknown-date', // a date that the series does not have
  'too-many', // mails to one address an hour; answers of one guest to single dates, or proposals
  'outdated', // to a time that has changed, or overtaken by another answer
  'failed', // an error of ours, which is logged
] as const
export type MailOutcome = (typeof mailOutcomes)[number]

export type InboundMail = {
  content: Buffer
  /** The recipients of the envelope, where it is known; the header names recipients too. */
  recipients: readonly string[]
  /** Whether its envelope has no sender (RFC 5321, 4.5.5). */
  isBounce: boolean
}

/** Answers from large organisations contain logos and the whole invitation. Announced as SIZE (RFC 1870). */
export const maxMailBytes = 512 * 1024

/** Only the first part of a mail's header is searched: a mail server puts the address to which it delivers first. */
const maxSearchedHeaderBytes = 64 * 1024

/** Mails to one reply address. A calendar program answers the dates of a series one by one: 200 at once, 60 an hour. */
const mailsOfGuest = { perSecond: 60 / 3600, burst: 200 }
const maxGuestsCounted = 10_000

type ReplyDependencies = Pick<Dependencies, 'database' | 'encryption' | 'config' | 'clock' | 'random' | 'log'>

/**
 * Create the receiver of mails to REPLY_ADDRESS. `receive` records the answer in a mail from a calendar program
 * (RFC 6047), drops any other mail, and logs nothing of its content. A mail that causes an error of ours is dropped too:
 * the mail server would try again for days and then return the mail to its sender. `receive` throws only when the
 * database fails, or MailReaderBusy while too many mails wait.
 */
export function createMailReceiver(
  dependencies: ReplyDependencies,
  options: Parameters<typeof createMailReader>[0] = {},
) {
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
 * Record the answers in a mail. A mail without a token of this service is dropped before it is parsed, so that mail from
 * strangers costs no more than a search in its header. Any other mail is parsed in a thread, and its sender, attendee and
 * token are checked before the meeting is read.
 */
async function recordReplyIn(
  dependencies: ReplyDependencies & { reader: MailReader; buckets: KeyedBuckets },
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
  // Reading may have used all the time that a mail is allowed; calendar programs do not send such mails.
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
  const head = content.subarray(0, maxSearchedHeaderBytes).toString('latin1')
  const end = /\r?\n\r?\n/.exec(head)?.index
  return head.slice(0, end)
}

/** Record the answers of one guest about one meeting, in the order of the mail. */
async function recordReplies(
  { database, clock, random }: ReplyDependencies,
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
  for (const reply of replies) {
    const answered = await findAnsweredDate(database, series, guest.meetingId, reply, now)
    if (typeof answered === 'string') outcomes.push(answered)
    else if (reply.sequence < Math.max(askedSequence, answered.askedSequence)) outcomes.push('outdated')
    else {
      // A clock that is ahead must not outdate the answers that follow.
      const givenAt = wholeSecond(new Date(Math.min(reply.stamp.getTime(), now.getTime())))
      const guestReply = { ...guest, ...answered, series, reply, givenAt, id: random.uuid(now) }
      outcomes.push(...(await recordReply(database, guestReply, now)))
    }
  }
  const best = (['proposed', 'recorded'] as const).find((outcome) => outcomes.includes(outcome))
  return best ?? outcomes[0] ?? 'no-answer'
}

/** What a reply answers: the meeting, or one of its dates. */
type AnsweredDate = {
  /** The original start of the occurrence that is answered; null: the meeting. */
  originalStart: Date | null
  planned: Pick<Occurrence, 'startsAt' | 'endsAt'>
  askedSequence: number
}

/** Find the meeting or the date that a reply answers, or why it cannot be answered. */
async function findAnsweredDate(
  database: Database,
  series: Series,
  meetingId: string,
  { occurrence }: CalendarReply,
  now: Date,
): Promise<AnsweredDate | MailOutcome> {
  if (occurrence === null) {
    const planned = firstOccurrence(series)
    return planned === undefined ? 'over' : { originalStart: null, planned, askedSequence: 0 }
  }
  const originalStart = findNamedStart(series, occurrence)
  if (originalStart === undefined) return 'unknown-date'
  const found = findAnswerable(series, originalStart, now)
  switch (found.kind) {
    case 'no-such-occurrence':
      return 'unknown-date'
    case 'occurrence-cancelled':
      return 'cancelled'
    case 'occurrence-over':
      return 'over'
    case 'answerable': {
      const askedSequence = await findAskedSequence(database, meetingId, originalStart)
      return { originalStart, planned: found.occurrence, askedSequence }
    }
  }
}

/** A reply of a guest, with what it answers. */
type GuestReply = AnsweredDate & {
  /** The id of the proposal, if there is one. */
  id: string
  meetingId: string
  addressKey: string
  series: Series
  reply: CalendarReply
  givenAt: Date
}

async function recordReply(database: Database, guestReply: GuestReply, now: Date): Promise<MailOutcome[]> {
  const { response, proposal, comment } = guestReply.reply
  const outcomes: MailOutcome[] = []
  if (proposal !== null) outcomes.push(await recordProposedTimes(database, guestReply, proposal, now))
  // The comment of a counterproposal is shown with the proposal.
  const recorded = response && { response, comment: proposal === null ? comment : null }
  if (recorded) outcomes.push(await recordAnswer(database, guestReply, recorded, now))
  return outcomes
}

async function recordProposedTimes(
  database: Database,
  { id, meetingId, addressKey, originalStart, series, planned, reply, givenAt }: GuestReply,
  proposal: WrittenProposal,
  now: Date,
): Promise<MailOutcome> {
  const times = readProposedTimes(proposal, { series, planned }, now)
  if (times === undefined) return 'no-answer'
  const { comment } = reply
  const proposed = { meetingId, addressKey, originalStart, ...times, comment, proposedAt: givenAt, recordedAt: now }
  const outcome = await recordProposal(database, id, proposed)
  return outcome === 'recorded' ? 'proposed' : outcome
}

async function recordAnswer(
  database: Database,
  { meetingId, addressKey, originalStart, series, givenAt }: GuestReply,
  answer: { response: InvitationResponse; comment: string | null },
  now: Date,
): Promise<MailOutcome> {
  const recorded = { meetingId, addressKey, ...answer, respondedAt: givenAt, actingGrantId: null }
  if (originalStart === null)
    return (await recordResponse(database, { ...recorded, recordedAt: now })) ? 'recorded' : 'outdated'
  const outcome = await respondToOccurrence(database, series, { ...recorded, originalStart }, now)
  return outcome === 'recorded' || outcome === 'too-many' ? outcome : 'outdated'
}

async function findAskedSequenceOfMeeting(database: Database, meetingId: string): Promise<number> {
  const found = await database
    .selectFrom('meeting')
    .select('askedSequence')
    .where('id', '=', meetingId)
    .executeTakeFirst()
  return found?.askedSequence ?? 0
}
