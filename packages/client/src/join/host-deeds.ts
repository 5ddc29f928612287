import {
  admitAll,
  controlParticipant,
  decideAdmission,
  endRoom,
  lockRoom,
  muteAll,
  type ParticipantAction,
  unlockRoom,
} from '@parley/contract'
import type { Client } from '../index.ts'
import type { HostDeeds } from './room.ts'

/** What hosts may do goes through the API: the service decides, and holds it against every client. */
export function createHostDeeds(client: Client, svcMeetId: string): HostDeeds {
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
    askUnmute: control('ask_unmute'),
    liftHardMute: control('lift_hard_mute'),
    remove: control('remove'),
    makeCohost: control('make_cohost'),
    lock: async () => void (await client.call(lockRoom, room)),
    unlock: async () => void (await client.call(unlockRoom, room)),
    muteAll: async () => void (await client.call(muteAll, room)),
    end: async () => void (await client.call(endRoom, room)),
  }
}
