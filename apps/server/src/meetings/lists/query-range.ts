import type { Violation } from '@parley/contract'
import { notATimestamp } from '@parley/rules/meetings/meeting-times'
import { readTimestamp } from '@parley/rules/text/timestamp'

export type QueryRange = { from: Date | undefined; to: Date | undefined }

type Sent = { name: string; text: string | undefined }

/** Reads a span of time out of a query, either end of which may be open, and adds what is wrong with it. */
export function readQueryRange(fromSent: Sent, toSent: Sent, violations: Violation[]): QueryRange {
  const read = ({ name, text }: Sent) => {
    const instant = text === undefined ? undefined : readTimestamp(text)
    if (text !== undefined && instant === undefined) {
      violations.push({ path: `/${name}`, code: 'bad_format', message: notATimestamp(name) })
    }
    return instant
  }
  const range = { from: read(fromSent), to: read(toSent) }
  if (range.from !== undefined && range.to !== undefined && range.to <= range.from) {
    const message = `${toSent.name} must be after ${fromSent.name}.`
    violations.push({ path: `/${toSent.name}`, code: 'not_after_start', message })
  }
  return range
}
