import type { TestEvent } from 'node:test/reporters'

/**
 * A reporter for Node's test runner: the test files that passed, one per line. A file is a suite with its name
 * (`scripts/run-files.ts`). A file that is missing has failed, or was not reached because its process ended before.
 */
// biome-ignore lint/style/noDefaultExport: Node's test runner loads a reporter by it
export default async function* reportPassedFiles(events: AsyncIterable<TestEvent>): AsyncGenerator<string> {
  for await (const { type, data } of events) {
    if (type === 'test:pass' && data.nesting === 0 && data.details.type === 'suite') yield `${data.name}\n`
  }
}
