import {
  admitAll,
  type BodyOf,
  controlParticipant,
  decideAdmission,
  endRoom,
  extendCall,
  muteAll,
  openBreakoutRooms,
  type ParticipantAction,
  type RoomRight,
  updateBreakoutRooms,
  updateRoom,
} from '@parley/contract'
import type { Client } from '../connect.ts'
import type { RoomMessage } from './message.ts'
import type { HostActions } from './room.ts'

type Dependencies = { client: Client; svcMeetId: string; sendMessage(message: RoomMessage): Promise<void> }

/**
 * Host actions use the API: the service decides, and enforces it for every client. Lowering a hand is a message between
 * pages, like raising it.
 */
export function createHostActions({ client, svcMeetId, sendMessage }: Dependencies): HostActions {
  const room = { params: { svcMeetId } }
  const of = (admissionId: string) => ({ params: { svcMeetId, admissionId } })
  const decide = (admissionId: string, decision: 'admit' | 'deny') =>
    client.call(decideAdmission, { ...of(admissionId), body: { decision } })
  const control = (action: ParticipantAction) => (participantId: string) =>
    client.call(controlParticipant, { ...of(participantId), body: { action } })
  const update = async (body: BodyOf<typeof updateRoom>) => void (await client.call(updateRoom, { ...room, body }))
  return {
    admit: (admissionId) => decide(admissionId, 'admit'),
    deny: (admissionId) => decide(admissionId, 'deny'),
    admitAll: () => client.call(admitAll, room),
    mute: control('mute'),
    stopCamera: control('stop_camera'),
    stopShare: control('stop_share'),
    lowerHand: (participantId) => sendMessage({ kind: 'lower_hand', of: participantId }),
    askUnmute: control('ask_unmute'),
    hardMute: control('hard_mute'),
    liftHardMute: control('lift_hard_mute'),
    setAllowed: (participantId, right, allowed) => control(decisionOf(right, allowed))(participantId),
    setAllowedForAll: (right, allowed) => update({ allowed: { [right]: allowed } }),
    remove: control('remove'),
    makeCohost: control('make_cohost'),
    removeCohost: control('remove_cohost'),
    makeHost: control('make_host'),
    removeHost: control('remove_host'),
    setSpotlight: (spotlight) => update({ spotlight }),
    extend: (minutes) => client.call(extendCall, { ...room, body: { minutes } }),
    openBreakoutRooms: async (body) => void (await client.call(openBreakoutRooms, { ...room, body })),
    updateBreakoutRooms: async (body) => void (await client.call(updateBreakoutRooms, { ...room, body })),
    lock: () => update({ locked: true }),
    unlock: () => update({ locked: false }),
    requireApproval: () => update({ approvalRequired: true }),
    stopRequiringApproval: () => update({ approvalRequired: false }),
    muteAll: () => client.call(muteAll, room),
    end: () => client.call(endRoom, room),
  }
}

function decisionOf(right: RoomRight, allowed: boolean): ParticipantAction {
  if (right === 'microphone') return allowed ? 'lift_hard_mute' : 'hard_mute'
  return `${allowed ? 'allow' : 'forbid'}_${right}`
}
