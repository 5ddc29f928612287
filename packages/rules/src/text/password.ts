import { addressKey } from './email-address.ts'
import { lengthInCharacters } from './plain-text.ts'

/** In characters. NIST SP 800-63B, 3.1.1.2: length counts, and there are no composition rules. */
export const minPasswordLength = 8
/** Long enough for any passphrase; limited, because hashing cost grows with length. */
export const maxPasswordLength = 256

/** `message` completes a sentence that begins with the field's name. */
type PasswordViolation = { code: 'too_short' | 'too_long' | 'same_as_email' | 'too_common'; message: string }

/**
 * The form in which a password is hashed and compared: NFKC (NIST SP 800-63B, 3.1.1.2), because keyboards encode the
 * same accented letter differently. Spaces and case are kept.
 */
export const normalPassword = (password: string): string => password.normalize('NFKC')

type PasswordContext = {
  /** The address of the account, when it is known. */
  email: string | undefined
  /**
   * Passwords that attackers try first, in lower case. The web app leaves this list to the server, which answers
   * `too_common`.
   */
  commonPasswords?: ReadonlySet<string>
}

/** Validate a new password: long enough, and not among the first guesses (NIST SP 800-63B, 3.1.1.2). */
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
  if (email !== undefined && isSameAsEmail(password, email)) return sameAsEmail
  const key = normal.toLowerCase()
  if (commonPasswords?.has(key) || isRepetition(key) || isSequence(key)) {
    return { code: 'too_common', message: 'must not be a common password or a simple pattern' }
  }
  return undefined
}

export const sameAsEmail: PasswordViolation = { code: 'same_as_email', message: 'must not be the email address' }

export const isSameAsEmail = (password: string, email: string): boolean =>
  addressKey(normalPassword(password)) === addressKey(email)

/** A longer repeated part would be a password of its own. */
const maxRepeatedPart = 4

/** `aaaaaaaa`, `12341234`, `abcabcab`: lists of common passwords do not contain these. */
function isRepetition(text: string): boolean {
  for (let length = 1; length <= maxRepeatedPart; length++) {
    const part = text.slice(0, length)
    if (text === part.repeat(Math.ceil(text.length / length)).slice(0, text.length)) return true
  }
  return false
}

/** `abcdefgh`, `87654321`: each character follows or precedes the one before. */
function isSequence(text: string): boolean {
  const codes = Array.from(text, (character) => character.codePointAt(0) ?? 0)
  const step = (codes[1] ?? 0) - (codes[0] ?? 0)
  return Math.abs(step) === 1 && codes.every((code, at) => at === 0 || code - (codes[at - 1] ?? 0) === step)
}
