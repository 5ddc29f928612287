import type { Random } from '../../platform/random.ts'
import { sandboxClientPrefix } from './client-store.ts'

const letters = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

/** 62^24 is more than 2^142: client ids are no secrets, but cannot be guessed. */
const idLength = 24

/**
 * Generate a client id of `[A-Za-z0-9_]`, which needs no encoding in HTTP Basic (RFC 6749, 2.3.1); the prefix marks the
 * sandbox's.
 */
export function newClientId(kind: 'real' | 'sandbox', random: Random): string {
  const id = Array.from({ length: idLength }, () => letters.charAt(random.below(letters.length))).join('')
  return `${kind === 'sandbox' ? sandboxClientPrefix : 'app_'}${id}`
}
