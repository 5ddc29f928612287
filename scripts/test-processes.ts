import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

/** How many files a process runs at most: files leave things behind, and a process that ran a hundred held 800 MB. */
export const maxFilesOfProcess = 64
/** The last processes find fewer files, so that all end at about the same time. */
const usualFilesOfProcess = 56

export type TestProcesses = {
  /** Files that have a process each. */
  alone: readonly string[]
  /** Files that share processes, in the order in which they are taken. */
  shared: readonly string[]
  /** How many processes run at once. */
  concurrency: number
}

/**
 * Write a script for each process into `folder`, for Node's test runner. A process that starts the service first loads
 * a thousand modules and compiles what it runs, which takes longer than most files' tests, so files share processes.
 * Each process begins with a file of its own, and then takes files that no other has taken. When a process ends before
 * its time, the others run the rest.
 * @returns the paths of the scripts
 */
export async function writeProcesses({ alone, shared, concurrency }: TestProcesses, folder: string): Promise<string[]> {
  await mkdir(folder)
  const count = Math.max(Math.ceil(shared.length / usualFilesOfProcess), concurrency)
  const queue = join(folder, 'queue.json')
  await writeFile(queue, JSON.stringify(shared.slice(count)))
  const processes = [
    ...alone.map((file) => ({ file, taken: undefined })),
    ...shared.slice(0, count).map((file) => ({ file, taken: queue })),
  ]
  return Promise.all(
    processes.map(async ({ file, taken }, index) => {
      const path = join(folder, `${String(index).padStart(3, '0')}.test.mjs`)
      await writeFile(path, scriptText(file, taken))
      return path
    }),
  )
}

const scriptText = (file: string, queue: string | undefined) =>
  `import ${JSON.stringify(new URL('error-attribution.ts', import.meta.url))}
const { runFiles } = await import(${JSON.stringify(new URL('run-files.ts', import.meta.url))})
await runFiles(${JSON.stringify(file)}, ${JSON.stringify(queue)})
`
