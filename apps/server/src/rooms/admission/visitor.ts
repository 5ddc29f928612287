import type { RoomRole } from '@parley/contract'
import { findMeetingRole, findMeetingRoleForApp } from '@parley/rules/meetings/meeting-rights'
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
import type { AnonymousCookie } from '../../access/credentials/anonymous-cookie.ts'
import { sha256 } from '../../platform/sha256.ts'
import type { AdmissionRow, Person, RoomOccupancy } from './admission-store.ts'
import { cancellationOf, type MeetingForEntry, seriesForEntry } from './meeting-for-entry.ts'

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
): boolean => rule.repeat !== 'none' && exceptions.cancelled.includes(occurrenceAt.getTime())

type VisitorRole = {
  role: 'host' | 'cohost' | 'participant'
  signedIn: boolean
  invited: boolean
  colleague: boolean
  hosts: boolean
  owns: boolean
}

/**
 * Determine a visitor's role in a meeting. A role that the room key, the host PIN or a host inside has given
 * (`granted`) also counts as an invitation.
 */
export function visitorRoleIn(
  row: MeetingForEntry,
  caller: Caller | undefined,
  granted: 'host' | 'cohost' | null,
): VisitorRole {
  const signedIn = caller !== undefined
  const own = caller === undefined ? 'participant' : roleOf(row, caller)
  const owns = own === 'host'
  const role = owns || granted === 'host' ? 'host' : (granted ?? own)
  const hosts = role !== 'participant'
  if (granted !== null) return { role, signedIn, invited: true, colleague: true, hosts, owns }
  return {
    role,
    signedIn,
    // A meeting that was only added to the caller's list is no invitation.
    invited: hosts || row.invited === true || row.cohost === true,
    colleague: caller?.tenantId === row.host.tenantId,
    hosts,
    owns,
  }
}

function roleOf(row: MeetingForEntry, caller: Caller): VisitorRole['role'] {
  const people = row.cohost === null ? [] : [{ addressKey: caller.addressKey, cohost: row.cohost }]
  // Administrators are not hosts of other people's meetings.
  const viewer = { ...caller, administrator: false }
  const role = (caller.credential.kind === 'oauth' ? findMeetingRoleForApp : findMeetingRole)(viewer, {
    host: row.host,
    people,
  })
  return role === 'host' || role === 'cohost' ? role : 'participant'
}

/**
 * Whether a person is hard-muted: never a host or cohost; a participant by the stored admission, from which a host may
 * have lifted it; a new participant by the meeting's option.
 */
export function isHardMuted(
  own: Pick<AdmissionRow, 'role' | 'hardMuted'> | undefined,
  role: RoomRole,
  { options }: Pick<MeetingForEntry, 'options'>,
): boolean {
  if (role !== 'participant') return false
  return own?.role === 'participant' ? own.hardMuted : options.participantHardAudioMute
}

export type Sender = { caller: Caller | undefined; request: { cookie: string | undefined } }

/**
 * Identify the sender of a request. An account takes precedence over a guest cookie. Undefined for a guest without a
 * cookie.
 */
export function personOf(guestCookie: AnonymousCookie, { caller, request }: Sender): Person | undefined {
  if (caller !== undefined) return { accountId: caller.accountId, guestHash: null }
  const guest = guestCookie.read(request.cookie)
  return guest === undefined ? undefined : guestOf(guest)
}

export const guestOf = (cookie: string): Person => ({ accountId: null, guestHash: sha256(cookie) })
