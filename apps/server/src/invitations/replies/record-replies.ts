import type { InvitationResponse } from '@parley/contract'
import { findAnswerable, findNamedStart } from '@parley/rules/invitations/answerable-occurrence'
import { readProposedTimes, type WrittenProposal } from '@parley/rules/invitations/time-proposal'
import { firstOccurrence, type Occurrence, type Series } from '@parley/rules/recurrence/recurrence'
import type { WithDatabase } from '../../access/service.ts'
import { findAnyMeeting } from '../../meetings/meeting-store.ts'
import { findAskedSequence } from '../../meetings/occurrence-response-store.ts'
import type { Database } from '../../platform/database/database.ts'
import { recordProposal } from '../proposals/time-proposal-store.ts'
import { respondToOccurrence } from '../responses/respond-to-occurrence.ts'
import { findDateToRespondTo, recordResponse, wholeSecond } from '../responses/response-store.ts'
import type { MailOutcome } from './mail-outcomes.ts'
import type { CalendarReply } from './read-calendar-reply.ts'

type Dependencies = Pick<WithDatabase, 'database' | 'clock' | 'random'>

/** Record the answers of one guest about one meeting, in the order in which the mail has them. */
export async function recordReplies(
  { database, clock, random }: Dependencies,
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
    const named = await findNamed(database, series, guest.meetingId, reply, now)
    if (typeof named === 'string') outcomes.push(named)
    else if (reply.sequence < Math.max(askedSequence, named.askedSequence)) outcomes.push('outdated')
    else {
      // A clock that is ahead must not outdate the answers that follow.
      const givenAt = wholeSecond(new Date(Math.min(reply.stamp.getTime(), now.getTime())))
      const given = { ...guest, ...named, series, reply, givenAt, id: random.uuid(now) }
      outcomes.push(...(await recordOne(database, given, now)))
    }
  }
  const best = (['proposed', 'recorded'] as const).find((outcome) => outcomes.includes(outcome))
  return best ?? outcomes[0] ?? 'no-answer'
}

type Named = {
  /** Of the occurrence that is answered; null: the meeting. */
  originalStart: Date | null
  planned: Pick<Occurrence, 'startsAt' | 'endsAt'>
  askedSequence: number
}

/** Find what a reply is about, or why it cannot be answered. */
async function findNamed(
  database: Database,
  series: Series,
  meetingId: string,
  { occurrence }: CalendarReply,
  now: Date,
): Promise<Named | MailOutcome> {
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

type Given = Named & {
  /** Of the proposal, if there is one. */
  id: string
  meetingId: string
  addressKey: string
  series: Series
  reply: CalendarReply
  givenAt: Date
}

async function recordOne(database: Database, given: Given, now: Date): Promise<MailOutcome[]> {
  const { response, proposal, comment } = given.reply
  const outcomes: MailOutcome[] = []
  if (proposal !== null) outcomes.push(await recordProposed(database, given, proposal, now))
  // The comment of a counterproposal is shown with the proposal.
  const recorded = response && { response, comment: proposal === null ? comment : null }
  if (recorded) outcomes.push(await recordAnswer(database, given, recorded, now))
  return outcomes
}

async function recordProposed(
  database: Database,
  { id, meetingId, addressKey, originalStart, series, planned, reply, givenAt }: Given,
  proposal: WrittenProposal,
  now: Date,
): Promise<MailOutcome> {
  const times = readProposedTimes(proposal, { series, planned }, now)
  if (times === undefined) return 'no-answer'
  const { comment } = reply
  const kept = { meetingId, addressKey, originalStart, ...times, comment, proposedAt: givenAt, recordedAt: now }
  const outcome = await recordProposal(database, id, kept)
  return outcome === 'recorded' ? 'proposed' : outcome
}

async function recordAnswer(
  database: Database,
  { meetingId, addressKey, originalStart, series, givenAt }: Given,
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
