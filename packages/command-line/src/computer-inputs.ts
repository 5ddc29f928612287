import { randomBytes } from 'node:crypto'

/** The time and the randomness of the computer, for every file of the command line. */

export const nowMs = (): number => Date.now()

/** 256 random bits. */
export const random = (encoding: 'base64' | 'base64url'): string => randomBytes(32).toString(encoding)
