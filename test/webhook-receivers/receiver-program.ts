import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { docBlocks } from '../docs/doc-blocks.ts'

const dependencies = fileURLToPath(new URL('../../node_modules', import.meta.url))

/** A receiver of docs/webhooks.md. */
export type PageProgram = {
  heading: string
  language: 'js' | 'python' | 'go'
  fileName: string
  /** The command that runs the file; compiles it first, where it has to be. */
  commandOf(file: string): Promise<string[]>
}

export type RunningProgram = {
  url: string
  /** The lines that it has printed. */
  printed: string[]
}

type Start = { port: number; secret: string }

/** Start a receiver of the page as it is printed, but for its port. It ends with the test. */
export async function startProgram(program: PageProgram, { port, secret }: Start): Promise<RunningProgram> {
  const { heading, language, fileName, commandOf } = program
  const blocks = docBlocks('webhooks', heading, language)
  assert.equal(blocks.length, 1, heading)
  const [source = ''] = blocks
  assert.equal(source.match(/\b8080\b/g)?.length, 1, 'one line names the port')
  const file = await writeProgram(fileName, source.replace(/\b8080\b/, String(port)))
  const child = spawnProgram(await commandOf(file), { environment: { WEBHOOK_SECRET: secret } })
  const running = { url: `http://localhost:${port}/parley`, printed: child.printed }
  for (;;) {
    const status = await postUnsigned(running.url)
    if (status === 401) break
    assert.equal(status, undefined, `${heading}: an unsigned request is not refused`)
    assert.equal(child.exitCode(), null, `${heading}: the program ended at its start`)
    await sleep(50)
  }
  return running
}

/** The status of the response; undefined while the program does not listen. */
const postUnsigned = (url: string): Promise<number | undefined> =>
  fetch(url, { method: 'POST', body: '{}' }).then(
    ({ status }) => status,
    () => undefined,
  )

/** Write a program into a folder of its own, in which the packages of this repository are installed. */
export async function writeProgram(fileName: string, source: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'parley-receiver-'))
  after(() => rm(folder, { recursive: true, force: true }))
  await symlink(dependencies, join(folder, 'node_modules'))
  const file = join(folder, fileName)
  await writeFile(file, source)
  return file
}

/** Run a program until the test ends, and collect the lines that it prints. */
export function spawnProgram(
  [command = '', ...options]: readonly string[],
  { environment, errors = 'inherit' }: { environment: Record<string, string>; errors?: 'inherit' | 'ignore' },
) {
  const child = spawn(command, options, {
    stdio: ['ignore', 'pipe', errors],
    env: { PATH: process.env.PATH, ...environment },
  })
  const ended = new Promise((resolve) => child.once('exit', resolve))
  after(async () => {
    child.kill()
    await ended
  })
  const printed: string[] = []
  let rest = ''
  child.stdout?.setEncoding('utf8').on('data', (text: string) => {
    const lines = (rest + text).split('\n')
    rest = lines.pop() ?? ''
    printed.push(...lines)
  })
  return { printed, exitCode: () => child.exitCode }
}
