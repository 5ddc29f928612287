import { writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'

/**
 * Distribute the files among processes. A process that starts the service first loads several hundred modules, which
 * takes longer than most files' tests. A file that ends its process keeps the rest of its group from running, so groups
 * stay small. Adjacent files, such as the stories of one module, are often equally slow, so they are dealt out in
 * turns.
 * @param minGroups the number of processes that run at once: no group is larger than an equal share of the files
 * @returns groups with at most `maxFiles` each
 */
export function groupFiles(files: readonly string[], maxFiles: number, minGroups: number): string[][] {
  const count = Math.max(Math.ceil(files.length / maxFiles), Math.min(minGroups, files.length))
  return Array.from({ length: count }, (_, index) => files.filter((_, position) => position % count === index))
}

/**
 * Write a file for each group into `folder`. Each test file becomes a suite with its name, so that its hooks apply to
 * it alone.
 * @returns the paths of the written files, for Node's test runner
 */
export function writeGroups(groups: readonly string[][], root: string, folder: string): Promise<string[]> {
  return Promise.all(
    groups.map(async (files, index) => {
      const path = join(folder, `group-${index}.test.mjs`)
      await writeFile(path, groupText(root, files))
      return path
    }),
  )
}

/**
 * Each suite ends before the next file is imported, because two services that start at once compete for two processor
 * cores.
 */
function groupText(root: string, files: readonly string[]) {
  const suites = files.map((file) => [file, pathToFileURL(resolve(root, file)).href])
  return `import { suite } from 'node:test'
import { endProcessSoon } from ${JSON.stringify(new URL('end-process.ts', import.meta.url))}
for (const [file, url] of ${JSON.stringify(suites)}) await suite(file, async () => { await import(url) })
endProcessSoon()
`
}
