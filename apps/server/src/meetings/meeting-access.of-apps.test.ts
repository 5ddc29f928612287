import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Scope, scopeNames } from '@parley/contract'
import { approvedApp } from '../../test/oauth/approved-app.ts'
import { tokensFor } from '../../test/oauth/token-client.ts'
import { cancelPath, detailsPath, meetPeople, type Person, schedule, sendRequest, standUp } from '../../test/people.ts'
import { expectOk, expectProblem } from '../../test/replies.ts'
import { startApp } from '../../test/start-app.ts'

const service = await startApp({ emails: 'dropped' })
const { olga, alice, bob, carol } = await meetPeople(service)
const planner = await approvedApp(service, olga, { scopes: [...scopeNames] })
const rival = await approvedApp(service, olga, { name: 'Rival' })

async function through(app: typeof planner, person: Person, scopes: readonly Scope[] = scopeNames) {
  const { access_token: token } = await tokensFor(service, app, person, { scopes: [...scopes] })
  return (method: string, path: string, body?: unknown) =>
    sendRequest(service, method, path, body, { authorization: `Bearer ${token}` })
}

test('an app schedules, reads, changes and cancels on behalf of its user', async () => {
  const app = await through(planner, alice)
  const body = await expectOk(app('POST', '/api/meeting', standUp()))
  const { meetingDetails: meeting } = body
  assert.equal(meeting.createdBy, alice.profile._id)
  const [read] = (await app('GET', detailsPath(meeting))).body
  assert.notEqual(read.roomKey, '')
  assert.equal((await app('PUT', detailsPath(meeting), standUp({ topic: 'Other' }))).body.topic, 'Other')
  await expectOk(app('POST', cancelPath(meeting), { cancel: 'all' }))
})

test('an app changes and cancels meetings that its user scheduled without it', async () => {
  const app = await through(planner, alice)
  const meeting = await schedule(alice)
  await expectOk(app('PUT', detailsPath(meeting), standUp({ topic: 'Other' })))
  await expectOk(app('POST', cancelPath(meeting), { cancel: 'all' }))
})

test('an app restores a cancelled meeting of its user by the right to change meetings', async () => {
  const meeting = await schedule(alice, standUp({ cohosts: ['bob@example.org'] }))
  await expectOk(alice.send('POST', cancelPath(meeting), { cancel: 'all' }))
  const path = `${cancelPath(meeting)}/restore`
  const canceller = await through(planner, alice, ['meeting:read', 'meeting:delete'])
  await expectProblem(canceller('POST', path), 'insufficient_scope')
  await expectProblem((await through(planner, bob))('POST', path), 'forbidden')
  await expectProblem((await through(planner, olga))('POST', path), 'meeting_not_found')
  const { status } = await expectOk((await through(planner, alice, ['meeting:update']))('POST', path))
  assert.equal(status, 'active')
})

test('an app reads a meeting its user did not create as a participant, and can neither change nor cancel it', async () => {
  const meeting = await schedule(alice, standUp({ participants: ['bob@example.org'], cohosts: ['bob@example.org'] }))
  const app = await through(planner, bob)
  const [read] = (await app('GET', detailsPath(meeting))).body
  assert.deepEqual([read.roomKey, read.vpin, read.hostInfo.phoneNo], ['', '', ''])
  for (const answer of [
    await app('PUT', detailsPath(meeting), standUp()),
    await app('POST', cancelPath(meeting), { cancel: 'all' }),
  ]) {
    await expectProblem(answer, 'forbidden')
  }
  // Bob himself may: he is a cohost.
  await expectOk(bob.send('PUT', detailsPath(meeting), standUp({ cohosts: ['bob@example.org'] })))
})

test("gives an app none of its user's rights as an administrator", async () => {
  const meeting = await schedule(alice)
  const app = await through(planner, olga)
  await expectOk(olga.send('GET', detailsPath(meeting)))
  for (const [method, path, body] of [
    ['GET', detailsPath(meeting), undefined],
    ['PUT', detailsPath(meeting), standUp()],
    ['POST', cancelPath(meeting), { cancel: 'all' }],
  ] as const) {
    const answer = await app(method, path, body)
    assert.equal(answer.status, 404, `${method} ${path}`)
  }
  await expectProblem(app('GET', `/api/meeting/${alice.profile._id}`), 'account_not_found')
  await expectOk(olga.send('GET', `/api/meeting/${alice.profile._id}`))
})

test('tpClientOnly shows an app only its own meetings, in the page and in the count', async () => {
  const [ours, theirs] = [await through(planner, carol), await through(rival, carol)]
  await schedule(carol, standUp({ topic: 'By hand' }))
  const series = { repeatOptions: { repeat: 'daily', endDate: '2030-01-10T23:59:59Z', timeZone: 'GMT' } }
  await ours('POST', '/api/meeting', standUp({ topic: 'Ours' }))
  await ours('POST', '/api/meeting', standUp({ topic: 'Our series', ...series }))
  await theirs('POST', '/api/meeting', standUp({ topic: 'Theirs' }))
  const list = async (app: typeof ours, query: string) => {
    const body = await expectOk(app('GET', `/api/meeting/me?${query}`))
    const topics: string[] = body.meetingDetails.map(({ topic }: { topic: string }) => topic)
    assert.equal(body.totalCount, topics.length)
    return topics.toSorted()
  }
  const all = ['By hand', 'Our series', 'Ours', 'Theirs']
  assert.deepEqual(await list(ours, ''), all)
  assert.deepEqual(await list(ours, 'tpClientOnly=false'), all)
  for (const query of ['tpClientOnly=true', 'tpClientOnly', 'tpClientOnly=1']) {
    assert.deepEqual(await list(ours, query), ['Our series', 'Ours'])
  }
  const range = 'fromDate=2030-01-08T00:00:00Z&toDate=2030-01-09T00:00:00Z'
  assert.deepEqual(await list(ours, `tpClientOnly=true&${range}`), ['Our series'])
  assert.deepEqual(await list(theirs, 'tpClientOnly=true&past=false'), ['Theirs'])
  const { body } = await carol.send('GET', '/api/meeting/me?tpClientOnly=true')
  assert.equal(body.totalCount, 4)
})
