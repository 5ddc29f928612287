import { addViolations, combine, type Parsed, passed } from '@parley/rules/text/parsed'
import { readTimestampField } from '@parley/rules/text/timestamp'
import { type Violation, violationAt } from '@parley/rules/text/violation'

type QueryRange = { from: Date | undefined; to: Date | undefined }

/** An end of the range: its name in the query, the text as sent, and the time that an omitted one means. */
type RangeEnd = { name: string; text: string | undefined; omitted?: Date }

/** Read a time range from a query; either end may be open. */
export function readQueryRange(start: RangeEnd, end: RangeEnd): Parsed<QueryRange> {
  const from = readEnd(start)
  const to = readEnd(end)
  return addViolations(combine({ from, to }), findOrderViolation(from.value, to.value, start.name, end.name))
}

function readEnd({ name, text, omitted }: RangeEnd): Parsed<Date | undefined> {
  if (text === undefined) return omitted === undefined ? passed : { value: omitted }
  return readTimestampField(`/${name}`, text)
}

function findOrderViolation(
  from: Date | undefined,
  to: Date | undefined,
  fromName: string,
  toName: string,
): Violation | undefined {
  if (from === undefined || to === undefined || to > from) return undefined
  return violationAt(`/${toName}`, { code: 'not_after_start', message: `must be after ${fromName}` })
}
