import { execFile } from 'node:child_process'
import { dirname, join } from 'node:path'
import { before, test } from 'node:test'
import { promisify } from 'node:util'
import { assertReceives } from './assert-receives.ts'

const run = promisify(execFile)

/** Debian's own Python; the page's program needs no package. */
const python = '/usr/bin/python3'

/** npm run test:interop: the receivers of docs/webhooks.md that are not run by Node. */
before(async () => {
  const missing: string[] = []
  await run(python, ['--version']).catch(() => missing.push('python3'))
  await run('go', ['version']).catch(() => missing.push('golang-go'))
  if (missing.length === 0) return
  throw new Error(
    `The receivers of docs/webhooks.md are not tested. Run scripts/install-interop-tools.sh, or install: ${missing.join(', ')}.`,
  )
})

test('Python: the receiver of docs/webhooks.md takes each genuine event once, and refuses others', () =>
  assertReceives({
    heading: 'Python',
    language: 'python',
    fileName: 'receiver.py',
    commandOf: async (file) => [python, file],
  }))

test('Go: the receiver of docs/webhooks.md takes each genuine event once, and refuses others', () =>
  assertReceives({
    heading: 'Go',
    language: 'go',
    fileName: 'main.go',
    async commandOf(file) {
      const program = join(dirname(file), 'receiver')
      // Only the standard library: nothing is fetched.
      await run('go', ['build', '-o', program, file], { env: { ...process.env, GO111MODULE: 'off', GOFLAGS: '' } })
      return [program]
    },
  }))
