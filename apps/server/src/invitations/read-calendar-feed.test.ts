import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createFeed, feedPath } from '../../test/calendar-feeds.ts'
import { sendRequest, signUp } from '../../test/people.ts'
import { createClock, startApp } from '../../test/start-app.ts'

const clock = createClock('2030-01-01T00:00:00Z')
const app = await startApp({ clock })
const [alice, bob] = [await signUp(app, 'Alice'), await signUp(app, 'Bob')]

test('Alice reads since when her calendar has an address, and not the address; Bob’s has none', async () => {
  assert.deepEqual((await alice.send('GET', feedPath)).body, { createdOn: null })
  await createFeed(alice)
  assert.deepEqual((await alice.send('GET', feedPath)).body, { createdOn: '2030-01-01T00:00:00.000Z' })
  clock.advance(1_000)
  await createFeed(alice)
  assert.deepEqual((await alice.send('GET', feedPath)).body, { createdOn: '2030-01-01T00:00:01.000Z' })
  assert.deepEqual((await bob.send('GET', feedPath)).body, { createdOn: null })
})

test('refuses personal tokens and anonymous callers', async () => {
  const { body } = await alice.send('POST', '/api/auth/tokens', { name: 'Script', scopes: ['meeting:read'] })
  const byScript = await sendRequest(app, 'GET', feedPath, undefined, { authorization: body.token })
  assert.deepEqual([byScript.status, byScript.body.code], [403, 'session_required'])
  assert.equal((await sendRequest(app, 'GET', feedPath)).body.code, 'unauthorized')
})
