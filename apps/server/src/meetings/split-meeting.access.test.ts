import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Meeting, quietly, startSplits, third } from '../../test/meetings/start-splits.ts'
import { approvedApp } from '../../test/oauth/approved-app.ts'
import { tokensFor } from '../../test/oauth/token-client.ts'
import { cancelPath, detailsPath, type Person, schedule, sendRequest } from '../../test/people.ts'
import { expectProblem } from '../../test/replies.ts'

const { app, clock, olga, alice, bob, carol, mallory, mondays, split, splitUp, read, quiet } = await startSplits()

test('only those who may read the other part are told of it', async () => {
  const meeting = await quiet()
  const next = await splitUp(meeting, { participants: [carol.email] })
  assert.equal((await read(meeting, bob)).continuedBy, null)
  await expectProblem(bob.send('GET', detailsPath(next)), 'meeting_not_found')
  assert.equal((await read(next, carol)).continues, null)
  assert.equal((await read(meeting, olga)).continuedBy, next._id, 'an administrator may read both')
})

test('needs a host of the meeting, which is not cancelled, and its present version', async () => {
  const meeting = await quiet({ cohosts: [carol.email] })
  await expectProblem(split(meeting, {}, { person: mallory }), 'meeting_not_found')
  await expectProblem(split(meeting, {}, { person: bob }), 'forbidden')
  await expectProblem(split({ _id: 'no-id' }), 'meeting_not_found')
  await expectProblem(sendRequest(app, 'POST', `${detailsPath(meeting)}/split`, { occurrence: third }), 'unauthorized')
  await expectProblem(split(meeting, {}, { headers: { 'if-match': '"v1"' } }), 'stale_version')
  await expectProblem(split(meeting, { cohosts: [] }, { person: carol }), 'forbidden') // only the host removes a cohost
  const next = await splitUp(meeting, {}, { ...quietly, person: carol, headers: { 'if-match': '"v0"' } })
  assert.deepEqual(
    [next.userId, next.createdBy, next.modifiedBy, next.cohosts],
    [alice.profile._id, alice.profile._id, carol.profile._id, [carol.email]],
  )
  const byAdministrator = await splitUp(next, { occurrence: '2030-02-04T09:00:00Z' }, { ...quietly, person: olga })
  assert.equal(byAdministrator.userId, alice.profile._id)
  await alice.send('POST', `${cancelPath(next)}${quietly.query}`, { cancel: 'all' })
  await expectProblem(split(next, { occurrence: '2030-01-28T09:00:00Z' }), 'meeting_cancelled')
})

test('an app needs both scopes, and what continues its meeting is its meeting', async () => {
  const planner = await approvedApp(app, olga, { scopes: ['meeting:create', 'meeting:update', 'meeting:read'] })
  const tokens = await tokensFor(app, planner, alice, {
    scopes: ['meeting:create', 'meeting:update', 'meeting:read'],
    clock,
  })
  const byApp = { ...alice, send: appSender(tokens.access_token) }
  const meeting = await schedule(byApp, mondays({ participants: [] }))
  const next = await splitUp(meeting)
  const { body } = await byApp.send('GET', '/api/meeting/me?tpClientOnly=true')
  assert.deepEqual(
    body.meetingDetails.map(({ _id }: Meeting) => _id).toSorted(),
    [meeting._id, next._id].toSorted(),
    'although the host split it in person',
  )
  const changing = await tokensFor(app, planner, alice, { scopes: ['meeting:update'], clock })
  await expectProblem(
    split(
      next,
      { occurrence: '2030-02-04T09:00:00Z' },
      { person: { ...alice, send: appSender(changing.access_token) } },
    ),
    'insufficient_scope',
  )
})

const appSender =
  (token: string): Person['send'] =>
  (method, path, body, headers) =>
    sendRequest(app, method, path, body, { authorization: `Bearer ${token}`, ...headers })
