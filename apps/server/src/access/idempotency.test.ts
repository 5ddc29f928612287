import assert from 'node:assert/strict'
import { test } from 'node:test'
import { scopeNames } from '@parley/contract'
import { approvedApp } from '../../test/oauth/approved-app.ts'
import { tokensFor } from '../../test/oauth/token-client.ts'
import { meetPeople, sendRequest, signUp, standUp } from '../../test/people.ts'
import { expectOk, expectProblem } from '../../test/replies.ts'
import { startApp } from '../../test/start-app.ts'

const service = await startApp({ emails: 'dropped' })
const { olga, alice } = await meetPeople(service)
const scopes = [...scopeNames]
const planner = await approvedApp(service, olga, { scopes })
const rival = await approvedApp(service, olga, { name: 'Rival', scopes })

const personalToken = async (name: string): Promise<string> =>
  (await expectOk(alice.send('POST', '/api/auth/tokens', { name, scopes }), 201)).token

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
    await expectOk(first)
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
  await expectOk(schedule(senders['a rival'] ?? '', 'taken', 'Something else'))
  for (const sender of ['her session', 'her personal token', 'planner']) {
    await expectOk(schedule(senders[sender] ?? '', 'taken'))
  }
})

test('a script with a new token gets the reply of the old one, as does an app after a refresh', async () => {
  const first = await expectOk(schedule(await personalToken('Old'), 'rotated'))
  const again = await schedule(await personalToken('New'), 'rotated')
  assert.equal(again.headers.get('idempotency-replayed'), 'true')
  assert.equal(again.body.meetingDetails._id, first.meetingDetails._id)

  const made = await expectOk(schedule(senders.planner ?? '', 'refreshed'))
  const { access_token: renewed } = await tokensFor(service, planner, alice, { scopes })
  const replayed = await schedule(renewed, 'refreshed')
  assert.equal(replayed.headers.get('idempotency-replayed'), 'true')
  assert.equal(replayed.body.meetingDetails._id, made.meetingDetails._id)
})

test('the replies that are stored for one account have so many bytes a day; what exceeds that changes nothing', async () => {
  const ida = await signUp(service, 'Ida')
  const create = (key: string) =>
    ida.send('POST', '/api/meeting?sendUpdates=none', standUp({ participants: [] }), { 'idempotency-key': key })
  await expectOk(create('first'))
  const usage = await service.database
    .selectFrom('idempotencyUsage')
    .selectAll()
    .where('accountId', '=', ida.profile._id)
    .executeTakeFirstOrThrow()
  assert.ok(usage.storedBytes > 0)
  const setUsage = (storedBytes: number) =>
    service.database
      .updateTable('idempotencyUsage')
      .set({ storedBytes })
      .where('accountId', '=', usage.accountId)
      .execute()
  const max = 50 * 1024 * 1024
  await setUsage(max - usage.storedBytes)
  const [one, other] = await Promise.all([create('second'), create('third')])
  assert.deepEqual([one.status, other.status].toSorted(), [200, 409])
  const refused = one.status === 409 ? one : other
  await expectProblem(refused, 'quota_exceeded')
  assert.ok(Number(refused.headers.get('retry-after')) > 23 * 60 * 60)
  assert.equal((await ida.send('GET', '/api/meeting/me')).body.totalCount, 2)
  // The first one is still repeated.
  assert.equal((await create('first')).headers.get('idempotency-replayed'), 'true')
})
