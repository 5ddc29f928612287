import {
  admitAll,
  askNewGuests,
  controlParticipant,
  decideAdmission,
  endRoom,
  lockRoom,
  muteAll,
  type ParticipantAction,
  stopAskingNewGuests,
  unlockRoom,
} from '@parley/contract'
import type { Client } from '../index.ts'
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
  const decide = async (admissionId: string, decision: 'admit' | 'deny') => {
    await client.call(decideAdmission, { ...of(admissionId), body: { decision } })
  }
  const control = (action: ParticipantAction) => async (participantId: string) => {
    await client.call(controlParticipant, { ...of(participantId), body: { action } })
  }
  return {
    admit: (admissionId) => decide(admissionId, 'admit'),
    deny: (admissionId) => decide(admissionId, 'deny'),
    admitAll: async () => void (await client.call(admitAll, room)),
    mute: control('mute'),
    stopCamera: control('stop_camera'),
    stopShare: control('stop_share'),
    lowerHand: (participantId) => sendMessage({ kind: 'lower_hand', of: participantId }),
    askUnmute: control('ask_unmute'),
    liftHardMute: control('lift_hard_mute'),
    remove: control('remove'),
    makeCohost: control('make_cohost'),
    removeCohost: control('remove_cohost'),
    lock: async () => void (await client.call(lockRoom, room)),
    unlock: async () => void (await client.call(unlockRoom, room)),
    askNewGuests: async () => void (await client.call(askNewGuests, room)),
    stopAskingNewGuests: async () => void (await client.call(stopAskingNewGuests, room)),
    muteAll: async () => void (await client.call(muteAll, room)),
    end: async () => void (await client.call(endRoom, room)),
  }
}
