import type { Violation } from '@parley/contract'
import { findPersonNameViolation } from '@parley/rules/oauth-apps/name-characters'
import { readTimeZone } from '@parley/rules/recurrence/time-zone'
import { isEmailAddress } from '@parley/rules/text/email-address'
import { findPasswordViolation } from '@parley/rules/text/password'
import { findPlainTextViolation, type PlainTextLimits } from '@parley/rules/text/plain-text'
import { commonPasswords } from './common-passwords.ts'

/** Validate fields of a person. A field that is absent, or that the schema has refused, has no violation. */
export function validateEmail(email: string | undefined): Violation[] {
  if (email === undefined || isEmailAddress(email)) return []
  return [{ path: '/email', code: 'bad_format', message: 'email is not an email address.' }]
}

export function validateNewPassword(
  field: string,
  password: string | undefined,
  email: string | undefined,
): Violation[] {
  const violation = password === undefined ? undefined : findPasswordViolation(password, { email, commonPasswords })
  return violation === undefined
    ? []
    : [{ path: `/${field}`, code: violation.code, message: `${field} ${violation.message}.` }]
}

export function validateText(field: string, text: string | undefined, limits: PlainTextLimits): Violation[] {
  const violation = text === undefined ? undefined : findPlainTextViolation(text, limits)
  return violation === undefined
    ? []
    : [{ path: `/${field}`, code: violation.code, message: `${field} ${violation.message}.` }]
}

/**
 * Validate a person's name: any name is accepted unless it holds invisible characters or can be read as another one.
 */
export function validatePersonName(field: string, name: string | undefined, limits: PlainTextLimits): Violation[] {
  const found = validateText(field, name, limits)
  const violation = name === undefined || found.length > 0 ? undefined : findPersonNameViolation(name)
  return violation === undefined
    ? found
    : [{ path: `/${field}`, code: violation.code, message: `${field} ${violation.message}.` }]
}

export const nameLimits: PlainTextLimits = { minLength: 1, maxLength: 100 }
export const lastNameLimits: PlainTextLimits = { maxLength: 100 }

/** Validate a time zone; an empty one means none. */
export function validateTimeZone(timeZone: string | undefined, aliases: ReadonlyMap<string, string>): Violation[] {
  if (timeZone === undefined || timeZone === '') return []
  const reading = readTimeZone(timeZone, aliases)
  if (reading.kind === 'known') return []
  const nearby = reading.nearby.length === 0 ? '' : ` Did you mean ${reading.nearby.join(', ')}?`
  const message = `There is no such time zone.${nearby} GET /api/time-zones lists the short codes; IANA names are taken as well.`
  return [{ path: '/timeZone', code: 'unknown_time_zone', message }]
}
