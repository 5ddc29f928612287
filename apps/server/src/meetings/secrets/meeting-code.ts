import type { Random } from '../../platform/random.ts'

/** Generate ten digits, the first from 1 to 8: codes of own rooms begin with 9 (docs/api-conventions.md, "Meetings"). */
export const newMeetingCode = (random: Random) =>
  `${1 + random.below(8)}${String(random.below(1_000_000_000)).padStart(9, '0')}`
