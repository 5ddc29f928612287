import assert from 'node:assert/strict'
import { test } from 'node:test'
import { pino } from 'pino'
import { type Person, schedule, signUp, standUp } from '../../test/people.ts'
import { expectOk, expectProblem } from '../../test/replies.ts'
import { createClock, startApp } from '../../test/start-app.ts'
import { createLastUse } from '../access/credentials/last-use.ts'
import { writeCursor } from '../platform/database/cursor.ts'

const path = '/api/admin/accounts'
const app = await startApp({ environment: { TENANTS: 'acme.test=Acme' } })
const olga = await signUp(app, 'Olga')
const names = ['Alice', 'Bob', 'Carol', 'Dave', '50%_off']
const people: Person[] = []
for (const name of names) people.push(await signUp(app, name, `p${people.length}@example.org`))
const [alice] = people
await signUp(app, 'Wile', 'wile@acme.test')

const namesIn = (body: { accounts: { name: string }[] }) => body.accounts.map(({ name }) => name)

test('shows the administrator every account of the organisation, oldest first, and no other', async () => {
  const body = await expectOk(olga.send('GET', path))
  assert.deepEqual(namesIn(body), ['Olga', ...names])
  assert.equal(body.totalCount, 6)
  assert.equal(body.moreAvailable, false)
  assert.equal(body.nextCursor, null)
  const { createdOn, ...first } = body.accounts.at(-1)
  assert.match(createdOn, /^\d{4}-\d\d-\d\dT/)
  assert.deepEqual(first, {
    _id: people.at(-1)?.profile._id,
    email: 'p4@example.org',
    emailVerified: true,
    name: '50%_off',
    lname: 'Test',
    tenantId: olga.profile.tenantId,
    admin: false,
    reviewer: false,
    oauthEnabled: false,
    oauthRequest: null,
    disabled: false,
    avatar: 0,
    lastSeenOn: null,
    meetings: 0,
  })
})

test('lists each account once across pages', async () => {
  const seen: string[] = []
  let after = ''
  for (let page = 0; page < 3; page++) {
    const { body } = await olga.send('GET', `${path}?limit=2${after}`)
    seen.push(...namesIn(body))
    assert.equal(body.totalCount, 6)
    assert.equal(body.moreAvailable, page < 2)
    after = `&after=${body.nextCursor}`
  }
  assert.deepEqual(seen, ['Olga', ...names])
})

const searches = [
  ['alice', ['Alice']],
  ['LIC', ['Alice']],
  ['p2@example', ['Carol']],
  ['alice test', ['Alice']],
  [' bob ', ['Bob']],
  ['%', ['50%_off']],
  ['_', ['50%_off']],
  ['\\', []],
  ["'", []],
  ['wile', []],
  ['', ['Olga', ...names]],
] as const
for (const [q, found] of searches) {
  test(`a search for "${q}" finds ${found.length}`, async () => {
    const { body } = await olga.send('GET', `${path}?q=${encodeURIComponent(q)}`)
    assert.deepEqual(namesIn(body), found)
    assert.equal(body.totalCount, found.length)
  })
}

/** Follow the pages of two accounts each. */
async function namesOnPages(query: string): Promise<string[]> {
  const seen: string[] = []
  for (let after = ''; ; ) {
    const body = await expectOk(olga.send('GET', `${path}?limit=2&${query}${after}`))
    seen.push(...namesIn(body))
    if (body.nextCursor === null) return seen
    after = `&after=${body.nextCursor}`
  }
}

test('sorts by name, by meetings that are not cancelled, and by when a person was last seen, across pages', async () => {
  const [, bob, carol, dave] = people
  assert.ok(bob !== undefined && carol !== undefined && dave !== undefined)
  const rename = (name: string, lname: string) =>
    app.database.updateTable('account').set({ name, lname }).where('id', '=', dave.profile._id).execute()
  await rename('Ädil', '')
  const byName = ['50%_off', 'Ädil', 'Alice', 'Bob', 'Carol', 'Olga']
  assert.deepEqual(await namesOnPages('sort=name'), byName.toSpliced(1, 2, 'Alice', 'Ädil'))
  assert.deepEqual(await namesOnPages('sort=name&order=desc'), byName.toSpliced(1, 2, 'Alice', 'Ädil').toReversed())

  for (const topic of ['First', 'Second']) await schedule(bob, standUp({ topic, participants: [] }))
  const cancelled = await schedule(carol, standUp({ participants: [] }))
  await schedule(carol, standUp({ participants: [] }))
  await expectOk(carol.send('POST', `/api/meeting/cancel/${cancelled._id}`, { cancel: 'all' }))
  assert.deepEqual((await namesOnPages('sort=meetings&order=desc')).slice(0, 2), ['Bob', 'Carol'])
  assert.deepEqual((await namesOnPages('sort=meetings')).slice(-2), ['Carol', 'Bob'])
  const { accounts } = await expectOk(olga.send('GET', `${path}?sort=meetings&order=desc&limit=3`))
  assert.deepEqual(
    accounts.map(({ meetings }: { meetings: number }) => meetings),
    [2, 1, 0],
  )

  const seen = (person: Person, lastSeenAt: string) =>
    app.database
      .updateTable('account')
      .set({ lastSeenAt: new Date(lastSeenAt) })
      .where('id', '=', person.profile._id)
      .execute()
  await app.database.updateTable('account').set({ lastSeenAt: null }).execute()
  await seen(carol, '2030-01-01T10:00:00Z')
  await seen(bob, '2030-01-01T09:00:00Z')
  await seen(olga, '2030-01-02T09:00:00Z')
  assert.deepEqual((await namesOnPages('sort=lastSeenOn&order=desc')).slice(0, 3), ['Olga', 'Carol', 'Bob'])
  assert.deepEqual(await namesOnPages('sort=lastSeenOn'), ['Alice', 'Ädil', '50%_off', 'Bob', 'Carol', 'Olga'])
  await rename('Dave', 'Test')
})

test('an account of another organisation as the end of a page reveals nothing of it', async () => {
  const other = await app.database
    .selectFrom('account')
    .select('id')
    .where('name', '=', 'Wile')
    .executeTakeFirstOrThrow()
  const after = writeCursor({ at: new Date(0), id: other.id })
  const listAfter = async (sort: string) =>
    namesIn(await expectOk(olga.send('GET', `${path}?sort=${sort}&after=${after}`)))
  const rename = (name: string) =>
    app.database.updateTable('account').set({ name }).where('id', '=', other.id).execute()
  for (const sort of ['name', 'meetings', 'createdOn']) {
    const found = await listAfter(sort)
    await rename('Aaron')
    assert.deepEqual(await listAfter(sort), found, sort)
    await rename('Zoe')
    assert.deepEqual(await listAfter(sort), found, sort)
    await rename('Wile')
  }
})

test('a person who is renamed or deleted between two pages leaves no one else out', async () => {
  const [, , carol] = people
  assert.ok(carol !== undefined)
  const first = await expectOk(olga.send('GET', `${path}?sort=name&limit=4`))
  assert.equal(namesIn(first).at(-1), 'Carol')
  const change = (values: { name: string; deletedAt: Date | null }) =>
    app.database.updateTable('account').set(values).where('id', '=', carol.profile._id).execute()
  await change({ name: '', deletedAt: new Date(0) })
  assert.deepEqual(namesIn(await expectOk(olga.send('GET', `${path}?sort=name&after=${first.nextCursor}`))), [
    'Dave',
    'Olga',
  ])
  await change({ name: 'Carol', deletedAt: null })
})

test('lists only administrators, reviewers, developers, or accounts that are disabled', async () => {
  const [, bob, carol, dave] = people
  const allow = (person: Person | undefined, rights: object) =>
    expectOk(olga.send('PUT', `${path}/${person?.profile._id}`, rights))
  await allow(bob, { reviewer: true, oauthEnabled: true })
  await allow(carol, { oauthEnabled: true })
  await allow(dave, { disabled: true })
  assert.deepEqual(await namesOnPages('only=admin'), ['Olga'])
  assert.deepEqual(await namesOnPages('only=reviewer'), ['Olga', 'Bob'])
  assert.deepEqual(await namesOnPages('only=oauthEnabled&sort=name&order=desc'), ['Olga', 'Carol', 'Bob'])
  assert.deepEqual(await namesOnPages('only=disabled'), ['Dave'])
  // Without EMAIL_VERIFICATION, no address needs a confirmation.
  await app.database.updateTable('account').set({ emailVerifiedAt: null }).where('name', '=', 'Carol').execute()
  assert.deepEqual(await namesOnPages('only=unconfirmed'), [])
})

test('shows accounts whose address is not confirmed, where addresses have to be', async () => {
  const strict = await startApp({ beside: app, environment: { EMAIL_VERIFICATION: 'required' } })
  const confirmed = app.database.updateTable('account').set({ emailVerifiedAt: new Date() })
  await confirmed.where('name', '!=', 'Carol').execute()
  const response = await fetch(`${strict.base}${path}?only=unconfirmed`, {
    headers: { authorization: `Bearer ${olga.token}` },
  })
  assert.deepEqual(namesIn(await response.json()), ['Carol'])
})

test('records when a person was last seen at most once an hour, also by two instances', async () => {
  const clock = createClock('2030-01-01T00:00:00Z')
  const instances = [1, 2].map(() => createLastUse({ database: app.database, clock, log: pino({ enabled: false }) }))
  const id = alice?.profile._id ?? ''
  const lastSeen = async () => {
    const body = await expectOk(olga.send('GET', `${path}?q=alice`))
    return body.accounts[0].lastSeenOn
  }
  await app.database.updateTable('account').set({ lastSeenAt: null }).where('id', '=', id).execute()
  const use = async (lastUsedAt: Date | null) => {
    for (const instance of instances) {
      instance.record('account', { id, lastUsedAt })
      await instance.flush()
      clock.advance(1)
    }
  }
  await use(null)
  const first = new Date('2030-01-01T00:00:00Z')
  assert.equal(await lastSeen(), first.toISOString())
  clock.set('2030-01-01T00:59:59.998Z')
  await use(first)
  assert.equal(await lastSeen(), first.toISOString())
  await use(first)
  assert.equal(await lastSeen(), '2030-01-01T01:00:00.000Z')
})

const violations = [
  ['sort=email', '/sort not_allowed'],
  ['order=up', '/order not_allowed'],
  ['only=everyone', '/only not_allowed'],
  ['limit=0', '/limit too_small'],
  ['limit=201', '/limit too_large'],
  ['limit=x', '/limit wrong_type'],
  ['after=x', '/after bad_format'],
  [`q=${'q'.repeat(251)}`, '/q too_long'],
] as const
for (const [query, violation] of violations) {
  test(`${query.slice(0, 12)}: ${violation}`, async () => {
    await expectProblem(olga.send('GET', `${path}?${query}`), 'invalid_request', [violation])
  })
}

test('accepts limits at their bounds', async () => {
  for (const query of ['limit=1', 'limit=200', `q=${'q'.repeat(250)}`]) {
    await expectOk(olga.send('GET', `${path}?${query}`))
  }
})

test('refuses callers who are no administrators', async () => {
  await expectProblem(alice?.send('GET', path), 'administrator_required')
})
