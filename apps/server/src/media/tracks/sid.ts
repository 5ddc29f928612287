import type { Random } from '../../platform/random.ts'

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const sidLength = 12

/** Generate an unguessable SID in LiveKit's form: `PA_…` for a participant, `TR_…` for a track, `RM_…` for a room. */
export const generateSid = (random: Random, prefix: string) =>
  prefix + Array.from({ length: sidLength }, () => alphabet[random.below(alphabet.length)]).join('')
