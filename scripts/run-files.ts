import { readFileSync, writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { suite } from 'node:test'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { endProcessSoon } from './end-process.ts'
import { maxFilesOfProcess } from './test-processes.ts'
import { startTimes } from './test-times.ts'

const root = fileURLToPath(new URL('../', import.meta.url))

/**
 * Run a test file in this process, and then those of the queue that no other process has taken, one after the other.
 * Each becomes a suite with its name, so that its hooks apply to it alone.
 * @param queue the path of the queue; absent for a file that has a process of its own
 */
export async function runFiles(file: string, queue: string | undefined): Promise<void> {
  const noteTimes = startTimes()
  const waiting: string[] = queue === undefined ? [] : JSON.parse(readFileSync(queue, 'utf8'))
  let count = 0
  for (const [index, name] of [file, ...waiting].entries()) {
    if (count === maxFilesOfProcess) break
    if (index > 0 && !take(`${queue}.${index}`)) continue
    count++
    // A suite ends before the next file is imported, because two services that start at once compete for two cores.
    await suite(name, async () => void (await import(pathToFileURL(resolve(root, name)).href)))
    noteTimes(name)
  }
  endProcessSoon()
}

/** Take the file that this path stands for; false if another process has. */
function take(path: string): boolean {
  try {
    writeFileSync(path, '', { flag: 'wx' })
    return true
  } catch (error) {
    if (Object(error).code !== 'EEXIST') throw error
    return false
  }
}
