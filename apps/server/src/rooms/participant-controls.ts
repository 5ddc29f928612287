import { type AdvancedOptions, controlParticipant, type ParticipantAction, type RoomRight } from '@parley/contract'
import { currentRoomOf, openBreakout } from '@parley/rules/rooms/breakout-rooms'
import { grantIdOf } from '../access/caller.ts'
import type { HandlerContext } from '../access/serve.ts'
import { inTransaction, type Tx } from '../platform/database/database.ts'
import { problem } from '../platform/http/problem.ts'
import {
  type AdmissionChanges,
  type AdmissionRow,
  lockAdmission,
  updateAdmission,
} from './admission/admission-store.ts'
import { occurrenceNow, rightsOfPerson } from './admission/meeting-for-entry.ts'
import { findPermittedParticipants } from './admission/permitted-participants.ts'
import type { Dependencies } from './dependencies.ts'
import { rightsControllableOn } from './engine/media-engine.ts'
import { recordParticipantEvents } from './participant-events.ts'
import { recordRemoval } from './record-attendance.ts'
import { changeRoom, type RoomHost, requireRoomHost } from './room-host.ts'
import { publishAdmissionChange } from './room-topics.ts'

type Context = HandlerContext<typeof controlParticipant>

/** Control a participant. Cohosts neither control hosts nor change roles, and the account that hosts the meeting stays. */
export function registerParticipantControls(dependencies: Dependencies) {
  dependencies.serve(controlParticipant, {
    handle: async (context) => {
      const host = await requireRoomHost(dependencies, context, context.params.svcMeetId)
      const { action } = context.body
      if (isStop(action)) await stop(dependencies, host, context, action)
      else await change(dependencies, host, context, action)
    },
  })
}

/** Actions that stop a source once, without a lasting effect. */
const stoppedSources = { mute: 'microphone', stop_camera: 'camera', stop_share: 'screen' } as const
type StopAction = keyof typeof stoppedSources

const isStop = (action: ParticipantAction): action is StopAction => action in stoppedSources

/** Stop a source at once. The stop is not stored, so a failure of the engine is reported to the caller. */
async function stop({ control }: Dependencies, host: RoomHost, { params, database }: Context, action: StopAction) {
  await inTransaction(database, (tx) => requireTarget(tx, host, params.admissionId, action))
  // Without an engine no media is sent.
  if (control === undefined) return
  const person = { meetingId: host.meeting.id, admissionId: params.admissionId }
  if (!(await control.stopSource(person, stoppedSources[action]))) throw problem('participant_not_found')
}

type ChangeAction = Exclude<ParticipantAction, StopAction>

/** Actions that allow or forbid one thing to one person, until the next decision for all. */
const decidedRights = {
  hard_mute: ['microphone', false],
  lift_hard_mute: ['microphone', true],
  forbid_camera: ['camera', false],
  allow_camera: ['camera', true],
  forbid_screen: ['screen', false],
  allow_screen: ['screen', true],
  forbid_chat: ['chat', false],
  allow_chat: ['chat', true],
  forbid_reactions: ['reactions', false],
  allow_reactions: ['reactions', true],
} as const satisfies Partial<Record<ParticipantAction, readonly [RoomRight, boolean]>>
type RightAction = keyof typeof decidedRights

const isRightAction = (action: ParticipantAction): action is RightAction => action in decidedRights

async function change(dependencies: Dependencies, host: RoomHost, context: Context, action: ChangeAction) {
  const { admissionId } = context.params
  const { meeting } = host
  const meetingId = meeting.id
  if (isRightAction(action) && !rightsControllableOn(dependencies.config).includes(decidedRights[action][0]))
    throw problem('right_not_controllable')
  let changed: AdmissionRow | undefined
  await changeRoom(dependencies, {
    host,
    context,
    async change(tx, now) {
      const target = await requireTarget(tx, host, admissionId, action)
      const changes = changesOf(action, target, meeting, now)
      if (changes === undefined) return []
      await updateAdmission(tx, target.id, changes)
      changed = { ...target, ...changes }
      if (action === 'remove_host') {
        // A cohost of the meeting itself is one again.
        const onTransaction = { ...dependencies, database: tx }
        const permitted = await findPermittedParticipants(onTransaction, meetingId, [target.id], now)
        changed.role = permitted?.get(target.id)?.role ?? 'participant'
        await updateAdmission(tx, target.id, { role: changed.role })
      }
      if (action === 'remove') {
        await recordParticipantEvents(tx, 'participant.denied', [target.id], grantIdOf(context.caller), now)
        await recordRemoval(tx, meetingId, target.id, now)
      }
      await publishAdmissionChange(tx, meetingId, target.id)
      const detail = {
        admissionId,
        ...(target.accountId === null && { guest: target.name }),
        ...(isRightAction(action) && { decision: action }),
      }
      return [{ action: auditActionOf(action), subjectId: target.accountId, detail }]
    },
    async follow(control) {
      if (action === 'remove') return control.removeParticipant({ meetingId, admissionId })
      if (changed === undefined || action === 'ask_unmute') return
      const now = dependencies.clock.now()
      const allowed = rightsOfPerson(meeting, changed, occurrenceNow(meeting, now))
      const breakoutRoom = currentRoomOf(openBreakout(meeting.breakout, now), changed)
      await control.setRights({ ...changed, admissionId, allowed, breakoutRoom, guest: changed.accountId === null })
    },
  })
}

const auditActionOf = (action: ChangeAction) =>
  isRightAction(action) && action !== 'lift_hard_mute' ? 'participant.rights-changed' : auditActions[action]

const auditActions = {
  lift_hard_mute: 'participant.hard-mute-lifted',
  ask_unmute: 'participant.unmute-asked',
  remove: 'participant.removed',
  make_cohost: 'participant.made-cohost',
  remove_cohost: 'participant.removed-as-cohost',
  make_host: 'participant.made-host',
  remove_host: 'participant.removed-as-host',
} as const

/** Guests who are inside a meeting that has been restricted since are about to be disconnected. */
const keepsGuestsOut = ({ loggedInOnly, isRestrictedMeeting, colleagueOnly }: AdvancedOptions) =>
  loggedInOnly || isRestrictedMeeting || colleagueOnly

/** The changes of an action; undefined if the admission is in that state already. */
function changesOf(
  action: ChangeAction,
  target: AdmissionRow,
  meeting: RoomHost['meeting'],
  now: Date,
): AdmissionChanges | undefined {
  if (isRightAction(action)) {
    const [right, allowed] = decidedRights[action]
    if (rightsOfPerson(meeting, target, occurrenceNow(meeting, now))[right] === allowed) return undefined
    if (target.role !== 'participant') throw problem('forbidden')
    return { rights: { ...target.rights, [right]: allowed } }
  }
  switch (action) {
    case 'ask_unmute':
      return { unmuteAskedAt: now }
    case 'remove':
      return { state: 'denied', decidedAt: now, grantedRole: null }
    case 'make_cohost':
      return target.role === 'participant' ? { role: 'cohost', grantedRole: 'cohost', rights: {} } : undefined
    case 'remove_cohost':
      if (target.role !== 'cohost') return undefined
      if (target.grantedRole !== 'cohost') throw problem('cohost_of_meeting')
      return { role: 'participant', grantedRole: null }
    case 'make_host':
      if (target.accountId === null && keepsGuestsOut(meeting.options)) throw problem('forbidden')
      return target.role === 'host' ? undefined : { role: 'host', grantedRole: 'host', rights: {} }
    case 'remove_host':
      // Also for a person who has entered with the host key, and can enter with it again.
      return target.role === 'host' ? { role: 'participant', grantedRole: null } : undefined
  }
}

/** @throws participant_not_found, forbidden */
async function requireTarget(tx: Tx, host: RoomHost, admissionId: string, action: ParticipantAction) {
  const target = await lockAdmission(tx, host.meeting.id, admissionId)
  // An admitted person who is not connected yet can already be removed.
  const isThere = target?.state === 'admitted' && (target.inside || action === 'remove')
  if (target === undefined || !isThere) throw problem('participant_not_found')
  if ((isStop(action) || action === 'remove') && target.role === 'host' && host.role !== 'host')
    throw problem('forbidden')
  // Otherwise cohosts could keep what a host takes from them, by a second browser that they have made a cohost.
  const changesRole = action === 'make_cohost' || action === 'remove_cohost' || action === 'make_host'
  if ((changesRole || action === 'remove_host') && host.role !== 'host') throw problem('forbidden')
  const isOwner = target.accountId === host.meeting.host.id
  // A person who was made a host could otherwise take the meeting over.
  if (action === 'remove_host' && (isOwner || !host.owns)) throw problem('forbidden')
  if (action === 'remove' && (isOwner || target.id === host.admissionId)) throw problem('forbidden')
  return target
}
