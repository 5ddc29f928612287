import type { Encryption } from '../../platform/encryption.ts'
import { isSameSecret } from '../../platform/sha256.ts'

/** Crockford's base 32, without characters that are easily confused. */
const alphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'

/** 80 bits: cannot be guessed, and short enough to type. */
const codeLength = 16
const groupLength = 4

/**
 * Derive the code for the first account, as printed: `7K3M-…`. It comes from SECRET_KEY, so that all instances print
 * and accept the same one, also after a restart, and nothing is stored.
 */
export function setUpCodeOf(encryption: Encryption): string {
  const characters = Array.from(
    encryption.mac('set-up code', 'first account').subarray(0, codeLength),
    characterOf,
  ).join('')
  return characters.match(new RegExp(`.{${groupLength}}`, 'g'))?.join('-') ?? characters
}

const characterOf = (byte: number) => alphabet[byte % alphabet.length]

/** Compare a typed code, in any case and with or without separators. */
export const isSetUpCode = (sent: string, code: string): boolean => isSameSecret(plain(sent), plain(code))

const plain = (code: string) =>
  code.toUpperCase().replaceAll(/[\s-]/g, '').replaceAll('O', '0').replaceAll(/[IL]/g, '1')
