import type { Participant } from '@parley/client/join'
import type { ParticipantAction, RoomRole } from '@parley/contract'

type Asked = { myRole: RoomRole | null; person: Pick<Participant, 'isMe' | 'role' | 'muted'>; hardMuted: boolean }

/** What one may do to somebody, in the order of the menu; the service decides again. */
export function actionsFor({ myRole, person, hardMuted }: Asked): ParticipantAction[] {
  const hosting = myRole === 'host' || myRole === 'cohost'
  // A cohost does nothing to the host.
  if (!hosting || person.isMe || (myRole === 'cohost' && person.role === 'host')) return []
  return [
    ...(person.muted ? [] : ['mute' as const]),
    ...(hardMuted ? ['lift_hard_mute' as const] : []),
    ...(person.muted && !hardMuted ? ['ask_unmute' as const] : []),
    ...(person.role === 'participant' ? ['make_cohost' as const] : []),
    'remove',
  ]
}
