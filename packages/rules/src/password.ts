import { addressKey } from './email-address.ts'
import { lengthInCharacters } from './plain-text.ts'

/** Characters. NIST SP 800-63B, 3.1.1.2: length is what counts, and no rules about kinds of characters. */
export const shortestPassword = 8
/** Room for any passphrase; an end, so that nobody lets us hash megabytes. */
export const longestPassword = 256

/** What is wrong, and a sentence's end that goes after the field's name. */
export type PasswordFault = { code: 'too_short' | 'too_long' | 'same_as_email'; message: string }

/**
 * The form in which a password is hashed and compared: NFKC (NIST SP 800-63B, 3.1.1.2), because two keyboards write one
 * accented letter as different code points. Spaces and case are kept.
 */
export const normalPassword = (password: string): string => password.normalize('NFKC')

/** Judges a password that somebody chooses. The address itself is what is guessed first. */
export function passwordFault(password: string, email: string | undefined): PasswordFault | undefined {
  const normal = normalPassword(password)
  const length = lengthInCharacters(normal)
  if (length < shortestPassword) {
    return { code: 'too_short', message: `must have at least ${shortestPassword} characters` }
  }
  if (length > longestPassword) {
    return { code: 'too_long', message: `must have at most ${longestPassword} characters` }
  }
  if (email !== undefined && addressKey(normal) === addressKey(email)) {
    return { code: 'same_as_email', message: 'must not be the e-mail address' }
  }
  return undefined
}
