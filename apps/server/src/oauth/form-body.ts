import { TokenRefusal } from './token-errors.ts'

/** What is asked of an app is a few short values; a state or a long redirect URI fits many times over. */
export const longestFormBytes = 32 * 1024

/**
 * Reads the named fields of an `application/x-www-form-urlencoded` body; what has another name is ignored. A field without
 * a value counts as not sent, a repeated one is refused (RFC 6749, 3.2).
 */
export function readForm<Name extends string>(body: unknown, names: readonly Name[]): Partial<Record<Name, string>> {
  const form: Partial<Record<Name, string>> = {}
  const sent = new URLSearchParams(typeof body === 'string' ? body : '')
  for (const name of names) {
    const [value, ...others] = sent.getAll(name)
    if (others.length > 0) throw new TokenRefusal('invalid_request', `${name} was sent more than once.`)
    if (value === undefined || value === '') continue
    // PostgreSQL stores none, and nothing that we issue or register holds one.
    if (value.includes('\0')) throw new TokenRefusal('invalid_request', `${name} holds a NUL character.`)
    form[name] = value
  }
  return form
}
