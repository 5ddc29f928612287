import type { TestContext } from 'node:test'
import { fileURLToPath } from 'node:url'
import { type ExitResult, runUntilExit } from './run-service.ts'

const parley = fileURLToPath(new URL('../../src/parley.ts', import.meta.url))

/** Run `npm run parley -- …` with this environment. */
export const runParley = (
  t: TestContext,
  environment: Record<string, string>,
  ...words: string[]
): Promise<ExitResult> => runUntilExit(t, { environment, command: [process.execPath, parley, ...words] })
