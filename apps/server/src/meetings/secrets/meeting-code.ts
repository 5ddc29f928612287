import type { Random } from '../../platform/random.ts'

/** Ten digits, the first from 1 to 8: codes that begin with 9 are people's own rooms (meetings.md 1). */
export const newMeetingCode = (random: Random) =>
  `${1 + random.below(8)}${String(random.below(1_000_000_000)).padStart(9, '0')}`
