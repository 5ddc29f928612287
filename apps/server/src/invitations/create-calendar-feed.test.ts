import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createFeed, feedPath } from '../../test/calendar-feeds.ts'
import { sendRequest, signUp } from '../../test/people.ts'
import { startApp } from '../../test/start-app.ts'

const app = await startApp()
const alice = await signUp(app, 'Alice')
const statusOf = async (path: string) => (await fetch(app.base + path)).status

test('Alice renews the address of her calendar: the new one works, and the old one does not', async () => {
  const old = await createFeed(alice)
  assert.equal(await statusOf(old), 200)
  const renewed = await createFeed(alice)
  assert.notEqual(renewed, old)
  assert.deepEqual([await statusOf(old), await statusOf(renewed)], [404, 200])
  const { entries } = (await alice.send('GET', '/api/auth/security-log')).body
  assert.equal(entries[0].action, 'calendar-feed.created')
})

test('one of two addresses that are created at the same time works', async () => {
  const carol = await signUp(app, 'Carol')
  const both = await Promise.all([createFeed(carol), createFeed(carol)])
  assert.deepEqual((await Promise.all(both.map(statusOf))).toSorted(), [200, 404])
})

test('only a signed-in person creates it, neither a personal token nor an anonymous caller', async () => {
  const { body } = await alice.send('POST', '/api/auth/tokens', { name: 'Script', scopes: ['meeting:read'] })
  const byScript = await sendRequest(app, 'POST', feedPath, undefined, { authorization: body.token })
  assert.deepEqual([byScript.status, byScript.body.code], [403, 'session_required'])
  assert.equal((await sendRequest(app, 'POST', feedPath)).body.code, 'unauthorized')
})
