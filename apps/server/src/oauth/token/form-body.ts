import { lengthInCharacters } from '@parley/rules/text/plain-text'
import type { TObject } from 'typebox'
import { TokenRefusal } from './token-errors.ts'

/** What is asked of an app is a few short values; a state or a long redirect URI fits many times over. */
export const maxFormBytes = 32 * 1024

/** The fields of a form, each with the most characters that it may have. */
export type FormFields<Name extends string> = Readonly<Record<Name, number>>

/** The fields of an endpoint's form, as the contract describes them. */
export function formFieldsOf(endpoint: string, { properties }: TObject): FormFields<string> {
  return Object.fromEntries(
    Object.entries(properties).map(([name, property]) => {
      if (!('maxLength' in property) || typeof property.maxLength !== 'number') {
        throw new TypeError(`${endpoint}: ${name} has no maximum length`)
      }
      return [name, property.maxLength]
    }),
  )
}

/**
 * Reads the named fields of an `application/x-www-form-urlencoded` body; what has another name is ignored. A field without
 * a value counts as not sent, one that is repeated or too long is refused (RFC 6749, 3.2).
 */
export function readForm<Name extends string>(body: unknown, fields: FormFields<Name>): Partial<Record<Name, string>> {
  const form: Partial<Record<Name, string>> = {}
  const sent = new URLSearchParams(typeof body === 'string' ? body : '')
  for (const [name, maxLength] of Object.entries(fields) as [Name, number][]) {
    const [value, ...others] = sent.getAll(name)
    if (others.length > 0) throw new TokenRefusal('invalid_request', `${name} was sent more than once.`)
    if (value === undefined || value === '') continue
    if (lengthInCharacters(value) > maxLength) {
      throw new TokenRefusal('invalid_request', `${name} has more than ${maxLength} characters.`)
    }
    // PostgreSQL stores none, and nothing that we issue or register holds one.
    if (value.includes('\0')) throw new TokenRefusal('invalid_request', `${name} holds a NUL character.`)
    form[name] = value
  }
  return form
}
