/** One error in a request: a JSON Pointer (RFC 6901), a stable code, and a sentence. */
export type Violation = { path: string; code: string; message: string }

/** A violation at a JSON Pointer. `message` completes a sentence that begins with the field's name. */
export const violationAt = (path: string, { code, message }: { code: string; message: string }): Violation => ({
  path,
  code,
  message: `${path.slice(1).replaceAll('/', '.')} ${message}.`,
})
