import type { Random } from '../../platform/random.ts'

/** Without 0, o, 1, l and i, which are confused when read aloud or typed from paper. */
const alphabet = '23456789abcdefghjkmnpqrstuvwxyz'
const pinLength = 6

/** Generate the PIN of a meeting or a room: 31^6, some 887 million. */
export const newPin = (random: Random): string =>
  Array.from({ length: pinLength }, () => alphabet.charAt(random.below(alphabet.length))).join('')

/** Generate the code of a meeting: ten digits that begin with 1 to 8 (docs/meetings.md, "Who sees what"). */
export const newMeetingCode = (random: Random): string => `${1 + random.below(8)}${nineDigits(random)}`

/** Generate the permanent code of a person's room: ten digits that begin with 9. */
export const newRoomCode = (random: Random): string => `9${nineDigits(random)}`

const nineDigits = (random: Random) => String(random.below(1_000_000_000)).padStart(9, '0')
