import { maxParticipants } from '@parley/rules/meetings/participants'
import type { Occurrence } from '@parley/rules/recurrence/recurrence'
import {
  type Admission,
  type AdmissionSituation,
  evaluateAdmission,
  isHeld,
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
import { cancellationOf, seriesForEntry } from './entry-view.ts'
import type { MeetingForEntry } from './meeting-for-entry.ts'
import { type VisitorRole, visitorRoleIn } from './visitor-role.ts'

/** A room holds everyone who can be invited. */
const capacity = maxParticipants

/** A person who asks to enter a room or is inside, with their stored admission. */
export type VisitorSituation = {
  row: MeetingForEntry
  caller: Caller | undefined
  own: AdmissionRow | undefined
  pin: AdmissionSituation['pin']
  /** The current request has the room key or the host PIN. */
  bringsHostSecret: boolean
  /**
   * True to evaluate whether an earlier admission still holds: it does not once the host has ended the meeting. False
   * for a new request, which may enter again afterwards.
   */
  isInside: boolean
}

export type Evaluation = {
  admission: Admission
  visitor: VisitorRole
  /** The role that the room key or a host inside has given to the person, while it holds. */
  granted: 'host' | 'cohost' | null
  decision: KeptDecision
  occurrence: Occurrence | undefined
  occupancy: RoomOccupancy
  /** The person is in the call of a date that was cancelled meanwhile. */
  outlivesCancellation: boolean
}

/** Apply the rule `evaluateAdmission` to the database's rows, for a new request and for an earlier admission alike. */
export function evaluateVisitor(situation: VisitorSituation, occupancy: RoomOccupancy, now: Date): Evaluation {
  const { row, caller, own, pin, bringsHostSecret, isInside } = situation
  const occurrence = occurrenceToEnter(seriesForEntry(row), now)
  const isForSkipped = own?.state === 'admitted' && isSkipped(row, own)
  const kept = isForSkipped && !own.inCall ? 'none' : decisionOf(own, { occurrence, endedAt: row.endedAt }, now)
  const granted = bringsHostSecret ? 'host' : kept === 'admitted' ? (own?.grantedRole ?? null) : null
  const visitor = visitorRoleIn(row, caller, granted)
  const askedSince = asksNewGuestsSince(row, { occurrence, repeats: row.rule.repeat !== 'none' })
  const isNew = own !== undefined && askedSince !== undefined && !visitor.invited && isNewGuest(own, askedSince)
  const decision = kept === 'admitted' && isNew ? 'none' : kept
  const occurrenceEnded =
    row.kind === 'meeting' && occurrence !== undefined && row.endedAt !== null && row.endedAt >= opensAtOf(occurrence)
  // A lock on an own room does not apply to its owner, who alone could unlock it.
  const locked = row.lockedAt !== null && !(row.kind === 'own_room' && visitor.owns)
  const endedForThem = isInside && own !== undefined && isEndedFor(own, row.endedAt)
  const admission = evaluateAdmission(
    {
      meeting: { ...cancellationOf(row), occurrence, options: row.options },
      visitor,
      pin,
      room: {
        hostIsIn: occupancy.hostIsIn,
        others: occupancy.others,
        capacity,
        ended: occurrenceEnded || endedForThem,
        locked,
        asksNewGuests: askedSince !== undefined,
        decision,
        inside: decision === 'admitted' && own !== undefined && (own.inCall || own.hasEntered),
        inCall: decision === 'admitted' && own?.inCall === true,
        // A new request is for the next date.
        dateCancelled: isForSkipped && (isInside || own.inCall),
      },
    },
    now,
  )
  const isCancelled = row.cancelledAt !== null && !isHeld(cancellationOf(row), occurrence)
  const outlivesCancellation = admission.state === 'admitted' && (isForSkipped || isCancelled)
  return { admission, visitor, granted, decision, occurrence, occupancy, outlivesCancellation }
}

/** Whether the occurrence that the person was admitted to has been cancelled since. */
const isSkipped = (
  { rule, exceptions }: MeetingForEntry,
  { occurrenceAt }: Pick<AdmissionRow, 'occurrenceAt'>,
): boolean => rule.repeat !== 'none' && exceptions.excluded.includes(occurrenceAt.getTime())
