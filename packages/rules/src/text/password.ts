import { addressKey } from './email-address.ts'
import { lengthInCharacters } from './plain-text.ts'

/** Characters. NIST SP 800-63B, 3.1.1.2: length is what counts, and no rules about kinds of characters. */
export const minPasswordLength = 8
/** Room for any passphrase; an end, so that nobody lets us hash megabytes. */
export const maxPasswordLength = 256

/** What is wrong, and a sentence's end that goes after the field's name. */
export type PasswordViolation = { code: 'too_short' | 'too_long' | 'same_as_email' | 'too_common'; message: string }

/**
 * The form in which a password is hashed and compared: NFKC (NIST SP 800-63B, 3.1.1.2), because two keyboards write one
 * accented letter as different code points. Spaces and case are kept.
 */
export const normalPassword = (password: string): string => password.normalize('NFKC')

export type PasswordContext = {
  /** The address of the account, where it is known by then. */
  email: string | undefined
  /** Passwords that attackers try first, in lower case. Pages leave the list to the server, which answers `too_common`. */
  commonPasswords?: ReadonlySet<string>
}

/** Validates a new password: long enough, and not among those that are guessed first (NIST SP 800-63B, 3.1.1.2). */
export function findPasswordViolation(password: string, context: PasswordContext): PasswordViolation | undefined {
  const { email, commonPasswords } = context
  const normal = normalPassword(password)
  const length = lengthInCharacters(normal)
  if (length < minPasswordLength) {
    return { code: 'too_short', message: `must have at least ${minPasswordLength} characters` }
  }
  if (length > maxPasswordLength) {
    return { code: 'too_long', message: `must have at most ${maxPasswordLength} characters` }
  }
  if (email !== undefined && addressKey(normal) === addressKey(email)) {
    return { code: 'same_as_email', message: 'must not be the email address' }
  }
  const key = normal.toLowerCase()
  if (commonPasswords?.has(key) || isRepetition(key) || isSequence(key)) {
    return { code: 'too_common', message: 'must not be a common password or a simple pattern' }
  }
  return undefined
}

/** A longer part would be a password of its own, typed twice. */
const maxRepeatedPart = 4

/** `aaaaaaaa`, `12341234`, `abcabcab`: lists of common passwords leave these to a rule. */
function isRepetition(text: string): boolean {
  for (let length = 1; length <= maxRepeatedPart; length++) {
    const part = text.slice(0, length)
    if (text === part.repeat(Math.ceil(text.length / length)).slice(0, text.length)) return true
  }
  return false
}

/** `abcdefgh`, `87654321`: each character is the next one, or the one before. */
function isSequence(text: string): boolean {
  const codes = Array.from(text, (character) => character.codePointAt(0) ?? 0)
  const step = (codes[1] ?? 0) - (codes[0] ?? 0)
  return Math.abs(step) === 1 && codes.every((code, at) => at === 0 || code - (codes[at - 1] ?? 0) === step)
}
