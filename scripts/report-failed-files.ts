import { resolve } from 'node:path'
import type { TestEvent } from 'node:test/reporters'

/**
 * A reporter of Node's test runner: the files in which something failed, a line each. A file that ended before its time is
 * itself a test that failed, by its name.
 */
// biome-ignore lint/style/noDefaultExport: Node's test runner loads a reporter by it
export default async function* reportFailedFiles(events: AsyncIterable<TestEvent>): AsyncGenerator<string> {
  for await (const { type, data } of events) {
    if (type === 'test:summary' && !data.success && data.file !== undefined) yield `${data.file}\n`
    if (type === 'test:fail' && data.nesting === 0) yield `${resolve(data.name)}\n`
  }
}
