import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createFeed, feedPath } from '../../test/calendar-feeds.ts'
import { sendRequest, signUp } from '../../test/people.ts'
import { startApp } from '../../test/start-app.ts'

const app = await startApp()
const [alice, bob] = [await signUp(app, 'Alice'), await signUp(app, 'Bob')]
const statusOf = async (path: string) => (await fetch(app.base + path)).status

test('Alice deletes the address of her calendar, once; Bob’s stays', async () => {
  const [hers, his] = [await createFeed(alice), await createFeed(bob)]
  const { status, body } = await alice.send('DELETE', feedPath)
  assert.deepEqual([status, body], [200, { status: 'The address of your calendar is ended.' }])
  assert.deepEqual([await statusOf(hers), await statusOf(his)], [404, 200])
  assert.deepEqual((await alice.send('GET', feedPath)).body, { createdOn: null })
  const again = await alice.send('DELETE', feedPath)
  assert.deepEqual([again.status, again.body.code], [404, 'calendar_not_found'])
  const { entries } = (await alice.send('GET', '/api/auth/security-log')).body
  assert.deepEqual(
    entries.slice(0, 2).map(({ action }: { action: string }) => action),
    ['calendar-feed.deleted', 'calendar-feed.created'],
  )
})

test('refuses personal tokens and anonymous callers', async () => {
  const hers = await createFeed(alice)
  const { body } = await alice.send('POST', '/api/auth/tokens', { name: 'Script', scopes: ['meeting:read'] })
  const byScript = await sendRequest(app, 'DELETE', feedPath, undefined, { authorization: body.token })
  assert.deepEqual([byScript.status, byScript.body.code], [403, 'session_required'])
  assert.equal((await sendRequest(app, 'DELETE', feedPath)).body.code, 'unauthorized')
  assert.equal(await statusOf(hers), 200)
})
