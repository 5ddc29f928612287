import type { RoomRole } from '@parley/contract'
import type { AdmissionRow } from './admission-store.ts'
import type { MeetingForEntry } from './meeting-for-entry.ts'

/** A host may lift it from a participant; whoever has just become one is as the meeting has them begin. */
export function isHardMuted(
  own: Pick<AdmissionRow, 'role' | 'hardMuted'> | undefined,
  role: RoomRole,
  { options }: Pick<MeetingForEntry, 'options'>,
): boolean {
  if (role !== 'participant') return false
  return own?.role === 'participant' ? own.hardMuted : options.participantHardAudioMute
}
