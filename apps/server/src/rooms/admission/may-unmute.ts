import type { RoomRole } from '@parley/contract'
import type { AdmissionRow } from './admission-store.ts'
import type { MeetingForEntry } from './meeting-for-entry.ts'

/**
 * Whether a person is hard-muted: never a host or cohost; a participant by the stored admission, from which a host may
 * have lifted it; a new participant by the meeting's option.
 */
export function isHardMuted(
  own: Pick<AdmissionRow, 'role' | 'hardMuted'> | undefined,
  role: RoomRole,
  { options }: Pick<MeetingForEntry, 'options'>,
): boolean {
  if (role !== 'participant') return false
  return own?.role === 'participant' ? own.hardMuted : options.participantHardAudioMute
}
