import { controlParticipant, type ParticipantAction } from '@parley/contract'
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
import type { Dependencies } from './dependencies.ts'
import { recordParticipantEvents } from './participant-events.ts'
import { recordRemoval } from './record-attendance.ts'
import { changeRoom, type RoomHost, requireRoomHost } from './room-host.ts'
import { publishAdmissionChange } from './room-topics.ts'

type Context = HandlerContext<typeof controlParticipant>

/** Control a participant. Cohosts neither control the host nor make cohosts, and the meeting's own host stays. */
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

async function change(dependencies: Dependencies, host: RoomHost, context: Context, action: ChangeAction) {
  const { admissionId } = context.params
  const meetingId = host.meeting.id
  let changed: AdmissionRow | undefined
  await changeRoom(dependencies, {
    host,
    context,
    async change(tx, now) {
      const target = await requireTarget(tx, host, admissionId, action)
      const changes = changesOf(action, target, host.meeting, now)
      if (changes === undefined) return []
      changed = { ...target, ...changes }
      await updateAdmission(tx, target.id, changes)
      if (action === 'remove') {
        await recordParticipantEvents(tx, 'participant.denied', [target.id], grantIdOf(context.caller), now)
        await recordRemoval(tx, meetingId, target.id, now)
      }
      await publishAdmissionChange(tx, meetingId, target.id)
      const name = target.accountId === null ? { guest: target.name } : {}
      return [{ action: auditActions[action], subjectId: target.accountId, detail: { admissionId, ...name } }]
    },
    async follow(control) {
      if (action === 'remove') return control.removeParticipant({ meetingId, admissionId })
      if (changed && action !== 'ask_unmute')
        await control.setRights({ ...changed, admissionId, guest: changed.accountId === null })
    },
  })
}

const auditActions = {
  lift_hard_mute: 'participant.hard-mute-lifted',
  ask_unmute: 'participant.unmute-asked',
  remove: 'participant.removed',
  make_cohost: 'participant.made-cohost',
  remove_cohost: 'participant.removed-as-cohost',
} as const

/** The changes of an action; undefined if the admission is in that state already. */
function changesOf(
  action: ChangeAction,
  target: AdmissionRow,
  { options }: RoomHost['meeting'],
  now: Date,
): AdmissionChanges | undefined {
  switch (action) {
    case 'lift_hard_mute':
      return target.hardMuted ? { hardMuted: false } : undefined
    case 'ask_unmute':
      return { unmuteAskedAt: now }
    case 'remove':
      return { state: 'denied', decidedAt: now, grantedRole: null }
    case 'make_cohost':
      // Cohosts are never hard-muted.
      return target.role === 'participant' ? { role: 'cohost', grantedRole: 'cohost', hardMuted: false } : undefined
    case 'remove_cohost':
      if (target.role !== 'cohost') return undefined
      if (target.grantedRole !== 'cohost') throw problem('cohost_of_meeting')
      // Give the rights of every participant who has not been allowed to speak.
      return { role: 'participant', grantedRole: null, hardMuted: options.participantHardAudioMute }
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
  if ((action === 'make_cohost' || action === 'remove_cohost') && host.role !== 'host') throw problem('forbidden')
  const isOwner = target.accountId === host.meeting.host.id
  if (action === 'remove' && (isOwner || target.id === host.admissionId)) throw problem('forbidden')
  return target
}
