import { type Parsed, refuseAt } from './parsed.ts'

/**
 * ISO 8601. Seconds are optional: Java's OffsetDateTime prints none at a full minute. Leap seconds are refused: Date
 * cannot represent them.
 */
const extendedFormat =
  /^(?<year>\d{4})-(?<month>\d\d)-(?<day>\d\d)T(?<hour>[01]\d|2[0-3]):(?<minute>[0-5]\d)(?::(?<second>[0-5]\d)(?:[.,]\d{1,9})?)?(?:Z|(?<sign>[+-])(?<offsetHour>[01]\d|2[0-3])(?::?(?<offsetMinute>[0-5]\d))?)$/i
const basicFormat =
  /^(?<year>\d{4})(?<month>\d\d)(?<day>\d\d)T(?<hour>[01]\d|2[0-3])(?<minute>[0-5]\d)(?:(?<second>[0-5]\d)(?:[.,]\d{1,9})?)?(?:Z|(?<sign>[+-])(?<offsetHour>[01]\d|2[0-3])(?::?(?<offsetMinute>[0-5]\d))?)$/i

/** Read an ISO 8601 timestamp with an offset, truncated to seconds; undefined when it is invalid, as 30 February is. */
export function readTimestamp(text: string): Date | undefined {
  const fields = (extendedFormat.exec(text) ?? basicFormat.exec(text))?.groups
  if (fields === undefined) return undefined
  const number = (name: string) => Number(fields[name] ?? 0)
  const [month, day] = [number('month'), number('day')]
  const local = new Date(0)
  // Unlike Date.UTC, these read the years 0 to 99 as such.
  local.setUTCFullYear(number('year'), month - 1, day)
  local.setUTCHours(number('hour'), number('minute'), number('second'))
  // Date reads 30 February as 2 March.
  if (local.getUTCMonth() !== month - 1 || local.getUTCDate() !== day) return undefined
  const offsetMs = (number('offsetHour') * 60 + number('offsetMinute')) * 60_000
  return new Date(local.getTime() - (fields.sign === '-' ? -offsetMs : offsetMs))
}

/** Read a timestamp at a JSON Pointer of a request. */
export function readTimestampField(path: string, text: string): Parsed<Date> {
  const instant = readTimestamp(text)
  if (instant !== undefined) return { value: instant }
  return refuseAt(path, 'bad_format', 'must be an ISO 8601 timestamp with an offset, such as 2026-11-21T09:00:00Z')
}
