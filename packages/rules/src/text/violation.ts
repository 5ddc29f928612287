/** One error in a request: a JSON Pointer (RFC 6901), a stable code, and a sentence. */
export type Violation = { path: string; code: string; message: string }
