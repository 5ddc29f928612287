import type { Random } from '../../platform/random.ts'

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const sidLength = 12

/** A name that cannot be guessed, as LiveKit forms them: `PA_…` a participant, `TR_…` a track, `RM_…` a room. */
export const generateSid = (random: Random, prefix: string) =>
  prefix + Array.from({ length: sidLength }, () => alphabet[random.below(alphabet.length)]).join('')
