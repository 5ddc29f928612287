import { execFile } from 'node:child_process'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { assertReceives } from './assert-receives.ts'

const run = promisify(execFile)

/** Debian's own Python; the page's program needs no package. */
const python = '/usr/bin/python3'

/** With the library of Standard Webhooks from PyPI. */
const pythonWithLibrary = fileURLToPath(
  new URL('../../.interop-tools/webhook-receivers/python/bin/python', import.meta.url),
)

/** npm run test:interop: the receivers of docs/webhooks.md that are not run by Node. */
async function requireProgram(name: string, command: string, ...options: string[]): Promise<void> {
  await run(command, options).catch(() => {
    throw new Error(`NOT INSTALLED: ${name}. Run scripts/install-interop-tools.sh, which says what it cannot get.`)
  })
}

test('Python with standardwebhooks: the receiver of docs/webhooks.md takes each genuine event once, and refuses others', async () => {
  await requireProgram('standardwebhooks of PyPI', pythonWithLibrary, '-c', 'import standardwebhooks')
  await assertReceives({
    heading: 'Python with standardwebhooks',
    language: 'python',
    fileName: 'receiver.py',
    commandOf: async (file) => [pythonWithLibrary, file],
  })
})

test('Python alone: the receiver of docs/webhooks.md takes each genuine event once, and refuses others', async () => {
  await requireProgram('python3', python, '--version')
  await assertReceives({
    heading: 'Python alone',
    language: 'python',
    fileName: 'receiver.py',
    commandOf: async (file) => [python, file],
  })
})

test('Go: the receiver of docs/webhooks.md takes each genuine event once, and refuses others', async () => {
  await requireProgram('golang-go', 'go', 'version')
  await assertReceives({
    heading: 'Go',
    language: 'go',
    fileName: 'main.go',
    async commandOf(file) {
      const program = join(dirname(file), 'receiver')
      // Only the standard library: nothing is fetched.
      await run('go', ['build', '-o', program, file], { env: { ...process.env, GO111MODULE: 'off', GOFLAGS: '' } })
      return [program]
    },
  })
})
