import assert from 'node:assert/strict'
import { test } from 'node:test'
import { scopeNames } from '@parley/contract'
import { approvedApp } from '../../test/oauth/approved-app.ts'
import { done } from '../../test/oauth/apps.ts'
import { tokensFor } from '../../test/oauth/token-client.ts'
import { meetPeople, sendRequest, standUp } from '../../test/people.ts'
import { startApp } from '../../test/start-app.ts'

const service = await startApp({ emails: 'dropped' })
const { olga, alice } = await meetPeople(service)
const scopes = [...scopeNames]
const planner = await approvedApp(service, olga, { scopes })
const rival = await approvedApp(service, olga, { name: 'Rival', scopes })

const personalToken = async (name: string): Promise<string> =>
  (await done(alice.send('POST', '/api/auth/tokens', { name, scopes }), 201)).token

const senders: Record<string, string> = {
  'her session': alice.token,
  'her personal token': await personalToken('First'),
  planner: (await tokensFor(service, planner, alice, { scopes })).access_token,
  "planner's sandbox": (await tokensFor(service, planner, alice, { scopes, sandbox: true })).access_token,
  'a rival': (await tokensFor(service, rival, alice, { scopes })).access_token,
}

const schedule = (token: string, key: string, topic = 'Stand-up') =>
  sendRequest(service, 'POST', '/api/meeting', standUp({ topic }), {
    authorization: `Bearer ${token}`,
    'idempotency-key': key,
  })

test('one key of every caller that acts for Alice creates a meeting each, and each gets its own reply again', async () => {
  const made = new Map<string, string>()
  for (const [sender, token] of Object.entries(senders)) {
    const first = await schedule(token, 'the very same')
    assert.equal(first.status, 200, JSON.stringify(first.body))
    assert.equal(first.headers.get('idempotency-replayed'), null, sender)
    made.set(sender, first.body.meetingDetails._id)
  }
  assert.equal(new Set(made.values()).size, Object.keys(senders).length)
  for (const [sender, token] of Object.entries(senders)) {
    const again = await schedule(token, 'the very same')
    assert.equal(again.headers.get('idempotency-replayed'), 'true', sender)
    assert.equal(again.body.meetingDetails._id, made.get(sender), sender)
  }
})

test('a key that a rival has used with another body is free for Alice and for the planner', async () => {
  await done(schedule(senders['a rival'] ?? '', 'taken', 'Something else'))
  for (const sender of ['her session', 'her personal token', 'planner']) {
    await done(schedule(senders[sender] ?? '', 'taken'))
  }
})

test('a script with a new token gets the reply of the old one, as does an app after a refresh', async () => {
  const first = await done(schedule(await personalToken('Old'), 'rotated'))
  const again = await schedule(await personalToken('New'), 'rotated')
  assert.equal(again.headers.get('idempotency-replayed'), 'true')
  assert.equal(again.body.meetingDetails._id, first.meetingDetails._id)

  const made = await done(schedule(senders.planner ?? '', 'refreshed'))
  const { access_token: renewed } = await tokensFor(service, planner, alice, { scopes })
  const replayed = await schedule(renewed, 'refreshed')
  assert.equal(replayed.headers.get('idempotency-replayed'), 'true')
  assert.equal(replayed.body.meetingDetails._id, made.meetingDetails._id)
})

test('repeats a reply from before keys were separated to the session only', async () => {
  const first = await done(schedule(alice.token, 'from before'))
  const { endpoint } = await service.database
    .selectFrom('idempotencyKey')
    .select('endpoint')
    .where('key', '=', 'from before')
    .executeTakeFirstOrThrow()
  assert.equal(endpoint, 'createMeeting')
  assert.equal((await done(schedule(alice.token, 'from before'))).meetingDetails._id, first.meetingDetails._id)
  assert.notEqual(
    (await done(schedule(senders.planner ?? '', 'from before'))).meetingDetails._id,
    first.meetingDetails._id,
  )
})
