import assert from 'node:assert/strict'
import { type Config, readConfig } from '../src/platform/config/config.ts'
import type { Environment } from '../src/platform/config/environment.ts'

/** The configuration of an environment that is accepted. */
export function configOf(environment: Environment): Config {
  const reading = readConfig(environment)
  assert.deepEqual(reading.kind === 'refused' ? reading.problems : [], [])
  assert.ok(reading.kind === 'read')
  return reading.config
}

/** The sentences with which an environment is refused; none where it is accepted. */
export function problemsOf(environment: Environment): string[] {
  const reading = readConfig(environment)
  return reading.kind === 'refused' ? reading.problems : []
}
