import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { after } from 'node:test'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

const root = fileURLToPath(new URL('../../', import.meta.url))

/** Installing from the registry, on a slow connection. */
const timeoutMs = 10 * 60_000

/** The machine's programs without those of this repository, which npm puts first: another Node, another TypeScript. */
const environment = {
  ...process.env,
  PATH: (process.env.PATH ?? '')
    .split(delimiter)
    .filter((folder) => !folder.includes('node_modules'))
    .join(delimiter),
}

export type CleanProject = {
  folder: string
  write(file: string, text: string): Promise<void>
  /** @returns the output, also of a program that fails */
  outcomeOf(program: string, words: readonly string[], variables?: Record<string, string>): Promise<Outcome>
  /** Run a program that must succeed. @returns its standard output */
  run(program: string, words: readonly string[], variables?: Record<string, string>): Promise<string>
}

type Outcome = { code: number; stdout: string; stderr: string }

/** A new folder outside the repository, in which `npm init` has run. */
export async function createCleanProject(): Promise<CleanProject> {
  const folder = await mkdtemp(join(tmpdir(), 'parley-clean-'))
  after(() => rm(folder, { recursive: true, force: true }))
  const outcomeOf: CleanProject['outcomeOf'] = async (program, words, variables = {}) => {
    const options = { cwd: folder, env: { ...environment, ...variables }, timeout: timeoutMs }
    try {
      return { code: 0, ...(await promisify(execFile)(program, words, options)) }
    } catch (error) {
      const { code, stdout = '', stderr = '' } = error as Partial<Outcome>
      assert.equal(typeof code, 'number', `${program} could not be run, or took too long: ${error}`)
      return { code: Number(code), stdout, stderr }
    }
  }
  const run: CleanProject['run'] = async (program, words, variables) => {
    const { code, stdout, stderr } = await outcomeOf(program, words, variables)
    assert.equal(code, 0, `${program} ${words.join(' ')}\n${stdout}\n${stderr}`)
    return stdout
  }
  await run('npm', ['init', '--yes'])
  await run('npm', ['pkg', 'set', 'type=module'])
  return { folder, outcomeOf, run, write: (file, text) => writeFile(join(folder, file), text) }
}

/** The version that this repository has installed. */
export async function versionOf(name: string): Promise<string> {
  return JSON.parse(await readFile(join(root, 'node_modules', name, 'package.json'), 'utf8')).version
}

/** The first block of docs/client.md under a heading. */
export async function programOf(heading: string): Promise<string> {
  const page = await readFile(join(root, 'docs/client.md'), 'utf8')
  const section = page.split(/^## /m).find((text) => text.startsWith(`${heading}\n`))
  const [, program] = /^```ts\n([\s\S]*?)^```$/m.exec(section ?? '') ?? []
  assert.ok(program !== undefined, `docs/client.md has no program under "${heading}"`)
  return program
}
