/**
 * The fields of a form or a query (application/x-www-form-urlencoded), each with its values in their order. A value is a
 * byte string, one character (U+0000 to U+00FF) for each byte that was sent, so that it can go back exactly; `textOf`
 * makes text of it.
 */
export type Form = ReadonlyMap<string, readonly string[]>

/** Reads what was sent, as it came over the wire: a body or a query without its question mark. Nothing is refused. */
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

/** Two forms as one; what stands in both is there twice. */
export function joinForms(one: Form, other: Form): Form {
  const names = new Set([...one.keys(), ...other.keys()])
  return new Map([...names].map((name) => [name, [...(one.get(name) ?? []), ...(other.get(name) ?? [])]]))
}

/** The one value of a field as text; undefined when it is absent, repeated or not UTF-8. */
export function soleText(form: Form, name: string): string | undefined {
  const [value, ...others] = form.get(name) ?? []
  return value === undefined || others.length > 0 ? undefined : textOf(value)
}

/** The text that a byte string is in UTF-8; undefined when it is none. */
export function textOf(bytes: string): string | undefined {
  try {
    return utf8.decode(Buffer.from(bytes, 'latin1'))
  } catch {
    return undefined
  }
}

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

const bytesOf = (encoded: string) =>
  encoded
    .replaceAll('+', ' ')
    .replaceAll(/%([\dA-Fa-f]{2})/g, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16)))
