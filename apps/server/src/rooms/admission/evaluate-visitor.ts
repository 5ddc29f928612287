import { maxParticipants } from '@parley/rules/meetings/participants'
import type { Occurrence } from '@parley/rules/recurrence/recurrence'
import {
  type Admission,
  type AdmissionSituation,
  evaluateAdmission,
  occurrenceToEnter,
  opensAtOf,
} from '@parley/rules/rooms/admission'
import {
  asksNewGuestsSince,
  decisionOf,
  isEndedFor,
  isNewGuest,
  type KeptDecision,
} from '@parley/rules/rooms/kept-admission'
import type { Caller } from '../../access/caller.ts'
import type { AdmissionRow, RoomOccupancy } from './admission-store.ts'
import { seriesForEntry } from './entry-view.ts'
import type { MeetingForEntry } from './meeting-for-entry.ts'
import { type VisitorRole, visitorRoleIn } from './visitor-role.ts'

/** Everybody who can be invited. */
const capacity = maxParticipants

/** Somebody in front of a door, or behind it, and what is kept of them. */
export type Visit = {
  row: MeetingForEntry
  caller: Caller | undefined
  own: AdmissionRow | undefined
  pin: AdmissionSituation['pin']
  /** They brought the host's key or the host's PIN just now. */
  bringsHostSecret: boolean
  /** `out`: whoever was in when the host ended it is told so; `in`: they ask anew. */
  heading: 'in' | 'out'
}

export type Evaluation = {
  admission: Admission
  tie: VisitorRole
  /** What the host's key or a host inside made of them, for as long as it holds. */
  granted: 'host' | 'cohost' | null
  decision: KeptDecision
  occurrence: Occurrence | undefined
  /** How the room stood for this. */
  standing: RoomOccupancy
}

/** Puts together what the rule needs of the database's rows (rooms.md 1): the same for whoever asks and whoever is told. */
export function evaluateVisitor(visit: Visit, standing: RoomOccupancy, now: Date): Evaluation {
  const { row, caller, own, pin, bringsHostSecret, heading } = visit
  const occurrence = occurrenceToEnter(seriesForEntry(row), now)
  const isForSkipped = own !== undefined && isSkipped(row, own)
  const kept =
    isForSkipped && own.state === 'admitted' ? 'none' : decisionOf(own, { occurrence, endedAt: row.endedAt }, now)
  const granted = bringsHostSecret ? 'host' : kept === 'admitted' ? (own?.grantedRole ?? null) : null
  const tie = visitorRoleIn(row, caller, granted)
  const askedSince = asksNewGuestsSince(row, { occurrence, repeats: row.rule.repeat !== 'none' })
  const isNew = own !== undefined && askedSince !== undefined && !tie.invited && isNewGuest(own, askedSince)
  const decision = kept === 'admitted' && isNew ? 'none' : kept
  const occurrenceEnded =
    row.kind === 'meeting' && occurrence !== undefined && row.endedAt !== null && row.endedAt >= opensAtOf(occurrence)
  // Nobody else could ever open it again.
  const locked = row.lockedAt !== null && !(row.kind === 'own_room' && tie.owns)
  const endedForThem = heading === 'out' && own !== undefined && isEndedFor(own, row.endedAt)
  const admission = evaluateAdmission(
    {
      meeting: { cancelled: row.cancelledAt !== null, occurrence, options: row.options },
      visitor: tie,
      pin,
      room: {
        ...{ hostIsIn: standing.hostIsIn, others: standing.others, capacity },
        ...{ ended: occurrenceEnded || endedForThem, locked, asksNewGuests: askedSince !== undefined },
        ...{ decision, inside: decision === 'admitted' && (own?.inside === true || own?.hasEntered === true) },
      },
    },
    now,
  )
  return { admission, tie, granted, decision, occurrence, standing }
}

/** Whether the occurrence that somebody was let in for does not take place any more. */
export const isSkipped = (
  { rule, skipped }: MeetingForEntry,
  { occurrenceAt }: Pick<AdmissionRow, 'occurrenceAt'>,
): boolean => rule.repeat !== 'none' && skipped.some((startsAt) => Date.parse(startsAt) === occurrenceAt.getTime())
