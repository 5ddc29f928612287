/**
 * The fields of a form or a query (application/x-www-form-urlencoded), each with its values in order. A value is a byte
 * string, one character (U+0000 to U+00FF) for each byte, so that it can be returned exactly; `textOf` decodes it.
 */
export type Form = ReadonlyMap<string, readonly string[]>

/** Parse a raw body or query without its question mark. Never fails. */
export function readForm(sent: string): Form {
  const form = new Map<string, string[]>()
  for (const field of sent.split('&')) {
    if (field === '') continue
    const [name = '', ...rest] = field.split('=')
    const values = form.get(bytesOf(name))
    if (values === undefined) form.set(bytesOf(name), [bytesOf(rest.join('='))])
    else values.push(bytesOf(rest.join('=')))
  }
  return form
}

/** Merge two forms. A field of both keeps the values of both. */
export function joinForms(first: Form, second: Form): Form {
  const names = new Set([...first.keys(), ...second.keys()])
  return new Map([...names].map((name) => [name, [...(first.get(name) ?? []), ...(second.get(name) ?? [])]]))
}

/** Write a form as a query, the inverse of `readForm`: each byte that is not unreserved is encoded (RFC 3986, 2.3). */
export const writeForm = (form: Form): string =>
  [...form].flatMap(([name, values]) => values.map((value) => `${encoded(name)}=${encoded(value)}`)).join('&')

/** The one value of a field as text; undefined when it is absent, repeated or not UTF-8. */
export function soleText(form: Form, name: string): string | undefined {
  const [value, ...others] = form.get(name) ?? []
  return value === undefined || others.length > 0 ? undefined : textOf(value)
}

/** Decode a byte string as UTF-8; undefined when it is invalid. */
export function textOf(bytes: string): string | undefined {
  try {
    return utf8.decode(Buffer.from(bytes, 'latin1'))
  } catch {
    return undefined
  }
}

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

const encoded = (bytes: string) =>
  bytes.replaceAll(/[^A-Za-z0-9\-._~]/g, (byte) => `%${byte.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`)

const bytesOf = (sent: string) =>
  sent.replaceAll('+', ' ').replaceAll(/%([\dA-Fa-f]{2})/g, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16)))
