import { controlParticipant, type ParticipantAction } from '@parley/contract'
import type { HandlerContext } from '../../access/serve.ts'
import { inTransaction } from '../../platform/database/database.ts'
import { problem } from '../../platform/http/problem.ts'
import type { Tx } from '../../tables/tables.ts'
import {
  type AdmissionChanges,
  type AdmissionRow,
  changeAdmission,
  lockAdmission,
} from '../admission/admission-store.ts'
import { hostAtRoom, type RoomHost } from '../admission/host-at-room.ts'
import { noteRemoved } from '../attendance/room-history.ts'
import { publishAdmissionChange } from '../room-topics.ts'
import type { RoomsService } from '../rooms-service.ts'
import { changeRoom } from './change-room.ts'

type Asked = HandlerContext<typeof controlParticipant>

/** What a host does to somebody inside. A cohost does nothing to the host, and nobody puts the meeting's own host out. */
export function serveControlParticipant(service: RoomsService) {
  service.serve(controlParticipant, async (context) => {
    const host = await hostAtRoom(service, context, context.params.svcMeetId)
    const { action } = context.body
    if (isStop(action)) await stop(service, host, context, action)
    else await change(service, host, context, action)
    return { status: statuses[action] }
  })
}

const statuses: Record<ParticipantAction, string> = {
  mute: 'Their microphone is off.',
  stop_camera: 'Their camera is off.',
  stop_share: 'Their screen is not shared any more.',
  lift_hard_mute: 'They may switch their microphone on.',
  ask_unmute: 'They are asked to switch their microphone on.',
  remove: 'They are out, and stay outside until they are let in again.',
  make_cohost: 'They are a cohost.',
}

/** Actions that hold for the moment alone, and what each of them switches off. */
const stops = { mute: 'microphone', stop_camera: 'camera', stop_share: 'screen' } as const
type Stop = keyof typeof stops

const isStop = (action: ParticipantAction): action is Stop => action in stops

/** No row keeps it: it is done, or the answer is that it was not. */
async function stop({ control }: RoomsService, host: RoomHost, { params, database }: Asked, action: Stop) {
  await inTransaction(database, (tx) => requireTarget(tx, host, params.admissionId, action))
  // Without media nothing is sent.
  if (control === undefined) return
  const person = { meetingId: host.row.id, admissionId: params.admissionId }
  if (!(await control.stopSource(person, stops[action]))) throw problem('participant_not_found')
}

async function change(service: RoomsService, host: RoomHost, context: Asked, action: Exclude<ParticipantAction, Stop>) {
  const { admissionId } = context.params
  const meetingId = host.row.id
  let changed: AdmissionRow | undefined
  await changeRoom(service, {
    host,
    context,
    async change(tx, now) {
      const target = await requireTarget(tx, host, admissionId, action)
      const changes = changesOf(action, target, now)
      if (changes === undefined) return undefined
      changed = { ...target, ...changes }
      await changeAdmission(tx, target.id, changes)
      if (action === 'remove') await noteRemoved(tx, meetingId, target.id, now)
      await publishAdmissionChange(tx, meetingId, target.id)
      const name = target.accountId === null ? { guest: target.name } : {}
      return { action: deeds[action], subjectId: target.accountId, detail: { admissionId, ...name } }
    },
    async follow(control) {
      if (action === 'remove') return control.removeParticipant({ meetingId, admissionId })
      if (changed && action !== 'ask_unmute') await control.setRights({ ...changed, admissionId })
    },
  })
}

const deeds = {
  lift_hard_mute: 'participant.hard-mute-lifted',
  ask_unmute: 'participant.unmute-asked',
  remove: 'participant.removed',
  make_cohost: 'participant.made-cohost',
} as const

/** Undefined where it is so already. */
function changesOf(action: keyof typeof deeds, target: AdmissionRow, now: Date): AdmissionChanges | undefined {
  switch (action) {
    case 'lift_hard_mute':
      return target.hardMuted ? { hardMuted: false } : undefined
    case 'ask_unmute':
      return { unmuteAskedAt: now }
    case 'remove':
      return { state: 'denied', decidedAt: now, grantedRole: null }
    case 'make_cohost':
      // Hosts are never kept from speaking.
      return target.role === 'participant' ? { role: 'cohost', grantedRole: 'cohost', hardMuted: false } : undefined
  }
}

/** @throws participant_not_found, forbidden */
async function requireTarget(tx: Tx, host: RoomHost, admissionId: string, action: ParticipantAction) {
  const target = await lockAdmission(tx, host.row.id, admissionId)
  // Whoever has just been let in and is still on the way can be removed already.
  const isThere = target?.state === 'admitted' && (target.inside || action === 'remove')
  if (target === undefined || !isThere) throw problem('participant_not_found')
  if ((isStop(action) || action === 'remove') && target.role === 'host' && host.role !== 'host')
    throw problem('forbidden')
  const isOwner = target.accountId === host.row.host.id
  if (action === 'remove' && (isOwner || target.id === host.admissionId)) throw problem('forbidden')
  return target
}
