/** One thing that is wrong with what was sent: a JSON Pointer (RFC 6901), a stable code, and a sentence. */
export type Violation = { path: string; code: string; message: string }
