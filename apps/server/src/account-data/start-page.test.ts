import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Person, schedule, sendRequest, standUp } from '../../test/people.ts'
import { expectOk } from '../../test/replies.ts'
import { useApp } from '../../test/use-app.ts'

const { app, meet } = await useApp({ emails: 'dropped', start: '2030-01-07T08:00:00Z' })

const read = (person: Person, path: string) => expectOk(person.send('GET', path))

test('answers in one request what the pages otherwise ask one by one', async () => {
  const [alice, bob] = await meet('Alice', 'Bob')
  const empty = await read(alice, '/api/start-page')
  assert.equal(empty.meetings.hasAny, false)
  await schedule(alice, standUp({ topic: 'Hosted', participants: [] }))
  await schedule(bob, standUp({ topic: 'Invited', participants: [alice.email] }))
  const { user, service, meetings } = await read(alice, '/api/start-page')
  assert.deepEqual(user, (await read(alice, '/api/auth/session')).user)
  assert.deepEqual(service, await read(alice, '/api/service'))
  assert.equal(meetings.hasAny, true)
  assert.deepEqual(meetings.ahead, await read(alice, '/api/meeting/agenda'))
  assert.deepEqual(meetings.invitations, await read(alice, '/api/meeting/agenda?list=invitations'))
  assert.deepEqual(meetings.handOvers, (await read(alice, '/api/meeting/hand-overs')).handOvers)
  assert.equal(meetings.ahead.dates.length, 2)
})

test('answers visitors, and programs with a token, as the session does: without a person', async () => {
  const [alice] = await meet('Alice')
  const visitor = await expectOk(sendRequest(app, 'GET', '/api/start-page'))
  assert.deepEqual([visitor.user, visitor.meetings, visitor.service.firstRun], [null, undefined, false])
  const scopes = ['meeting:join', 'meeting:read']
  const { token } = await expectOk(alice.send('POST', '/api/auth/tokens', { name: 'Script', scopes }), 201)
  const script = await expectOk(
    sendRequest(app, 'GET', '/api/start-page', undefined, { authorization: `Bearer ${token}` }),
  )
  assert.deepEqual([script.user, script.meetings], [null, undefined])
})
