import type { Violation } from '@parley/contract'
import { findPersonNameViolation } from '@parley/rules/oauth-apps/name-characters'
import { readTimeZone } from '@parley/rules/recurrence/time-zone'
import { isEmailAddress } from '@parley/rules/text/email-address'
import { findPasswordViolation } from '@parley/rules/text/password'
import { findPlainTextViolation, type PlainTextLimits } from '@parley/rules/text/plain-text'
import { commonPasswords } from '../password/common-passwords.ts'

/** The fields of a person, judged wherever they are sent. A field that was not sent, or was refused before, is sound. */
export function validateEmail(email: string | undefined): Violation[] {
  if (email === undefined || isEmailAddress(email)) return []
  return [{ path: '/email', code: 'bad_format', message: 'email is not an email address.' }]
}

export function validateNewPassword(
  field: string,
  password: string | undefined,
  email: string | undefined,
): Violation[] {
  const fault = password === undefined ? undefined : findPasswordViolation(password, { email, commonPasswords })
  return fault === undefined ? [] : [{ path: `/${field}`, code: fault.code, message: `${field} ${fault.message}.` }]
}

export function validateText(field: string, text: string | undefined, limits: PlainTextLimits): Violation[] {
  const fault = text === undefined ? undefined : findPlainTextViolation(text, limits)
  return fault === undefined ? [] : [{ path: `/${field}`, code: fault.code, message: `${field} ${fault.message}.` }]
}

/** What people call themselves is theirs; what a reader cannot see, or what makes a name read as another one, is not. */
export function validatePersonName(field: string, name: string | undefined, limits: PlainTextLimits): Violation[] {
  const found = validateText(field, name, limits)
  const fault = name === undefined || found.length > 0 ? undefined : findPersonNameViolation(name)
  return fault === undefined ? found : [{ path: `/${field}`, code: fault.code, message: `${field} ${fault.message}.` }]
}

export const nameLimits: PlainTextLimits = { minLength: 1, maxLength: 100 }
export const lastNameLimits: PlainTextLimits = { maxLength: 100 }

/** An empty zone is none. */
export function validateTimeZone(timeZone: string | undefined, aliases: ReadonlyMap<string, string>): Violation[] {
  if (timeZone === undefined || timeZone === '') return []
  const reading = readTimeZone(timeZone, aliases)
  if (reading.kind === 'known') return []
  const nearby = reading.nearby.length === 0 ? '' : ` Did you mean ${reading.nearby.join(', ')}?`
  const message = `There is no such time zone.${nearby} GET /api/time-zones lists the short codes; IANA names are taken as well.`
  return [{ path: '/timeZone', code: 'unknown_time_zone', message }]
}
