import type { TestContext } from 'node:test'
import { fileURLToPath } from 'node:url'
import { type Ending, runToItsEnd } from './run-service.ts'

const parley = fileURLToPath(new URL('../../src/parley.ts', import.meta.url))

/** `npm run parley -- …` in these surroundings. */
export const runParley = (t: TestContext, environment: Record<string, string>, ...words: string[]): Promise<Ending> =>
  runToItsEnd(t, { environment, command: [process.execPath, parley, ...words] })
