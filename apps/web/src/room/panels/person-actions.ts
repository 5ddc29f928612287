import type { Participant } from '@parley/client/join'
import type { ParticipantAction, RoomRole } from '@parley/contract'

/** Actions of the API, and those that clients send to each other. `RightsDialog` has the others of the API. */
export type PersonAction = Exclude<ParticipantAction, 'hard_mute' | `${'allow' | 'forbid'}_${string}`> | 'lower_hand'

type ActionContext = {
  myRole: RoomRole | null
  person: Pick<Participant, 'isMe' | 'role' | 'muted' | 'handPlace' | 'camera' | 'screen'>
  hardMuted: boolean
  /** Made a cohost in the room, and not one of the meeting itself. */
  madeCohost: boolean
  /** A host who is not the account that hosts the meeting, which the caller is. */
  removableHost: boolean
}

/** Actions that a question precedes: they change what a participant may do. */
const confirmedActions = [
  'remove',
  'make_cohost',
  'remove_cohost',
  'make_host',
  'remove_host',
] as const satisfies readonly PersonAction[]
export type ConfirmedAction = (typeof confirmedActions)[number]

export const isConfirmed = (action: PersonAction): action is ConfirmedAction =>
  confirmedActions.some((one) => one === action)

/** The available actions on a participant, in the menu's order; the service decides again. */
export function actionsFor({ myRole, person, hardMuted, madeCohost, removableHost }: ActionContext): PersonAction[] {
  const hosting = myRole === 'host' || myRole === 'cohost'
  if (!hosting || person.isMe) return []
  const handUp = person.handPlace !== null
  const lower: PersonAction[] = handUp ? ['lower_hand'] : []
  // Cohosts have no other actions on the host.
  if (myRole === 'cohost' && person.role === 'host') return lower
  return [
    ...(hardMuted ? ['lift_hard_mute' as const] : []),
    ...lower,
    ...(person.muted ? [] : ['mute' as const]),
    ...(person.muted && !hardMuted ? ['ask_unmute' as const] : []),
    ...(person.camera === null ? [] : ['stop_camera' as const]),
    ...(person.screen === null ? [] : ['stop_share' as const]),
    ...(myRole === 'host' && person.role === 'participant' ? ['make_cohost' as const] : []),
    ...(myRole === 'host' && madeCohost ? ['remove_cohost' as const] : []),
    ...(myRole === 'host' && person.role !== 'host' ? ['make_host' as const] : []),
    ...(removableHost ? ['remove_host' as const] : []),
    'remove',
  ]
}
