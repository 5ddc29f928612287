import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Person, signUp } from '../../test/people.ts'
import { expectOk, expectProblem } from '../../test/replies.ts'
import { startApp } from '../../test/start-app.ts'

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
  const { createdOn, ...first } = body.accounts[1]
  assert.match(createdOn, /^\d{4}-\d\d-\d\dT/)
  assert.deepEqual(first, {
    _id: alice?.profile._id,
    email: 'p0@example.org',
    emailVerified: true,
    name: 'Alice',
    lname: 'Test',
    tenantId: olga.profile.tenantId,
    admin: false,
    reviewer: false,
    oauthEnabled: false,
    oauthRequest: null,
    disabled: false,
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

const violations = [
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
