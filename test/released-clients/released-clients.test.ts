import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { globSync } from 'node:fs'
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { after, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import * as client from '@parley/client'
import * as contract from '@parley/contract'
import { signUp, standUp } from '../../apps/server/test/people.ts'
import { expectOk } from '../../apps/server/test/replies.ts'
import { startApp } from '../../apps/server/test/start-app.ts'
import { listBreakingChanges } from './breaking-changes.ts'

/**
 * Run the clients that earlier releases published, as their users have them installed, against this service. `npm run
 * release` adds the client of its version to this folder; a client stays until its major version is no longer supported
 * (docs/releases.md).
 */

const run = promisify(execFile)
const folder = fileURLToPath(new URL('.', import.meta.url))
const archives = globSync('parley-client-[0-9]*.tgz', { cwd: folder })
const place = await mkdtemp(join(tmpdir(), 'parley-released-'))
after(() => rm(place, { recursive: true, force: true }))

/** Unpack a client. @returns its folder */
async function unpack(archive: string): Promise<string> {
  const target = join(place, basename(archive, '.tgz'))
  await mkdir(target)
  await run('tar', ['-xzf', join(folder, archive), '-C', target])
  return join(target, 'package')
}

const app = await startApp({ emails: 'dropped' })

test('a client of each release is here', () => {
  assert.ok(archives.length > 0, `${folder} has no client: npm run release adds one`)
})

for (const archive of archives) {
  const package_ = await unpack(archive)
  const load = (file: string) => import(pathToFileURL(join(package_, file)).href)
  const former: typeof client = await load('dist/index.js')
  const formerContract: typeof contract = await load('dist/contract.js')

  test(`${archive}: what it sends is accepted, and what it reads is there`, () => {
    assert.ok(formerContract.endpoints.length > 100)
    const broken = 'Programs of users break (docs/releases.md)'
    const unreleased =
      'npm run pack-client -- test/released-clients replaces the client of a version before its release'
    assert.deepEqual(listBreakingChanges(formerContract, contract), [], `${broken}. ${unreleased}.`)
    const missing = Object.keys(former).filter((name) => !(name in client))
    assert.deepEqual(missing, [], 'A program that imports these no longer compiles')
  })

  test(`${archive}: schedules, lists, changes and cancels, and names a refusal`, async () => {
    const alice = await signUp(app, 'Alice')
    const connection = former.connect({ base: app.base, token: alice.token })
    const { createMeeting, listMeetings, readMeeting, updateMeeting, cancelMeeting } = formerContract
    const repeatOptions = { repeat: 'weekly' as const, daysOfWeek: [0, 1, 0, 0, 1, 0, 0], timeZone: 'UTC' }
    const body = { ...standUp({ topic: 'Weekly review' }), repeatOptions, isPinEnabled: true } as const
    const query = { sendUpdates: 'none' } as const
    const create = () => connection.call(createMeeting, { query, body, idempotencyKey: 'one' })
    const { meetingDetails } = await create()
    const params = { meetingId: meetingDetails._id }
    assert.equal((await create()).meetingDetails._id, params.meetingId, 'A repetition makes no second meeting')
    const list = await connection.call(listMeetings, { params: { userId: 'me' }, query: { past: false } })
    assert.deepEqual([list.totalCount, list.meetingDetails[0]?.topic], [1, 'Weekly review'])
    const { headers } = await connection.callForResponse(readMeeting, { params })
    const changed = { params, query, body: { ...body, topic: 'Review' }, ifMatch: headers.get('etag') ?? '' }
    await connection.call(updateMeeting, changed)
    assert.equal((await connection.call(readMeeting, { params }))[0]?.topic, 'Review')
    await assert.rejects(connection.call(updateMeeting, changed), (error) => former.isProblem(error, 'stale_version'))
    await connection.call(cancelMeeting, { params, query, body: { cancel: 'all' } })
    const unknown = connection.call(readMeeting, { params: { meetingId: 'unknown' } })
    await assert.rejects(unknown, (error) => former.isProblem(error, 'meeting_not_found'))
  })

  test(`${archive}: follows events from a cursor`, async () => {
    const bob = await signUp(app, 'Bob')
    const create = (topic: string) => expectOk(bob.send('POST', '/api/meeting?sendUpdates=none', standUp({ topic })))
    await create('First')
    await app.publishEvents()
    const connection = former.connect({ base: app.base, token: bob.token })
    const { nextCursor: cursor } = await connection.call(formerContract.listEvents, { query: {} })
    assert.ok(cursor)
    await create('Second')
    await app.publishEvents()
    const ending = new AbortController()
    const followed = { types: ['meeting.created'], after: cursor, signal: ending.signal } as const
    for await (const event of former.followEvents({ base: app.base, token: bob.token }, followed)) {
      assert.equal(event.type === 'meeting.created' && event.data.topic, 'Second')
      ending.abort()
      break
    }
  })

  test(`${archive}: its command line lists, schedules, cancels, sends a request and prints events`, async () => {
    const carol = await signUp(app, 'Carol')
    const scopes = ['meeting:create', 'meeting:read', 'meeting:delete', 'user:read']
    const { token } = await expectOk(carol.send('POST', '/api/auth/tokens', { name: 'Script', scopes }), 201)
    const env = { PATH: process.env.PATH, HOME: place, PARLEY_URL: app.base, PARLEY_TOKEN: token, TZ: 'UTC' }
    const program = join(package_, 'command-line/main.js')
    const parley = (...words: string[]) => run(process.execPath, [program, ...words], { env })
    const words = ['meetings', 'new', 'Design review', '--start', '2030-01-07T09:00', '--quiet', '--json']
    const meeting = JSON.parse((await parley(...words)).stdout)
    assert.equal((await parley('meetings', 'list')).stdout, `${meeting._id}  2030-01-07 09:00  Design review\n`)
    const profile = JSON.parse((await parley('api', 'GET', '/api/user/profile')).stdout)
    assert.equal(profile.email, carol.email)
    const listening = run(process.execPath, [program, 'events', 'listen', '--types', 'meeting.cancelled'], { env })
    let printed = ''
    listening.child.stdout?.on('data', (chunk) => {
      printed += chunk
      listening.child.kill('SIGINT')
    })
    await sleep(500)
    assert.match((await parley('meetings', 'cancel', meeting._id, '--quiet')).stdout, /cancelled/i)
    while (printed === '') {
      await app.publishEvents()
      await sleep(50)
    }
    await listening
    assert.match(printed, /meeting\.cancelled/)
  })
}
