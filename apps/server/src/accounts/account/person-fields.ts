import { findPersonNameViolation } from '@parley/rules/oauth-apps/name-characters'
import { readTimeZoneField } from '@parley/rules/recurrence/time-zone'
import { isEmailAddress } from '@parley/rules/text/email-address'
import { mapParsed, type Parsed, refuse, refuseAt } from '@parley/rules/text/parsed'
import { findPasswordViolation, isSameAsEmail, minPasswordLength, sameAsEmail } from '@parley/rules/text/password'
import { type PlainTextLimits, readPlainText } from '@parley/rules/text/plain-text'
import { violationAt } from '@parley/rules/text/violation'
import { dictionary } from '@zxcvbn-ts/language-common'
import { invalidRequest } from '../../platform/http/problem.ts'

export const nameLimits: PlainTextLimits = { minLength: 1, maxLength: 100 }
export const lastNameLimits: PlainTextLimits = { maxLength: 100 }

export const readEmail = (email: string): Parsed<string> =>
  isEmailAddress(email) ? { value: email } : refuseAt('/email', 'bad_format', 'is not an email address')

/** Read a new password; `email` is undefined where the account is not known yet. */
export function readNewPassword(path: string, password: string, email: string | undefined): Parsed<string> {
  const violation = findPasswordViolation(password, { email, commonPasswords })
  return violation === undefined ? { value: password } : refuse(violationAt(path, violation))
}

/**
 * Refuse the account's own address as its new password, where the address was not known when the password was read.
 * @throws invalid_request
 */
export function requireDifferentFromEmail(newPassword: string, email: string): void {
  if (isSameAsEmail(newPassword, email)) throw invalidRequest([violationAt('/newPassword', sameAsEmail)])
}

/** Read a person's name: any name is accepted unless it holds invisible characters or can be read as another one. */
export function readPersonName(path: string, name: string, limits: PlainTextLimits): Parsed<string> {
  const parsed = readPlainText(path, name, limits)
  const violation = parsed.violations === undefined ? findPersonNameViolation(name) : undefined
  return violation === undefined ? parsed : refuse(violationAt(path, violation))
}

/** Read a person's time zone, which is stored as it was sent; an empty one means none. */
export const readPersonTimeZone = (timeZone: string, aliases: ReadonlyMap<string, string>): Parsed<string> =>
  timeZone === '' ? { value: timeZone } : mapParsed(readTimeZoneField('/timeZone', timeZone, aliases), () => timeZone)

/**
 * Passwords that attackers try first, from published breaches, in lower case. Limits on failures leave 960 guesses a
 * day for each account. A score of strength would refuse passphrases in languages that it does not know, and give no
 * reason.
 */
export const commonPasswords: ReadonlySet<string> = new Set(
  // Shorter ones are refused for their length.
  dictionary['passwords-common'].filter((password) => password.length >= minPasswordLength),
)
