import { type AdmissionStanding, watchAdmission } from '@parley/contract'
import { stillWaits } from '@parley/rules/rooms/kept-admission'
import { inTransaction } from '../../platform/database/database.ts'
import { problem } from '../../platform/http/problem.ts'
import type { Database } from '../../tables/tables.ts'
import { admissionTopic, publishEntryChange, roomTopic } from '../room-topics.ts'
import type { RoomsService } from '../rooms-service.ts'
import { type AdmissionRow, changeAdmissionIn } from './admission-store.ts'
import { type Evaluation, evaluateVisitor } from './evaluate-visitor.ts'
import { personOf } from './person.ts'

/**
 * Tells somebody who asked to enter how it stands with that, judged by the rule that judged them then: at the door, and
 * inside. As long as their page hears it, they wait.
 */
export function serveWatchAdmission({ serve, clock, guestCookie, reads, presence }: RoomsService) {
  serve(watchAdmission, async ({ caller, params, request, database, again, closed }) => {
    const now = clock.now()
    const person = personOf(guestCookie, { caller, request })
    const row = person && (await reads.findMeeting(params.svcMeetId, caller))
    const own = row && (await reads.findOwnAdmission(row.id, person))
    if (row === undefined || own?.id !== params.admissionId) throw problem('admission_not_found')
    if (isWaitingToEnter(own.state) && !again && !stillWaits(own, now)) throw problem('admission_not_found')

    // Whoever is in stays in, however full it is and whoever is away: of many looks most are theirs.
    const staysIn = own.inside && own.state === 'admitted'
    const standing = staysIn ? aside : await reads.findRoomOccupancy(row.id, own.id)
    // The PIN was right when they asked.
    const visit = { row, caller, own, pin: 'right', bringsHostSecret: false, heading: 'out' } as const
    const evaluation = evaluateVisitor(visit, standing, now)
    const isWaiting = await noteState(database, own, evaluation, now)
    if (!isWaiting) presence.leave(closed)
    else if (!presence.holds(closed)) {
      await changeAdmissionIn(database, own, { seenAt: now })
      presence.enter(own.id, closed)
    }
    return {
      topics: [admissionTopic(own.id), roomTopic(row.id)],
      snapshot: view(evaluation, own),
      ...(evaluation.admission.state === 'too_early' && { changesAt: evaluation.admission.opensAt }),
    }
  })
}

const aside = { hostIsIn: false, others: 0 }

const isWaitingToEnter = (state: string) => state === 'waiting' || state === 'waiting_for_host'

/** Who came too late, or was turned away, waits for nothing; everybody else may yet be let in. */
const hopeless = new Set(['not_found', 'cancelled', 'ended', 'denied'])

/**
 * Keep what a person waits for, which changes as hosts come and go, and from date to date.
 * @returns whether they wait to be let in
 */
async function noteState(
  database: Database,
  own: AdmissionRow,
  { admission, decision, occurrence }: Evaluation,
  now: Date,
): Promise<boolean> {
  const { state } = admission
  if (isWaitingToEnter(own.state) && !hopeless.has(state)) {
    const waitsFor = state === 'waiting' || state === 'waiting_for_host' ? state : own.state
    if (waitsFor !== own.state) {
      await inTransaction(database, async (tx) => {
        await changeAdmissionIn(tx, own, { state: waitsFor, seenAt: now })
        await publishEntryChange(tx, own.meetingId)
      })
    }
    return true
  }
  if (own.state === 'admitted' && decision === 'none' && (state === 'waiting' || state === 'waiting_for_host')) {
    const occurrenceAt = occurrence?.startsAt ?? own.occurrenceAt
    await inTransaction(database, async (tx) => {
      const anew = { state, occurrenceAt, askedAt: now, seenAt: now, decidedAt: null, grantedRole: null }
      await changeAdmissionIn(tx, own, anew)
      await publishEntryChange(tx, own.meetingId)
    })
    return true
  }
  return false
}

const view = (
  { admission, tie, standing }: Evaluation,
  { hardMuted, unmuteAskedAt }: AdmissionRow,
): AdmissionStanding => ({
  state: admission.state,
  ...(admission.state === 'too_early' && { opensAt: admission.opensAt.toISOString() }),
  ...(admission.state === 'waiting' && { hostInside: standing.hostIsIn }),
  role: tie.role,
  hardMuted,
  unmuteAskedOn: unmuteAskedAt?.toISOString() ?? null,
})
