import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { promisify } from 'node:util'
import { readWebBuild } from '../../apps/server/src/web-app/web-app.ts'
import { signUp, standUp } from '../../apps/server/test/people.ts'
import { expectOk } from '../../apps/server/test/replies.ts'
import { startApp } from '../../apps/server/test/start-app.ts'
import { buildWebWhenStale, builtPages } from '../../scripts/build-web.ts'

/** pip installs the client from a running service into an environment of its own, without another package. */

const run = promisify(execFile)
await buildWebWhenStale()
const site = await readWebBuild(builtPages)
assert.ok(site)
const app = await startApp({ emails: 'dropped', site })
const folder = await mkdtemp(join(tmpdir(), 'parley-python-'))
after(() => rm(folder, { recursive: true, force: true }))
await run('python3', ['-m', 'venv', folder])
const python = join(folder, 'bin/python')
const { stdout: installed } = await run(python, ['-m', 'pip', 'install', '--no-index', `${app.base}/client-py.tgz`])

async function outputOf(program: string, token: string): Promise<string> {
  await writeFile(join(folder, 'program.py'), program)
  const { stdout } = await run(python, [join(folder, 'program.py')], { env: { BASE: app.base, TOKEN: token } })
  return stdout
}

const head =
  'import os\nfrom parley_client import Client, ProblemError\nclient = Client(os.environ["BASE"], os.environ["TOKEN"])\n'

test('it schedules, lists and cancels a meeting, and a refusal is an exception with its code', async () => {
  assert.match(installed, /Successfully installed parley-client-\d/)
  const alice = await signUp(app, 'Alice')
  const body = JSON.stringify(standUp({ topic: 'Weekly review' }))
  const lines = [
    'import json',
    `meeting = client.create_meeting(json.loads(${JSON.stringify(body)}), send_updates="none", idempotency_key="one")["meetingDetails"]`,
    'print(meeting["topic"])',
    'print(client.list_meetings("me", past=False, limit=10)["totalCount"])',
    'client.cancel_meeting(meeting["_id"], {"cancel": "all"}, send_updates="none")',
    'print(client.list_meetings("me", past=False)["totalCount"])',
    'try:',
    '    client.read_meeting("a/../b")',
    'except ProblemError as error:',
    '    print(error.status, error.code)',
    'try:',
    '    Client("https://user@meet.example.org")',
    'except ValueError as error:',
    '    print("refused")',
  ]
  assert.equal(
    await outputOf(head + lines.join('\n'), alice.token),
    'Weekly review\n1\n0\n404 meeting_not_found\nrefused\n',
  )
})

test('it follows events from a cursor', async () => {
  const bob = await signUp(app, 'Bob')
  await expectOk(bob.send('POST', '/api/meeting?sendUpdates=none', standUp({ topic: 'Followed' })))
  await app.publishEvents()
  const { body } = await bob.send('GET', '/api/events?limit=1')
  const [first] = body.events
  await expectOk(bob.send('POST', '/api/meeting?sendUpdates=none', standUp({ topic: 'Next' })))
  await app.publishEvents()
  assert.ok(first !== undefined)
  const lines = [
    `for event in client.follow_events(after=${JSON.stringify(body.cursor ?? body.nextCursor)}, types=["meeting.created"]):`,
    '    print(event["type"], event["data"]["topic"], bool(event["cursor"]))',
    '    break',
  ]
  assert.equal(await outputOf(head + lines.join('\n'), bob.token), 'meeting.created Next True\n')
})
