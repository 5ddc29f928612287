import type { Random } from '../../platform/random.ts'

/** The permanent code of a person's room: ten digits that begin with 9; those of meetings begin with 1 to 8. */
export const newRoomCode = (random: Random): string => `9${String(random.below(1_000_000_000)).padStart(9, '0')}`
