import type { Violation } from '@parley/contract'
import { notATimestamp } from '@parley/rules/meeting-times'
import { readTimestamp } from '@parley/rules/timestamp'
import { invalidRequest } from '../platform/problem.ts'

/**
 * Reads a span of time out of a query; either end may be open.
 * @throws invalid_request naming the parameter that is no timestamp, or the end that is not after the start
 */
export function readQueryRange(
  fromName: string,
  fromText: string | undefined,
  toName: string,
  toText: string | undefined,
): { from: Date | undefined; to: Date | undefined } {
  const violations: Violation[] = []
  const read = (name: string, text: string | undefined) => {
    const instant = text === undefined ? undefined : readTimestamp(text)
    if (text !== undefined && instant === undefined) {
      violations.push({ path: `/${name}`, code: 'bad_format', message: notATimestamp(name) })
    }
    return instant
  }
  const from = read(fromName, fromText)
  const to = read(toName, toText)
  if (from !== undefined && to !== undefined && to <= from) {
    violations.push({ path: `/${toName}`, code: 'not_after_start', message: `${toName} must be after ${fromName}.` })
  }
  if (violations.length > 0) throw invalidRequest(violations)
  return { from, to }
}
