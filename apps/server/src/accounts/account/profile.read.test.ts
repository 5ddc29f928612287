import assert from 'node:assert/strict'
import { test } from 'node:test'
import { approvedApp } from '../../../test/oauth/approved-app.ts'
import { permit } from '../../../test/oauth/apps.ts'
import { tokensFor } from '../../../test/oauth/token-client.ts'
import { sendRequest } from '../../../test/people.ts'
import { expectOk, expectProblem } from '../../../test/replies.ts'
import { useApp } from '../../../test/use-app.ts'

const path = '/api/my_profile'
const { app, clock, olga, meet } = await useApp()
const read = (authorization: string) => sendRequest(app, 'GET', path, undefined, { authorization })

test('Alice reads her own profile, with the PIN of her room and the key of the chat', async () => {
  const [alice] = await meet('Alice')
  const profile = await expectOk(alice.send('GET', path))
  assert.deepEqual(profile, alice.profile)
  assert.match(profile.roomPIN, /^\w{6}$/)
  assert.notEqual(profile.jcData.jcKey, '')
  assert.deepEqual([profile.email, profile.roleIds], [alice.email, []])
  assert.notEqual((await expectOk(olga.send('GET', path)))._id, profile._id)
})

test('shows changes by an administrator at once', async () => {
  const [alice] = await meet('Alice')
  await permit(olga, alice, { reviewer: true, oauthEnabled: true })
  const { roleIds, oauthEnabled } = await expectOk(alice.send('GET', path))
  assert.deepEqual([roleIds, oauthEnabled], [['reviewer'], true])
})

test('shows a personal token and an app no key of the chat, and what their scopes permit', async () => {
  const [alice] = await meet('Alice')
  const planner = await approvedApp(app, alice)
  const profile = await expectOk(alice.send('GET', path))
  const withoutKey = { ...profile, jcData: { ...profile.jcData, jcKey: '' } }
  const script = (scopes: string[]) => expectOk(alice.send('POST', '/api/auth/tokens', { name: 'Script', scopes }), 201)
  assert.deepEqual(await expectOk(read((await script(['user:read'])).token)), withoutKey)
  await expectProblem(read((await script(['meeting:read'])).token), 'insufficient_scope')

  const mayRead = await tokensFor(app, planner, alice, { scopes: ['user:read'], clock })
  // No email has verified her address, and apps see that. The PIN of her room needs the scope of other PINs.
  const shown = { ...withoutKey, emailVerified: false }
  assert.deepEqual(await expectOk(read(`Bearer ${mayRead.access_token}`)), { ...shown, roomPIN: '' })
  const readsMeetings = await tokensFor(app, planner, alice, { scopes: ['user:read', 'meeting:read'], clock })
  assert.deepEqual(await expectOk(read(`Bearer ${readsMeetings.access_token}`)), shown)
  const mayNot = await tokensFor(app, planner, alice, { scopes: ['meeting:read'], clock })
  await expectProblem(read(`Bearer ${mayNot.access_token}`), 'insufficient_scope')
})

test('refuses callers who are not signed in, and disabled accounts', async () => {
  await expectProblem(sendRequest(app, 'GET', path), 'unauthorized')
  const [bob] = await meet('Bob')
  await permit(olga, bob, { disabled: true })
  await expectProblem(bob.send('GET', path), 'unauthorized')
})
