import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { globSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { signUp, standUp } from '../../apps/server/test/people.ts'
import { startApp } from '../../apps/server/test/start-app.ts'
import { packPythonClient } from '../../scripts/pack-python-client.ts'

/** The clients for Python that earlier releases published, against this service, without an installation. */

const run = promisify(execFile)
const folder = fileURLToPath(new URL('.', import.meta.url))
const archives = globSync('parley-client-py-*.tgz', { cwd: folder })
const place = await mkdtemp(join(tmpdir(), 'parley-released-py-'))
after(() => rm(place, { recursive: true, force: true }))
const app = await startApp({ emails: 'dropped' })

/** @returns what a program prints that imports the client of this archive */
async function outputOf(archive: string, lines: readonly string[], variables: Record<string, string> = {}) {
  const target = await mkdtemp(join(place, 'one-'))
  await run('tar', ['-xzf', archive, '-C', target, '--strip-components=1'])
  await writeFile(join(target, 'program.py'), lines.join('\n'))
  const env = { PATH: process.env.PATH, PYTHONPATH: target, ...variables }
  return (await run('python3', [join(target, 'program.py')], { env })).stdout
}

const listing = [
  'from parley_client import Client',
  'print("\\n".join(name for name in dir(Client) if name[0] != "_"))',
]

test('a client of each release is here', () => {
  assert.ok(archives.length > 0, `${folder} has no client for Python: npm run release adds one`)
})

for (const archive of archives) {
  test(`${archive}: this version has each of its methods`, async () => {
    const methodsOf = async (path: string) => (await outputOf(path, listing)).trim().split('\n')
    const current = await methodsOf(await packPythonClient(join(place, 'current')))
    const former = await methodsOf(join(folder, archive))
    assert.ok(former.length > 100)
    assert.deepEqual(
      former.filter((name) => !current.includes(name)),
      [],
    )
  })

  test(`${archive}: schedules, lists and cancels, and names a refusal`, async () => {
    const alice = await signUp(app, 'Alice')
    const lines = [
      'import json, os',
      'from parley_client import Client, ProblemError',
      'client = Client(os.environ["BASE"], os.environ["TOKEN"])',
      'body = json.loads(os.environ["BODY"])',
      'meeting = client.create_meeting(body, send_updates="none", idempotency_key="one")["meetingDetails"]',
      'print(meeting["topic"], client.list_meetings("me", past=False)["totalCount"])',
      'client.cancel_meeting(meeting["_id"], {"cancel": "all"}, send_updates="none")',
      'try:',
      '    client.read_meeting("unknown")',
      'except ProblemError as error:',
      '    print(error.status, error.code)',
    ]
    const variables = { BASE: app.base, TOKEN: alice.token, BODY: JSON.stringify(standUp({ topic: 'Review' })) }
    assert.equal(await outputOf(join(folder, archive), lines, variables), 'Review 1\n404 meeting_not_found\n')
  })
}
