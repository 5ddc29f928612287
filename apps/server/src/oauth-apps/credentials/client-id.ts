import type { Random } from '../../platform/random.ts'
import { sandboxClientPrefix } from './client-store.ts'

const letters = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

/** 62^24 is more than 2^142: an id is no secret, but nobody finds one by trying. */
const idLength = 24

/** Of `[A-Za-z0-9_]` alone, so that no client has to encode it (oauth.md 1); the prefix tells the sandbox's apart. */
export function newClientId(kind: 'real' | 'sandbox', random: Random): string {
  const id = Array.from({ length: idLength }, () => letters.charAt(random.below(letters.length))).join('')
  return `${kind === 'sandbox' ? sandboxClientPrefix : 'app_'}${id}`
}
