import type { Violation } from '@parley/contract'
import { notATimestamp } from '@parley/rules/meetings/meeting-times'
import { readTimestamp } from '@parley/rules/text/timestamp'

export type QueryRange = { from: Date | undefined; to: Date | undefined }

type Sent = { name: string; text: string | undefined }

/** Read a time range from a query; either end may be open. Appends its violations. */
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
