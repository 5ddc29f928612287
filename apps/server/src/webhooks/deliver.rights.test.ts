import assert from 'node:assert/strict'
import { afterEach, test } from 'node:test'
import type { Scope } from '@parley/contract'
import { approvedApp } from '../../test/oauth/approved-app.ts'
import { backendOf, tokensFor } from '../../test/oauth/token-client.ts'
import { meetPeople, type Person, sendRequest, signUp, standUp } from '../../test/people.ts'
import { expectOk } from '../../test/replies.ts'
import { startApp } from '../../test/start-app.ts'
import { type Receiver, startReceiver } from '../../test/webhooks/receiver.ts'
import { deliverDue, insertWebhook, loopbackReceivers, statesOf } from '../../test/webhooks/webhooks.ts'

const app = await startApp({
  emails: 'dropped',
  environment: { ...loopbackReceivers, TENANTS: 'elsewhere.example=Elsewhere' },
})
const { olga, alice, bob, mallory } = await meetPeople(app)
const planner = await approvedApp(app, olga, { name: 'Planner' })
const other = await approvedApp(app, olga, { name: 'Other' })

afterEach(async () => {
  await app.database.deleteFrom('webhook').execute()
  for (const person of [alice, bob, mallory]) {
    const { body } = await person.send('GET', '/api/oauth2/grants')
    for (const { _id } of body.grants) await person.send('DELETE', `/api/oauth2/grants/${_id}`)
  }
  await app.publishEvents()
})

const create = (host: Person) => host.send('POST', '/api/meeting?sendUpdates=none', standUp())

async function grantIdOf(person: Person): Promise<string> {
  const { body } = await person.send('GET', '/api/oauth2/grants')
  return body.grants[0]._id
}
const revoke = async (person: Person) => person.send('DELETE', `/api/oauth2/grants/${await grantIdOf(person)}`)

const taken = (receiver: Receiver) =>
  receiver.taken.map(({ type, data }) => `${type} of ${'userId' in data ? nameOf(String(data.userId)) : '?'}`)
const nameOf = (id: string) =>
  Object.entries({ olga, alice, bob, mallory }).find(([, { profile }]) => profile._id === id)?.[0]

test('an app hears of the meetings of people who granted it meeting:read, and of its own grants', async () => {
  const [receiver, sandboxReceiver] = [await startReceiver(), await startReceiver()]
  await insertWebhook(app, olga, receiver, { owner: 'app', app: planner })
  await insertWebhook(app, olga, sandboxReceiver, { owner: 'app', app: planner, sandbox: true })
  await tokensFor(app, planner, alice, { scopes: ['meeting:read'] })
  await tokensFor(app, planner, bob, { scopes: ['user:read'] })
  await tokensFor(app, other, mallory, { scopes: ['meeting:read'] })
  await tokensFor(app, planner, mallory, { scopes: ['meeting:read'], sandbox: true })
  for (const person of [alice, bob, mallory]) await create(person)
  await deliverDue(app)
  assert.deepEqual(taken(receiver).toSorted(), [
    'grant.created of alice',
    'grant.created of bob',
    'meeting.created of alice',
  ])
  assert.deepEqual(taken(sandboxReceiver).toSorted(), ['grant.created of mallory', 'meeting.created of mallory'])
})

test('webhooks belong to the API: an app hears of no meetings of people who granted it the MCP server alone', async () => {
  const receiver = await startReceiver()
  await insertWebhook(app, olga, receiver, { owner: 'app', app: planner })
  await tokensFor(app, planner, alice, { scopes: ['meeting:read'], resource: 'mcp' })
  await create(alice)
  await deliverDue(app)
  assert.deepEqual(taken(receiver), ['grant.created of alice'])
})

test('only the app that made a change, and the person for whom it did, are sent its grant', async () => {
  const readers = { own: await startReceiver(), other: await startReceiver() }
  const [ofPerson, ofOrganisation] = [await startReceiver(), await startReceiver()]
  const scopes: Scope[] = ['meeting:read', 'meeting:create']
  const writer = await approvedApp(app, olga, { name: 'Writer', scopes })
  const { access_token: token } = await tokensFor(app, writer, alice, { scopes })
  await tokensFor(app, other, alice, { scopes: ['meeting:read'] })
  await app.publishEvents()
  await insertWebhook(app, olga, readers.own, { owner: 'app', app: writer })
  await insertWebhook(app, olga, readers.other, { owner: 'app', app: other })
  await insertWebhook(app, alice, ofPerson)
  await insertWebhook(app, olga, ofOrganisation, { owner: 'organisation' })
  await expectOk(sendRequest(app, 'POST', '/api/meeting', standUp(), { authorization: `Bearer ${token}` }))
  await deliverDue(app)
  const { grants } = (await alice.send('GET', '/api/oauth2/grants')).body
  const { _id: grantId } = grants.find((grant: { app: { name: string } }) => grant.app.name === 'Writer')
  const sent = [readers.own, ofPerson, readers.other, ofOrganisation].map(({ taken: [event] }) => event?.actingGrantId)
  assert.deepEqual(sent, [grantId, grantId, null, null])
})

test('what was queued before a revocation is withheld; the app hears of the end of the grant and of nothing after', async () => {
  const receiver = await startReceiver()
  await tokensFor(app, planner, alice, { scopes: ['meeting:read'] })
  await app.publishEvents()
  const id = await insertWebhook(app, olga, receiver, { owner: 'app', app: planner })
  await create(alice)
  await app.publishEvents()
  await revoke(alice)
  await create(alice)
  await deliverDue(app)
  assert.deepEqual(taken(receiver), ['grant.revoked of alice'])
  assert.deepEqual(await statesOf(app, id), ['withheld', 'delivered'])
})

test('what an app may not read is not even in its log', async () => {
  const receiver = await startReceiver()
  // The grant expires, and is not revoked after the test, as those of the others are.
  const dora = await signUp(app, 'Dora')
  const bulk = await approvedApp(app, bob, { name: 'Bulk' })
  await tokensFor(app, planner, alice, { scopes: ['user:read'] })
  await tokensFor(app, bulk, dora, { scopes: ['meeting:read'] })
  await tokensFor(app, planner, dora, { scopes: ['meeting:read'], sandbox: true })
  await app.publishEvents()
  const ofPlanner = await insertWebhook(app, olga, receiver, { owner: 'app', app: planner })
  const ofSandbox = await insertWebhook(app, olga, receiver, { owner: 'app', app: planner, sandbox: true })
  const ofGrant = await insertWebhook(app, alice, receiver, {
    owner: 'grant',
    app: planner,
    grantId: await grantIdOf(alice),
  })
  const ofBulk = await insertWebhook(app, bob, receiver, { owner: 'app', app: bulk })
  // The receiver verifies with the secrets of one webhook only.
  receiver.secrets.length = 0
  await app.database.updateTable('appGrant').set({ expiresAt: new Date() }).where('sandbox', '=', true).execute()
  await expectOk(olga.send('POST', `/api/oauth2/apps/${bulk.appId}/suspend`, {}))
  await create(alice)
  await create(dora)
  await deliverDue(app)
  for (const id of [ofPlanner, ofSandbox, ofGrant]) assert.deepEqual(await statesOf(app, id), [])
  assert.deepEqual(await statesOf(app, ofBulk), ['delivered'], 'its own suspension')
  assert.deepEqual(taken(receiver), ['app.suspended of bob'])
})

test('a webhook of a personal token hears nothing more once the token is deleted or has expired', async () => {
  const receiver = await startReceiver()
  const tokenOf = async (more: object = {}) =>
    (await expectOk(bob.send('POST', '/api/auth/tokens', { name: 'script', scopes: ['meeting:read'], ...more }), 201))
      ._id
  const deleted = await tokenOf()
  const expired = await tokenOf()
  for (const personalTokenId of [deleted, expired]) await insertWebhook(app, bob, receiver, { personalTokenId })
  // The receiver verifies with the secrets of one webhook only.
  receiver.secrets.length = 0
  await create(bob)
  await deliverDue(app)
  assert.equal(receiver.taken.length, 2)
  await create(bob)
  await app.publishEvents()
  await expectOk(bob.send('DELETE', `/api/auth/tokens/${deleted}`))
  await app.database.updateTable('personalToken').set({ expiresAt: new Date() }).where('id', '=', expired).execute()
  await create(bob)
  await deliverDue(app)
  assert.equal(receiver.requests.length, 2, 'neither what waited nor what followed')
})

test('a webhook of a grant hears nothing more once its app has revoked the last refresh token', async () => {
  const receiver = await startReceiver()
  const connect = () => tokensFor(app, planner, alice, { scopes: ['meeting:read'] })
  const [first, second] = [await connect(), await connect()]
  const backend = backendOf(app, planner)
  const grantId = await grantIdOf(alice)
  await app.publishEvents()
  const id = await insertWebhook(app, alice, receiver, { owner: 'grant', app: planner, grantId })
  await backend.revoke(first.refresh_token)
  await create(alice)
  await deliverDue(app)
  assert.deepEqual(taken(receiver), ['meeting.created of alice'], 'the second still serves the app')
  await create(alice)
  await app.publishEvents()
  await backend.revoke(second.access_token)
  await backend.revoke(second.refresh_token)
  assert.equal(await grantIdOf(alice), grantId, 'the grant stays')
  await connect()
  await create(alice)
  await deliverDue(app)
  assert.equal(receiver.requests.length, 1, 'also when the app has new tokens')
  assert.deepEqual(await statesOf(app, id), ['delivered', 'withheld'])
})

test('a suspended app hears of its suspension alone', async () => {
  const receiver = await startReceiver()
  const suspended = await approvedApp(app, bob, { name: 'Bulk' })
  await tokensFor(app, suspended, alice, { scopes: ['meeting:read'] })
  await app.publishEvents()
  await insertWebhook(app, bob, receiver, { owner: 'app', app: suspended })
  await create(alice)
  await expectOk(olga.send('POST', `/api/oauth2/apps/${suspended.appId}/suspend`, {}))
  await deliverDue(app)
  assert.deepEqual(taken(receiver), ['app.suspended of bob'])
})

test('a webhook of a grant ends with the grant, also when the person grants the app again', async () => {
  const receiver = await startReceiver()
  await tokensFor(app, planner, alice, { scopes: ['meeting:read'] })
  await app.publishEvents()
  const grantId = await grantIdOf(alice)
  await insertWebhook(app, alice, receiver, { owner: 'grant', app: planner, grantId })
  await create(alice)
  await create(bob)
  await deliverDue(app)
  assert.deepEqual(taken(receiver), ['meeting.created of alice'])
  await revoke(alice)
  await tokensFor(app, planner, alice, { scopes: ['meeting:read'] })
  await create(alice)
  await deliverDue(app)
  assert.equal(receiver.requests.length, 1)
})

test('a webhook of the organisation gets events of all its accounts, and of no other organisation', async () => {
  const receiver = await startReceiver()
  await insertWebhook(app, olga, receiver, { owner: 'organisation', types: ['meeting.created'] })
  await create(alice)
  await create(await signUp(app, 'Stranger', 'stranger@elsewhere.example'))
  await deliverDue(app)
  assert.deepEqual(taken(receiver), ['meeting.created of alice'])
  await app.database.updateTable('account').set({ administrator: false }).where('id', '=', olga.profile._id).execute()
  await create(alice)
  await deliverDue(app)
  assert.equal(receiver.requests.length, 1)
  await app.database.updateTable('account').set({ administrator: true }).where('id', '=', olga.profile._id).execute()
})

test('a disabled person hears nothing more', async () => {
  const receiver = await startReceiver()
  await insertWebhook(app, bob, receiver)
  await create(bob)
  await app.publishEvents()
  await app.database.updateTable('account').set({ disabledAt: new Date() }).where('id', '=', bob.profile._id).execute()
  await deliverDue(app)
  assert.deepEqual(receiver.requests, [])
  await app.database.updateTable('account').set({ disabledAt: null }).where('id', '=', bob.profile._id).execute()
})
