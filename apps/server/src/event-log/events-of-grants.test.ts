import assert from 'node:assert/strict'
import { test } from 'node:test'
import { lastEvent, readEvents, requestEvents } from '../../test/event-reader.ts'
import { approvedApp } from '../../test/oauth/approved-app.ts'
import { tokensFor } from '../../test/oauth/token-client.ts'
import { meetPeople } from '../../test/people.ts'
import { startApp } from '../../test/start-app.ts'

const app = await startApp({ emails: 'dropped' })
const { olga, alice, bob } = await meetPeople(app)
const planner = await approvedApp(app, olga, { name: 'Planner' })
const other = await approvedApp(app, olga, { name: 'Other' })

const grantsOf = async (token: string) =>
  (await readEvents(app, { token })).events.filter(({ type }) => type.startsWith('grant.'))

test('grant.created, .changed and .revoked: a person sees their own, an app those of its users and its own only', async () => {
  const first = await tokensFor(app, planner, alice, { scopes: ['user:read'] })
  const { data, subject } = await lastEvent(app, alice, 'grant.created')
  assert.deepEqual(
    [data.userId, data.appId, data.grantId, data.scopes, data.sandbox],
    [alice.profile._id, planner.appId, subject, ['user:read'], false],
  )
  await tokensFor(app, planner, alice, { scopes: ['user:read'] })
  await tokensFor(app, planner, alice, { scopes: ['meeting:read'] })
  assert.deepEqual((await lastEvent(app, alice, 'grant.changed')).data.scopes, ['user:read', 'meeting:read'])

  const ofOther = await tokensFor(app, other, alice, { scopes: ['user:read', 'meeting:read'] })
  const ofSandbox = await tokensFor(app, planner, alice, { scopes: ['user:read'], sandbox: true })
  const ofBob = await tokensFor(app, planner, bob, { scopes: ['user:read'] })
  const types = async (token: string) => (await grantsOf(token)).map(({ type }) => type)
  assert.deepEqual(await types(first.access_token), ['grant.created', 'grant.changed'])
  for (const { access_token } of [ofOther, ofSandbox, ofBob]) {
    assert.deepEqual(await types(access_token), ['grant.created'])
  }
  assert.equal((await grantsOf(alice.token)).length, 4)

  const { status } = await alice.send('DELETE', `/api/oauth2/grants/${subject}`)
  assert.equal(status, 200)
  const revoked = await lastEvent(app, alice, 'grant.revoked')
  assert.deepEqual([revoked.subject, revoked.data.scopes], [subject, []])
  assert.equal((await requestEvents(app, { token: first.access_token })).status, 401)
  // The app may read it once its user has connected it again.
  const again = await tokensFor(app, planner, alice, { scopes: ['user:read'] })
  assert.deepEqual(await types(again.access_token), [
    'grant.created',
    'grant.changed',
    'grant.revoked',
    'grant.created',
  ])
})
