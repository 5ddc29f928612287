import type { AllowedRights, RoomRole } from '@parley/contract'
import { findMeetingRole, findMeetingRoleForApp } from '@parley/rules/meetings/meeting-rights'
import { maxParticipants } from '@parley/rules/meetings/participants'
import type { Occurrence } from '@parley/rules/recurrence/recurrence'
import {
  type AdmissionSituation,
  type AdmissionVerdict,
  evaluateAdmission,
  isHeld,
  opensAtOf,
} from '@parley/rules/rooms/admission'
import {
  asksNewGuestsSince,
  decisionOf,
  type EarlierDecision,
  isEndedFor,
  isNewGuest,
} from '@parley/rules/rooms/stored-admission'
import type { Caller } from '../../access/caller.ts'
import type { AnonymousCookie } from '../../access/credentials/anonymous-cookie.ts'
import { sha256 } from '../../platform/sha256.ts'
import type { AdmissionRow, EnteringPerson, RoomOccupancy } from './admission-store.ts'
import {
  callEndOf,
  cancellationOf,
  type MeetingForEntry,
  occurrenceNow,
  repeats,
  rightsOfPerson,
} from './meeting-for-entry.ts'

/** A room holds everyone who can be invited. */
const capacity = maxParticipants

/** A person who asks to enter a room or is inside, with their admission. */
export type VisitorSituation = {
  meeting: MeetingForEntry
  caller: Caller | undefined
  admission: AdmissionRow | undefined
  pin: AdmissionSituation['pin']
  /** The current request has the host key or the host PIN. */
  bringsHostSecret: boolean
  /** True to re-check an earlier admission, which is void after the host has ended the meeting; false for a request. */
  isInside: boolean
}

export type Evaluation = {
  verdict: AdmissionVerdict
  visitor: VisitorRole
  /** The role that the host key, the host PIN or a host inside has given to the person, while it holds. */
  grantedRole: 'host' | 'cohost' | null
  /** What the person may do inside. */
  allowed: AllowedRights
  /** The earlier decision about the person that still holds. */
  decision: EarlierDecision
  /** When the call is to end; undefined where it has no end. */
  callEnd: Date | undefined
  occurrence: Occurrence | undefined
  occupancy: RoomOccupancy
  /** The person is in the call of a date that was cancelled meanwhile. */
  outlivesCancellation: boolean
}

/** Apply the rule `evaluateAdmission` to the database's rows, for a new request and for an earlier admission alike. */
export function evaluateVisitor(situation: VisitorSituation, occupancy: RoomOccupancy, now: Date): Evaluation {
  const { meeting, caller, admission, pin, bringsHostSecret, isInside } = situation
  const occurrence = occurrenceNow(meeting, now)
  const isForCancelled = admission?.state === 'admitted' && isForCancelledDate(meeting, admission)
  const earlier =
    isForCancelled && !admission.inCall ? 'none' : decisionOf(admission, { occurrence, endedAt: meeting.endedAt }, now)
  const grantedRole = bringsHostSecret ? 'host' : earlier === 'admitted' ? (admission?.grantedRole ?? null) : null
  const visitor = visitorRoleIn(meeting, caller, grantedRole)
  const approvalSince = asksNewGuestsSince(meeting, { occurrence, repeats: repeats(meeting) })
  const isNew =
    admission !== undefined && approvalSince !== undefined && !visitor.invited && isNewGuest(admission, approvalSince)
  const decision = earlier === 'admitted' && isNew ? 'none' : earlier
  const occurrenceEnded =
    meeting.kind === 'meeting' &&
    occurrence !== undefined &&
    meeting.endedAt !== null &&
    meeting.endedAt >= opensAtOf(occurrence)
  // A lock on an own room does not apply to its owner, who alone could unlock it.
  const locked = meeting.lockedAt !== null && !(meeting.kind === 'own_room' && visitor.owns)
  const endedForThem = isInside && admission !== undefined && isEndedFor(admission, meeting.endedAt)
  const verdict = evaluateAdmission(
    {
      meeting: { ...cancellationOf(meeting), occurrence, options: meeting.options },
      visitor,
      pin,
      room: {
        hostIsIn: occupancy.hostIsIn,
        others: occupancy.others,
        capacity,
        ended: occurrenceEnded || endedForThem,
        locked,
        approvalRequired: approvalSince !== undefined,
        decision,
        inside: decision === 'admitted' && admission !== undefined && (admission.inCall || admission.hasEntered),
        inCall: decision === 'admitted' && admission?.inCall === true,
        // A new request is for the next date.
        dateCancelled: isForCancelled && (isInside || admission.inCall),
      },
    },
    now,
  )
  const isCancelled = meeting.cancelledAt !== null && !isHeld(cancellationOf(meeting), occurrence)
  const outlivesCancellation = verdict.state === 'admitted' && (isForCancelled || isCancelled)
  // What a host has decided for the person ends with the admission.
  const rights = decision === 'admitted' ? (admission?.rights ?? {}) : {}
  const allowed = rightsOfPerson(meeting, { role: visitor.role, rights }, occurrence)
  const callEnd = callEndOf(meeting, occurrence)
  return { verdict, visitor, grantedRole, allowed, decision, callEnd, occurrence, occupancy, outlivesCancellation }
}

/** Whether the date that the person was admitted to has been cancelled since. */
const isForCancelledDate = (meeting: MeetingForEntry, { occurrenceAt }: Pick<AdmissionRow, 'occurrenceAt'>): boolean =>
  repeats(meeting) && meeting.exceptions.cancelled.includes(occurrenceAt.getTime())

type VisitorRole = {
  role: RoomRole
  signedIn: boolean
  invited: boolean
  colleague: boolean
  hosts: boolean
  owns: boolean
}

/**
 * Determine a visitor's role in a meeting. A role that the host key, the host PIN or a host inside has given also counts
 * as an invitation.
 */
export function visitorRoleIn(
  meeting: MeetingForEntry,
  caller: Caller | undefined,
  grantedRole: 'host' | 'cohost' | null,
): VisitorRole {
  const signedIn = caller !== undefined
  const ownRole = caller === undefined ? 'participant' : roleOf(meeting, caller)
  const owns = ownRole === 'host'
  const role = owns || grantedRole === 'host' ? 'host' : (grantedRole ?? ownRole)
  const hosts = role !== 'participant'
  if (grantedRole !== null) return { role, signedIn, invited: true, colleague: true, hosts, owns }
  return {
    role,
    signedIn,
    // A meeting that was only added to the caller's list is no invitation.
    invited: hosts || meeting.invited === true || meeting.cohost === true,
    colleague: caller?.tenantId === meeting.host.tenantId,
    hosts,
    owns,
  }
}

function roleOf({ host, cohost }: MeetingForEntry, caller: Caller): RoomRole {
  const people = cohost === null ? [] : [{ addressKey: caller.addressKey, cohost }]
  // Administrators are not hosts of other people's meetings.
  const viewer = { ...caller, administrator: false }
  const findRole = caller.credential.kind === 'oauth' ? findMeetingRoleForApp : findMeetingRole
  const role = findRole(viewer, { host, people })
  return role === 'host' || role === 'cohost' ? role : 'participant'
}

export type Sender = { caller: Caller | undefined; request: { cookie: string | undefined } }

/**
 * Identify the sender of a request. An account takes precedence over a guest cookie. Undefined for a guest without a
 * cookie.
 */
export function personOf(guestCookie: AnonymousCookie, { caller, request }: Sender): EnteringPerson | undefined {
  if (caller !== undefined) return { accountId: caller.accountId, guestHash: null }
  const guest = guestCookie.read(request.cookie)
  return guest === undefined ? undefined : guestOf(guest)
}

export const guestOf = (cookie: string): EnteringPerson => ({ accountId: null, guestHash: sha256(cookie) })
