import type { Reading } from '@parley/rules/text/reading'
import type { Violation } from '@parley/rules/text/violation'
import { problem } from '../platform/http/problem.ts'

/** Return the value of a reading of an app. @throws invalid_app with all violations */
export function requireValid<Value>(reading: Reading<Value>): Value {
  if (reading.violations !== undefined) throw invalidApp(reading.violations)
  return reading.value
}

export const invalidApp = (violations: readonly Violation[]) =>
  problem('invalid_app', { detail: violations.map(({ message }) => message).join(' '), violations })
