import assert from 'node:assert/strict'
import { test } from 'node:test'
import { done, refused } from '../../test/oauth/apps.ts'
import { type Person, sendRequest, signUp } from '../../test/people.ts'
import { createClock, startApp } from '../../test/start-app.ts'

const path = '/api/auth/tokens'
const clock = createClock('2030-01-01T00:00:00Z')
const app = await startApp({ clock })
const [alice, bob] = [await signUp(app, 'Alice'), await signUp(app, 'Bob')]

const create = (person: Person, name: string, changes: object = {}) =>
  done(person.send('POST', path, { name, scopes: ['user:read'], ...changes }), 201)
type Listed = { name: string; expiresOn: string | null }
const listed = async (person: Person): Promise<Listed[]> => (await done(person.send('GET', path))).tokens

test('shows Alice her tokens, newest first, without secrets, and none of Bob’s', async () => {
  assert.deepEqual(await listed(alice), [])
  const { token: first, ...import_ } = await create(alice, 'Import')
  clock.advance(60_000)
  const { token: second, ...report } = await create(alice, 'Report')
  await create(bob, 'Bob’s script')
  const answer = await alice.send('GET', path)
  assert.deepEqual(answer.body, { tokens: [report, import_] })
  for (const secret of [first, second]) assert.ok(!JSON.stringify(answer.body).includes(secret))
})

test('lists an expired token until it is deleted', async () => {
  const carol = await signUp(app, 'Carol')
  const expiresOn = new Date(clock.now().getTime() + 3_600_000).toISOString()
  const { token, _id } = await create(carol, 'Nightly', { expiresOn })
  clock.advance(3_600_000)
  await refused(sendRequest(app, 'GET', '/api/my_profile', undefined, { authorization: token }), 401, 'unauthorized')
  assert.deepEqual(
    (await listed(carol)).map(({ name, expiresOn: at }) => [name, at]),
    [['Nightly', expiresOn]],
  )
  await done(carol.send('DELETE', `${path}/${_id}`))
  assert.deepEqual(await listed(carol), [])
})

test('refuses callers who are not signed in, and personal tokens', async () => {
  await refused(sendRequest(app, 'GET', path), 401, 'unauthorized')
  const { token } = await create(bob, 'Curious', { scopes: ['user:read', 'apps:manage'] })
  await refused(sendRequest(app, 'GET', path, undefined, { authorization: token }), 403, 'session_required')
})
