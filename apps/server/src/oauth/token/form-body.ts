import { lengthInCharacters } from '@parley/rules/text/plain-text'
import type { TObject } from 'typebox'
import { TokenRefusal } from './token-errors.ts'

/** Many times the size of a request with a long redirect URI. */
export const maxFormBytes = 32 * 1024

/** A body that is not a form: the parameters of a client that sends JSON, most often. */
export class OtherBody {
  readonly mediaType: string
  readonly text: string

  constructor(contentType: string, text: string) {
    const [sent = ''] = contentType.toLowerCase().split(';')
    this.mediaType = mediaTypeForm.test(sent.trim()) ? sent.trim() : 'of another type'
    this.text = text
  }

  /** The client id in a JSON object; undefined in any other body. */
  get clientId(): string | undefined {
    try {
      const { client_id: clientId } = Object(JSON.parse(this.text)) as { client_id?: unknown }
      return typeof clientId === 'string' ? clientId : undefined
    } catch {
      return undefined
    }
  }
}

/** Names that are registered are shorter (RFC 6838, 4.2). */
const mediaTypeForm = /^[a-z0-9.+-]{1,60}\/[a-z0-9.+-]{1,60}$/

/** The fields of a form with their maximum lengths in characters. */
export type FormFields<Name extends string> = Readonly<Record<Name, number>>

/** Read the fields of an endpoint's form from the contract. */
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
 * Read the named fields of a form; others are ignored. A field without a value counts as absent, a repeated or too long
 * one is refused (RFC 6749, 3.2). @throws TokenRefusal
 */
export function readFields<Name extends string>(
  sent: URLSearchParams,
  fields: FormFields<Name>,
): Partial<Record<Name, string>> {
  const form: Partial<Record<Name, string>> = {}
  for (const [name, maxLength] of Object.entries(fields) as [Name, number][]) {
    const [value, ...others] = sent.getAll(name)
    if (others.length > 0) {
      // RFC 8707, 2, permits several resources, which servers may refuse.
      const code = name === 'resource' ? 'invalid_target' : 'invalid_request'
      throw new TokenRefusal(code, `${name} was sent more than once.`, { isExact: true })
    }
    if (value === undefined || value === '') continue
    if (lengthInCharacters(value) > maxLength) {
      throw new TokenRefusal('invalid_request', `${name} has more than ${maxLength} characters.`, { isExact: true })
    }
    // PostgreSQL cannot store NUL, and no issued or registered value contains one.
    if (value.includes('\0')) {
      throw new TokenRefusal('invalid_request', `${name} holds a NUL character.`, { isExact: true })
    }
    form[name] = value
  }
  return form
}
