import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { docBlocks } from '../doc-blocks.ts'

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
  const folder = await mkdtemp(join(tmpdir(), 'parley-receiver-'))
  after(() => rm(folder, { recursive: true, force: true }))
  await symlink(dependencies, join(folder, 'node_modules'))
  const file = join(folder, fileName)
  await writeFile(file, source.replace(/\b8080\b/, String(port)))

  const [command = '', ...options] = await commandOf(file)
  const child = spawn(command, options, {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { PATH: process.env.PATH, WEBHOOK_SECRET: secret },
  })
  const ended = new Promise((resolve) => child.once('exit', resolve))
  after(async () => {
    child.kill()
    await ended
  })
  let output = ''
  const running = { url: `http://localhost:${port}/parley`, printed: [] as string[] }
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    output += text
    running.printed = output.split('\n').slice(0, -1)
  })
  for (;;) {
    const status = await postUnsigned(running.url)
    if (status === 401) break
    assert.equal(status, undefined, `${heading}: an unsigned request is not refused`)
    assert.equal(child.exitCode, null, `${heading}: the program ended at its start`)
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
