import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { test } from 'node:test'

/**
 * Packages that few requests need, loaded by the first such request, which takes up to half a second longer. Loaded at
 * the start, three of them held 17 MB, and the SDK of MCP 26 MB, in services that never use them. The media engine is a
 * separate process.
 */
const loadedAtFirstUse = [
  '@livekit/protocol',
  '@modelcontextprotocol/server',
  '@scalar/fastify-api-reference',
  '@simplewebauthn/server',
  'ical.js',
  'livekit-server-sdk',
  'mailparser',
  'nodemailer',
  'smtp-server',
]
const server = new URL('../../apps/server/src/', import.meta.url)
/** Not part of the service's process: a command, a thread and a process. */
const loadedApart = ['email/check-mail-server.ts', 'service-info/reference-bundle-thread.ts']

test('the service starts without the packages that few requests need', () => {
  const files = globSync('**/*.ts', { cwd: server }).filter(
    (file) => !/\.(?:test|story|interop)\.ts$/.test(file) && !file.startsWith('media/') && !loadedApart.includes(file),
  )
  assert.ok(files.length > 350, `${files.length} files`)
  for (const file of files) {
    const text = readFileSync(new URL(file, server), 'utf8')
    for (const [, statement = '', name = ''] of text.matchAll(/^(import (?!type )[^'"]*|import )'([^']+)'/gm)) {
      const found = loadedAtFirstUse.find((each) => name === each || name.startsWith(`${each}/`))
      assert.equal(found, undefined, `${file} imports ${name} at once: ${statement}`)
    }
  }
})
