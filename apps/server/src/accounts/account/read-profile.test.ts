import assert from 'node:assert/strict'
import { test } from 'node:test'
import { approvedApp } from '../../../test/oauth/approved-app.ts'
import { done, permit, refused } from '../../../test/oauth/apps.ts'
import { tokensFor } from '../../../test/oauth/token-client.ts'
import { sendRequest, signUp } from '../../../test/people.ts'
import { startApp } from '../../../test/start-app.ts'

const path = '/api/my_profile'
const app = await startApp()
const [olga, alice] = [await signUp(app, 'Olga'), await signUp(app, 'Alice')]
const read = (authorization: string) => sendRequest(app, 'GET', path, undefined, { authorization })

test('Alice reads her own profile, with the PIN of her room and the key of the chat', async () => {
  const profile = await done(alice.send('GET', path))
  assert.deepEqual(profile, alice.profile)
  assert.match(profile.roomPIN, /^\w{6}$/)
  assert.notEqual(profile.jcData.jcKey, '')
  assert.deepEqual([profile.email, profile.roleIds], ['alice@example.org', []])
  assert.notEqual((await done(olga.send('GET', path)))._id, profile._id)
})

test('shows changes by an administrator at once', async () => {
  await permit(olga, alice, { reviewer: true, oauthEnabled: true })
  const { roleIds, oauthEnabled } = await done(alice.send('GET', path))
  assert.deepEqual([roleIds, oauthEnabled], [['reviewer'], true])
})

test('shows a personal token and an app no key of the chat, and what their scopes permit', async () => {
  const profile = await done(alice.send('GET', path))
  const withoutKey = { ...profile, jcData: { ...profile.jcData, jcKey: '' } }
  const script = (scopes: string[]) => done(alice.send('POST', '/api/auth/tokens', { name: 'Script', scopes }), 201)
  assert.deepEqual(await done(read((await script(['user:read'])).token)), withoutKey)
  await refused(read((await script(['meeting:read'])).token), 403, 'insufficient_scope')

  const planner = await approvedApp(app, alice)
  const mayRead = await tokensFor(app, planner, alice, { scopes: ['user:read'] })
  // No email has verified her address, and apps see that. The PIN of her room needs the scope of other PINs.
  const shown = { ...withoutKey, emailVerified: false }
  assert.deepEqual(await done(read(`Bearer ${mayRead.access_token}`)), { ...shown, roomPIN: '' })
  const readsMeetings = await tokensFor(app, planner, alice, { scopes: ['user:read', 'meeting:read'] })
  assert.deepEqual(await done(read(`Bearer ${readsMeetings.access_token}`)), shown)
  const mayNot = await tokensFor(app, planner, alice, { scopes: ['meeting:read'] })
  await refused(read(`Bearer ${mayNot.access_token}`), 403, 'insufficient_scope')
})

test('refuses callers who are not signed in, and disabled accounts', async () => {
  await refused(sendRequest(app, 'GET', path), 401, 'unauthorized')
  const bob = await signUp(app, 'Bob')
  await permit(olga, bob, { disabled: true })
  await refused(bob.send('GET', path), 401, 'unauthorized')
})
