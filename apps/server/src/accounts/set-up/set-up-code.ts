import { hash, timingSafeEqual } from 'node:crypto'
import type { Encryption } from '../../platform/encryption.ts'

/** Crockford's base 32: nothing in it is mistaken for another sign when a person copies it from a screen. */
const alphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'

/** 80 bits: not found by trying, and short enough to type. */
const codeLength = 16
const groupLength = 4

/**
 * The code that the first account needs, as it is printed: `7K3M-…`. It is derived from SECRET_KEY, so that all instances
 * print and take the same one, also after they were started anew, and nothing is stored.
 */
export function setUpCodeOf(encryption: Encryption): string {
  const signs = Array.from(encryption.mac('set-up code', 'first account').subarray(0, codeLength), signOf).join('')
  return signs.match(new RegExp(`.{${groupLength}}`, 'g'))?.join('-') ?? signs
}

const signOf = (byte: number) => alphabet[byte % alphabet.length]

/** As people type it: in any case, with or without what separates its groups. */
export const isSetUpCode = (sent: string, code: string): boolean =>
  timingSafeEqual(hash('sha256', plain(sent), 'buffer'), hash('sha256', plain(code), 'buffer'))

const plain = (code: string) =>
  code.toUpperCase().replaceAll(/[\s-]/g, '').replaceAll('O', '0').replaceAll(/[IL]/g, '1')
