import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Person, password, sendRequest, signUp } from '../../../test/people.ts'
import { expectProblem } from '../../../test/replies.ts'
import { createClock, startApp } from '../../../test/start-app.ts'
import { deleteExpired } from '../expired-rows.ts'

const path = '/api/auth/security-log'
const dayMs = 24 * 60 * 60 * 1000
const clock = createClock('2030-01-01T00:00:00Z')
const app = await startApp({ clock, environment: { TRUST_PROXY: '127.0.0.1' } })
const olga = await signUp(app, 'Olga')

type Entry = { action: string; by: string; about: string; network: string; userAgent: string; happenedOn: string }

const entriesOf = async (person: Person): Promise<Entry[]> => (await person.send('GET', path)).body.entries
const actionsOf = async (person: Person) => (await entriesOf(person)).map(({ action }) => action)
const signIn = (email: string, typed: string, headers: Record<string, string> = {}) =>
  sendRequest(app, 'POST', '/api/auth/sign-in', { email, password: typed }, headers)

test('Alice reads the events of her account, newest first, with their sources', async () => {
  const alice = await signUp(app, 'Alice')
  const phone = { 'user-agent': 'Phone/1.0', 'x-forwarded-for': '198.51.100.23' }
  clock.advance(1000)
  await signIn(alice.email, 'wrong password', { ...phone, 'x-forwarded-for': '2001:db8:7:8::9' })
  clock.advance(1000)
  const { token } = (await signIn(alice.email, password, phone)).body
  const onPhone = (method: string, route: string, body?: object) =>
    sendRequest(app, method, route, body, { authorization: token, ...phone })
  clock.advance(1000)
  const made = (await onPhone('POST', '/api/auth/tokens', { name: 'Nightly', scopes: ['user:read'] })).body
  clock.advance(1000)
  await onPhone('DELETE', `/api/auth/tokens/${made._id}`)
  clock.advance(1000)
  await onPhone('POST', '/api/auth/sign-out')
  clock.advance(1000)
  await olga.send('PUT', `/api/admin/accounts/${alice.profile._id}`, { reviewer: true })

  const seen = (await entriesOf(alice)).map(({ action, by, about, network, userAgent }) =>
    [action, by, about, network, userAgent].join(' | '),
  )
  assert.deepEqual(seen, [
    'account.updated | organisation |  |  | ',
    'session.ended | you |  | 198.51.100.0/24 | ',
    'personal-token.deleted | you | Nightly | 198.51.100.0/24 | ',
    'personal-token.created | you | Nightly | 198.51.100.0/24 | ',
    'session.begun | you |  | 198.51.100.0/24 | Phone/1.0',
    'sign-in.refused | unknown |  | 2001:db8:7::/48 | Phone/1.0',
    'session.begun | you |  | 127.0.0.0/24 | node',
    'account.created | you |  | 127.0.0.0/24 | ',
  ])
})

test('lists wrong and right passwords of a signed-in person', async () => {
  const bob = await signUp(app, 'Bob')
  const change = (currentPassword: string) =>
    bob.send('POST', '/api/auth/password', { currentPassword, newPassword: 'a wholly new passphrase' })
  await change('wrong password')
  await change(password)
  await bob.send('DELETE', '/api/auth/sessions')
  assert.deepEqual((await actionsOf(bob)).slice(0, 3), ['sessions.ended', 'password.changed', 'password.refused'])
  assert.equal((await app.mails()).length, 1)
})

test('records a refused sign-in without an account as well, without the typed values', async () => {
  await signIn('nobody@example.org', 'a secret in the wrong field')
  await signIn('not an address', 'a secret in the wrong field')
  const noted = await app.database
    .selectFrom('auditEntry')
    .select(['tenantId', 'actorId', 'detail'])
    .where('action', '=', 'sign-in.refused')
    .where('subjectId', 'is', null)
    .execute()
  const { tenantId } = olga.profile
  assert.deepEqual(noted, Array(2).fill({ tenantId, actorId: null, detail: { userAgent: 'node' } }))
})

test('pages through the caller’s own log only', async () => {
  const carol = await signUp(app, 'Carol')
  for (let times = 0; times < 4; times++) await carol.send('DELETE', '/api/auth/sessions')
  const pages: string[][] = []
  for (let after = ''; pages.length < 5; ) {
    const { body } = await carol.send('GET', `${path}?limit=4${after}`)
    pages.push(body.entries.map(({ action }: Entry) => action))
    assert.equal(body.moreAvailable, body.nextCursor !== null)
    if (!body.moreAvailable) break
    after = `&after=${body.nextCursor}`
  }
  assert.deepEqual(pages, [Array(4).fill('sessions.ended'), ['session.begun', 'account.created']])
  await expectProblem(carol.send('GET', `${path}?limit=101&after=x`), 'invalid_request', [
    '/after bad_format',
    '/limit too_large',
  ])
  await expectProblem(sendRequest(app, 'GET', path), 'unauthorized')
})

test('deletes sign-ins after 180 days, and keeps changes', async () => {
  const app = await startApp({ clock })
  const dave = await signUp(app, 'Dave')
  await dave.send('DELETE', '/api/auth/sessions')
  const begun = clock.now().getTime()
  const leftAt = async (days: number) => {
    await deleteExpired(app.database, new Date(begun + days * dayMs - (days === 180 ? 1 : 0)))
    const kept = app.database.selectFrom('auditEntry').select('action').where('subjectId', '=', dave.profile._id)
    return (await kept.orderBy('id').execute()).map(({ action }) => action)
  }
  assert.deepEqual(await leftAt(180), ['account.created', 'session.begun', 'sessions.ended'])
  assert.deepEqual(await leftAt(181), ['account.created'])
})

test('keeps the audit log for good, or for the operator’s retention time', async () => {
  const app = await startApp({ clock })
  const erin = await signUp(app, 'Erin')
  const later = new Date(clock.now().getTime() + 400 * dayMs)
  const left = () =>
    app.database.selectFrom('auditEntry').select('action').where('subjectId', '=', erin.profile._id).execute()
  await deleteExpired(app.database, later)
  assert.deepEqual(await left(), [{ action: 'account.created' }])
  await deleteExpired(app.database, later, { signInDays: 180, auditLogDays: 401 })
  assert.equal((await left()).length, 1)
  await deleteExpired(app.database, later, { signInDays: 180, auditLogDays: 400 })
  assert.deepEqual(await left(), [])
})
