import { controlParticipant, type ParticipantAction } from '@parley/contract'
import type { Tx } from '../../migrations/tables.ts'
import type { Ask } from '../access/serve.ts'
import { inTransaction } from '../platform/database.ts'
import { problem } from '../platform/problem.ts'
import { type AdmissionChanges, type AdmissionRow, changeAdmission, lockAdmission } from './admission-store.ts'
import { changeRoom } from './change-room.ts'
import { hostAtRoom, type RoomHost } from './host-at-room.ts'
import { noteRemoved } from './room-history.ts'
import { announceAdmission } from './room-topics.ts'
import type { RoomsService } from './rooms-service.ts'

type Asked = Ask<typeof controlParticipant>

/** What a host does to somebody inside. A cohost does nothing to the host, and nobody puts the meeting's own host out. */
export function serveControlParticipant(service: RoomsService) {
  service.serve(controlParticipant, async (ask) => {
    const host = await hostAtRoom(service, ask, ask.params.svcMeetId)
    const { action } = ask.body
    if (action === 'mute') await mute(service, host, ask)
    else await change(service, host, ask, action)
    return { status: statuses[action] }
  })
}

const statuses: Record<ParticipantAction, string> = {
  mute: 'Their microphone is off.',
  lift_hard_mute: 'They may switch their microphone on.',
  ask_unmute: 'They are asked to switch their microphone on.',
  remove: 'They are out, and stay outside until they are let in again.',
  make_cohost: 'They are a cohost.',
}

/** Of this moment alone: it is done, or it is said that it is not. */
async function mute({ control }: RoomsService, host: RoomHost, { params, database }: Asked) {
  await inTransaction(database, (tx) => requireTarget(tx, host, params.admissionId, 'mute'))
  // Where nothing is heard, everybody is muted.
  if (control === undefined) return
  const isInside = await control.mute({ meetingId: host.row.id, admissionId: params.admissionId })
  if (!isInside) throw problem('participant_not_found')
}

async function change(service: RoomsService, host: RoomHost, ask: Asked, action: Exclude<ParticipantAction, 'mute'>) {
  const { admissionId } = ask.params
  const meetingId = host.row.id
  let changed: AdmissionRow | undefined
  await changeRoom(service, {
    host,
    ask,
    async change(tx, now) {
      const target = await requireTarget(tx, host, admissionId, action)
      const changes = changesOf(action, target, now)
      if (changes === undefined) return undefined
      changed = { ...target, ...changes }
      await changeAdmission(tx, target.id, changes)
      if (action === 'remove') await noteRemoved(tx, meetingId, target.id, now)
      await announceAdmission(tx, meetingId, target.id)
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
  const puts = action === 'mute' || action === 'remove'
  if (puts && target.role === 'host' && host.role !== 'host') throw problem('forbidden')
  const isOwner = target.accountId === host.row.host.id
  if (action === 'remove' && (isOwner || target.id === host.admissionId)) throw problem('forbidden')
  return target
}
