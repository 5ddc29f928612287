import { hash, timingSafeEqual } from 'node:crypto'

/** Hash a text or bytes into 32 bytes. */
export const sha256 = (data: string | Buffer): Buffer => hash('sha256', data, 'buffer')

/** Compare secrets in constant time. Comparing digests makes the time independent of the length, too. */
export const isSameSecret = (sent: string, secret: string): boolean => timingSafeEqual(sha256(sent), sha256(secret))
