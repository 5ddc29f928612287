declare const namesItsField: unique symbol

/** A sentence that begins with the name of its field. Only `violationAt` makes one. */
type FieldSentence = string & { readonly [namesItsField]: true }

/** One error in a request: a JSON Pointer (RFC 6901), a stable code, and a sentence that names the field as the pointer does. */
export type Violation = { path: string; code: string; message: FieldSentence }

/** A violation at a JSON Pointer. `message` completes a sentence that begins with the field's name, without its full stop. */
export const violationAt = (path: string, { code, message }: { code: string; message: string }): Violation => ({
  path,
  code,
  message: `${fieldOf(path)} ${message}.` as FieldSentence,
})

/** The field of a JSON Pointer as sentences name it: `repeatOptions.endDate`, `participants.0`. */
const fieldOf = (path: string) =>
  path === '' ? 'The body' : path.slice(1).replaceAll('/', '.').replaceAll('~1', '/').replaceAll('~0', '~')
