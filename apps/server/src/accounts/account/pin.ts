import type { Random } from '../../platform/random.ts'

/** Without 0, o, 1, l and i: read aloud and typed from paper, they are mistaken for one another. */
const alphabet = '23456789abcdefghjkmnpqrstuvwxyz'
const pinLength = 6

/** The PIN of a meeting or a room (meetings.md 1): 31^6, some 887 million of them. */
export const newPin = (random: Random): string =>
  Array.from({ length: pinLength }, () => alphabet.charAt(random.below(alphabet.length))).join('')
