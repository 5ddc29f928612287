import { type AdmissionUpdate, watchAdmission } from '@parley/contract'
import { stillWaits } from '@parley/rules/rooms/kept-admission'
import { type Database, inTransaction } from '../../platform/database/database.ts'
import { problem } from '../../platform/http/problem.ts'
import type { RoomsService } from '../dependencies.ts'
import { recordParticipantEvents } from '../participant-events.ts'
import { admissionTopic, publishEntryChange, roomTopic } from '../room-topics.ts'
import { type AdmissionRow, changeAdmissionUnlessChanged } from './admission-store.ts'
import { type Evaluation, evaluateVisitor, personOf } from './visitor.ts'

/**
 * Stream the state of an admission to its person, before and after they enter, by the same rule as entering. A person
 * waits as long as a page holds this stream open.
 */
export function serveWatchAdmission({ serve, clock, guestCookie, reads, presence }: RoomsService) {
  serve(watchAdmission, {
    handle: async ({ caller, params, request, database, again, closed }) => {
      const now = clock.now()
      const person = personOf(guestCookie, { caller, request })
      const row = person && (await reads.findMeeting(params.svcMeetId, caller))
      const own = row && (await reads.findOwnAdmission(row.id, person))
      if (row === undefined || own?.id !== params.admissionId) throw problem('admission_not_found')
      if (isWaitingToEnter(own.state) && !again && !stillWaits(own, now)) throw problem('admission_not_found')

      // The occupancy does not matter to people inside, who hold most of these streams: skip the query.
      const staysIn = own.inside && own.state === 'admitted'
      const occupancy = staysIn ? irrelevantOccupancy : await reads.findRoomOccupancy(row.id, own.id)
      // The PIN was right when they asked.
      const situation = { row, caller, own, pin: 'right', bringsHostSecret: false, isInside: true } as const
      const evaluation = evaluateVisitor(situation, occupancy, now)
      const isWaiting = await updateWaitingState(database, own, evaluation, now)
      if (!isWaiting) presence.leave(closed)
      else if (!presence.holds(closed)) {
        await changeAdmissionUnlessChanged(database, own, { seenAt: now })
        presence.enter(own.id, closed)
      }
      return {
        topics: [admissionTopic(own.id), roomTopic(row.id)],
        snapshot: view(evaluation, own),
        ...(evaluation.admission.state === 'too_early' && { changesAt: evaluation.admission.opensAt }),
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
  own: AdmissionRow,
  { admission, decision, occurrence }: Evaluation,
  now: Date,
): Promise<boolean> {
  const { state } = admission
  if (isWaitingToEnter(own.state) && !finalStates.has(state)) {
    const waitsFor = state === 'waiting' || state === 'waiting_for_host' ? state : own.state
    if (waitsFor !== own.state) {
      await inTransaction(database, async (tx) => {
        await changeAdmissionUnlessChanged(tx, own, { state: waitsFor, seenAt: now })
        await publishEntryChange(tx, own.meetingId)
      })
    }
    return true
  }
  if (own.state === 'admitted' && decision === 'none' && (state === 'waiting' || state === 'waiting_for_host')) {
    const occurrenceAt = occurrence?.originalStart ?? own.occurrenceAt
    await inTransaction(database, async (tx) => {
      const changes = { state, occurrenceAt, askedAt: now, seenAt: now, decidedAt: null, grantedRole: null }
      const { numUpdatedRows } = await changeAdmissionUnlessChanged(tx, own, changes)
      if (numUpdatedRows > 0n) await recordParticipantEvents(tx, 'participant.waiting', [own.id], null, now)
      await publishEntryChange(tx, own.meetingId)
    })
    return true
  }
  return false
}

const view = (
  { admission, visitor, occupancy, outlivesCancellation }: Evaluation,
  { hardMuted, unmuteAskedAt }: AdmissionRow,
): AdmissionUpdate => ({
  state: admission.state,
  ...(admission.state === 'too_early' && { opensAt: admission.opensAt.toISOString() }),
  ...(admission.state === 'waiting' && { hostInside: occupancy.hostIsIn }),
  role: visitor.role,
  ...(outlivesCancellation && { cancelled: true as const }),
  hardMuted,
  unmuteAskedOn: unmuteAskedAt?.toISOString() ?? null,
})
