import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { existsSync, globSync } from 'node:fs'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { after, before, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { endpoints } from '@parley/contract'
import { signUp } from '../../apps/server/test/people.ts'
import { startApp } from '../../apps/server/test/start-app.ts'
import { storyFolder, writeBruno } from '../../scripts/write-bruno.ts'

/** Bruno's own command line and parser, which scripts/install-interop-tools.sh installs, read and run the collection. */

const bruno = fileURLToPath(new URL('../../.interop-tools/bruno-4.1.0/', import.meta.url))
const command = join(bruno, 'node_modules/@usebruno/cli/bin/bru.js')
before(() => assert.ok(existsSync(command), `${command} is missing: run scripts/install-interop-tools.sh`))

// Bruno looks for settings in the folders above the collection.
const place = await mkdtemp(join(tmpdir(), 'parley-bruno-'))
const brunoFolder = join(place, 'bruno')
before(() => writeBruno(brunoFolder))
after(() => rm(place, { recursive: true, force: true }))

type Result = { name: string; status: string; error?: string | null; assertionResults: { status: string }[] }

/** @returns the exit code, and the result of each request of the folder */
async function runFolder(folder: string, variables: Record<string, string>) {
  const report = join(place, 'report.json')
  await rm(report, { force: true })
  const given = Object.entries(variables).flatMap(([name, value]) => ['--env-var', `${name}=${value}`])
  const words = [command, 'run', folder, '--env', 'Parley', ...given, '--reporter-json', report]
  const { code, output } = await promisify(execFile)(process.execPath, words, { cwd: brunoFolder }).then(
    ({ stdout }) => ({ code: 0, output: stdout }),
    (error: { code: number; stdout: string; stderr: string }) => ({
      code: error.code,
      output: `${error.stdout}${error.stderr}`,
    }),
  )
  assert.ok(existsSync(report), output)
  const [{ results }] = JSON.parse(await readFile(report, 'utf8')) as [{ results: Result[] }]
  return { code, output, results }
}

test('Bruno runs the story against the service: every check of every request passes', async () => {
  const app = await startApp({ emails: 'dropped' })
  const alice = await signUp(app, 'Alice')
  const { code, output, results } = await runFolder(storyFolder, { baseUrl: app.base, token: alice.token })
  assert.equal(code, 0, output)
  assert.equal(results.length, globSync(join(brunoFolder, storyFolder, '[0-9]*.bru')).length)
  for (const { name, assertionResults } of results) assert.ok(assertionResults.length > 0, name)
  const { body } = await alice.send('GET', '/api/meeting/me?past=false')
  assert.equal(body.totalCount, 0, 'The last requests cancel the meeting')

  const refused = await runFolder(storyFolder, { baseUrl: app.base, token: 'wrong' })
  assert.notEqual(refused.code, 0, 'Without a valid token the checks fail')
})

test('Bruno reads every other request as the endpoint that the contract has', async () => {
  const { bruToJsonV2 } = createRequire(command)('@usebruno/lang')
  let count = 0
  for (const { name, tag, method, path, body, form, params, query } of endpoints) {
    const read = bruToJsonV2(await readFile(join(brunoFolder, tag, `${name}.bru`), 'utf8'))
    assert.equal(read.http.method, method.toLowerCase(), name)
    const url = read.http.url.replace('{{baseUrl}}', '').replace(/\?.*/, '')
    assert.equal(url.replaceAll(/\{\{(\w+)\}\}/g, ':$1'), path, name)
    assert.equal(read.http.body, body === undefined ? 'none' : form ? 'formUrlEncoded' : 'json', name)
    if (body !== undefined && !form) assert.doesNotThrow(() => JSON.parse(read.body.json), name)
    const named: { name: string }[] = [...(read.params ?? []), ...(read.vars?.req ?? [])]
    const expected = [...Object.keys(query?.properties ?? {}), ...Object.keys(params?.properties ?? {})]
    assert.deepEqual(named.map((one) => one.name).toSorted(), expected.toSorted(), name)
    count += 1
  }
  assert.equal(count, endpoints.length)
  const folders = globSync(join(brunoFolder, '*/folder.bru')).map((file) => basename(join(file, '..')))
  assert.deepEqual(folders.toSorted(), [...new Set(endpoints.map(({ tag }) => tag)), storyFolder].toSorted())
})
