import { type Reading, refuse } from './reading.ts'

// RFC 3339, 5.6. Leap seconds are refused: Date cannot represent them.
const rfc3339 =
  /^\d{4}-\d{2}-\d{2}T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d{1,9})?(?:Z|[+-](?:[01]\d|2[0-3]):[0-5]\d)$/i

/** Read an RFC 3339 timestamp, truncated to seconds; undefined when it is invalid, including 30 February. */
export function readTimestamp(text: string): Date | undefined {
  if (!rfc3339.test(text)) return undefined
  // Date reads 30 February as 2 March.
  const dayOfMonth = new Date(text.slice(0, 'YYYY-MM-DD'.length)).getUTCDate()
  if (dayOfMonth !== Number(text.slice('YYYY-MM-'.length, 'YYYY-MM-DD'.length))) return undefined
  return new Date(Math.floor(Date.parse(text.toUpperCase()) / 1000) * 1000)
}

/** Read a timestamp at a JSON Pointer of a request. */
export function readTimestampField(path: string, text: string): Reading<Date> {
  const instant = readTimestamp(text)
  if (instant !== undefined) return { value: instant }
  const name = path.slice(path.lastIndexOf('/') + 1)
  const message = `${name} must be an RFC 3339 timestamp with an offset, such as 2026-11-21T09:00:00Z.`
  return refuse({ path, code: 'bad_format', message })
}
