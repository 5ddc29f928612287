import { globSync, statSync } from 'node:fs'
import { resolve } from 'node:path'

/** Separates the patterns of an npm script from the names that its user adds. */
export const unlessNamed = '--unless-named'

export type Selection = {
  files: string[]
  /** Names that match no file. */
  unmatched: string[]
  /** Whether names selected the files. */
  isNamed: boolean
  /** Options for Node's test runner. */
  options: string[]
}

/**
 * Select the test files of a command line. Its patterns before `unlessNamed`, or `everything` where there are none, run
 * unless names follow: a file, a pattern, or how the paths of some of those files begin.
 */
export function selectTestFiles(
  root: string,
  commandLine: readonly string[],
  everything: readonly string[],
): Selection {
  const end = commandLine.indexOf(unlessNamed)
  const patterns = end === -1 ? everything : commandLine.slice(0, end)
  const rest = commandLine.slice(end + 1)
  const names = rest.filter((argument) => !argument.startsWith('--'))
  const options = rest.filter((argument) => argument.startsWith('--'))
  const filesOf = (pattern: string | readonly string[]) =>
    globSync(pattern, { cwd: root, exclude: ['**/node_modules/**'] }).filter((file) =>
      statSync(resolve(root, file)).isFile(),
    )
  const usual = filesOf(patterns)
  if (names.length === 0) return { files: usual, unmatched: [], isNamed: false, options }
  const selected = names.map((name) => {
    const exact = filesOf(name)
    return { name, files: exact.length > 0 ? exact : usual.filter((file) => file.startsWith(name)) }
  })
  return {
    files: [...new Set(selected.flatMap(({ files }) => files))],
    unmatched: selected.filter(({ files }) => files.length === 0).map(({ name }) => name),
    isNamed: true,
    options,
  }
}
