import { type AdmissionUpdate, watchAdmission } from '@parley/contract'
import { openBreakout, type StoredBreakout, viewBreakoutOf } from '@parley/rules/rooms/breakout-rooms'
import { stillWaits } from '@parley/rules/rooms/stored-admission'
import { type Database, inTransaction } from '../../platform/database/database.ts'
import { problem } from '../../platform/http/problem.ts'
import type { Dependencies } from '../dependencies.ts'
import { recordParticipantEvents } from '../participant-events.ts'
import { admissionTopic, publishWaitingRoomChange, roomTopic } from '../room-topics.ts'
import { type AdmissionRow, updateAdmissionUnlessChanged } from './admission-store.ts'
import type { MeetingForEntry } from './meeting-for-entry.ts'
import { type Evaluation, evaluateVisitor, personOf } from './visitor.ts'

/**
 * Stream the state of an admission to its person, before and after they enter, by the same rule as entering. A person
 * waits as long as a page holds this stream open.
 */
export function registerWatchAdmission({ serve, clock, guestCookie, reads, presence }: Dependencies) {
  serve(watchAdmission, {
    handle: async ({ caller, params, request, database, again, closed }) => {
      const now = clock.now()
      const person = personOf(guestCookie, { caller, request })
      const meeting = person && (await reads.findMeeting(params.svcMeetId, caller))
      const admission = meeting && (await reads.findOwnAdmission(meeting.id, person))
      if (meeting === undefined || admission?.id !== params.admissionId) throw problem('admission_not_found')
      if (isWaitingToEnter(admission.state) && !again && !stillWaits(admission, now))
        throw problem('admission_not_found')

      // The occupancy does not matter to people inside, who hold most of these streams: skip the query.
      const staysIn = admission.inside && admission.state === 'admitted'
      const occupancy = staysIn ? irrelevantOccupancy : await reads.findRoomOccupancy(meeting.id, admission.id)
      // The PIN was right when the person asked.
      const situation = { meeting, caller, admission, pin: 'right', bringsHostSecret: false, isInside: true } as const
      const evaluation = evaluateVisitor(situation, occupancy, now)
      const isWaiting = await updateWaitingState(database, admission, evaluation, now)
      if (!isWaiting) presence.leave(closed)
      else if (!presence.holds(closed)) {
        await updateAdmissionUnlessChanged(database, admission, { seenAt: now })
        presence.enter(admission.id, closed)
      }
      const { verdict } = evaluation
      const breakout = verdict.state === 'admitted' ? openBreakout(meeting.breakout, now) : undefined
      return {
        topics: [admissionTopic(admission.id), roomTopic(meeting.id)],
        snapshot: toUpdate(breakout, meeting, evaluation, admission),
        ...(verdict.state === 'too_early' && { changesAt: verdict.opensAt }),
        ...(breakout?.endsAt && { changesAt: new Date(breakout.endsAt) }),
      }
    },
  })
}

const irrelevantOccupancy = { hostIsIn: false, others: 0 }

const isWaitingToEnter = (state: string) => state === 'waiting' || state === 'waiting_for_host'

/** In these states a person no longer waits; in all others they may still be admitted. */
const finalStates = new Set(['not_found', 'cancelled', 'ended', 'denied'])

/**
 * Store what a person waits for, which changes as hosts come and go, and from occurrence to occurrence.
 * @returns whether they wait to enter
 */
async function updateWaitingState(
  database: Database,
  admission: AdmissionRow,
  { verdict: { state }, decision, occurrence }: Evaluation,
  now: Date,
): Promise<boolean> {
  if (isWaitingToEnter(admission.state) && !finalStates.has(state)) {
    const waitsFor = state === 'waiting' || state === 'waiting_for_host' ? state : admission.state
    if (waitsFor !== admission.state) {
      await inTransaction(database, async (tx) => {
        await updateAdmissionUnlessChanged(tx, admission, { state: waitsFor, seenAt: now })
        await publishWaitingRoomChange(tx, admission.meetingId)
      })
    }
    return true
  }
  if (admission.state === 'admitted' && decision === 'none' && (state === 'waiting' || state === 'waiting_for_host')) {
    const occurrenceAt = occurrence?.originalStart ?? admission.occurrenceAt
    await inTransaction(database, async (tx) => {
      const changes = { state, occurrenceAt, askedAt: now, seenAt: now, decidedAt: null, grantedRole: null }
      const { numUpdatedRows } = await updateAdmissionUnlessChanged(tx, admission, changes)
      if (numUpdatedRows > 0n) await recordParticipantEvents(tx, 'participant.waiting', [admission.id], null, now)
      await publishWaitingRoomChange(tx, admission.meetingId)
    })
    return true
  }
  return false
}

const toUpdate = (
  breakout: StoredBreakout | undefined,
  { spotlight }: MeetingForEntry,
  { verdict, visitor, allowed, callEnd, occupancy, outlivesCancellation }: Evaluation,
  { unmuteAskedAt, ...admission }: AdmissionRow,
): AdmissionUpdate => ({
  state: verdict.state,
  ...(verdict.state === 'too_early' && { opensAt: verdict.opensAt.toISOString() }),
  ...(verdict.state === 'waiting' && { hostInside: occupancy.hostIsIn }),
  role: visitor.role,
  ...(outlivesCancellation && { cancelled: true as const }),
  hardMuted: !allowed.microphone,
  allowed,
  spotlight,
  breakout: viewBreakoutOf(breakout, admission),
  endsAt: callEnd?.toISOString() ?? null,
  unmuteAskedOn: unmuteAskedAt?.toISOString() ?? null,
})
