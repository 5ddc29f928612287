import assert from 'node:assert/strict'
import { test } from 'node:test'
import { personalScopeNames } from '@parley/contract'
import { sql } from 'kysely'
import { type Person, sendRequest, signUp, violationsOf } from '../../test/people.ts'
import { createClock, startApp } from '../../test/start-app.ts'

const path = '/api/auth/tokens'
const clock = createClock('2030-01-01T00:00:00Z')
const app = await startApp({ clock })
const olga = await signUp(app, 'Olga')

const make = (person: Person, changes: object = {}) =>
  person.send('POST', path, { name: 'Import script', scopes: ['meeting:read'], ...changes })

test('shows the token once, and lists it without the secret', async () => {
  const alice = await signUp(app, 'Alice')
  const { status, body } = await make(alice, {
    scopes: ['meeting:read', 'meeting:create', 'meeting:read'],
    expiresOn: '2030-06-01T02:00:00.789+02:00',
  })
  assert.equal(status, 201)
  const { token, ...shown } = body
  assert.match(token, /^pat_[0-9A-Za-z]{49}$/)
  assert.deepEqual(
    { ...shown, _id: '' },
    {
      _id: '',
      name: 'Import script',
      scopes: ['meeting:read', 'meeting:create'],
      createdOn: '2030-01-01T00:00:00.000Z',
      expiresOn: '2030-06-01T00:00:00.000Z',
      lastUsedOn: null,
    },
  )
  const listed = await alice.send('GET', path)
  assert.deepEqual(listed.body, { tokens: [shown] })
  assert.deepEqual((await olga.send('GET', path)).body, { tokens: [] })
})

test('never expires without an end, and with an end of null', async () => {
  const bob = await signUp(app, 'Bob')
  for (const changes of [{}, { expiresOn: null }]) {
    const { body } = await make(bob, { scopes: ['user:read'], ...changes })
    assert.equal(body.expiresOn, null)
    clock.advance(50 * 365 * 24 * 3_600_000)
    const { status } = await sendRequest(app, 'GET', '/api/my_profile', undefined, { authorization: body.token })
    assert.equal(status, 200)
    clock.set('2030-01-01T00:00:00Z')
  }
})

const boundaries: readonly (readonly [string, object, string | undefined])[] = [
  ['a name of one character', { name: 'x' }, undefined],
  ['a name of 100 characters', { name: 'x'.repeat(100) }, undefined],
  ['a name of 101 characters', { name: 'x'.repeat(101) }, '/name too_long'],
  ['an empty name', { name: '  ' }, '/name too_short'],
  ['a name of two lines', { name: 'a\nb' }, '/name control_character'],
  ['a name that is a number', { name: 1 }, '/name wrong_type'],
  ['every scope', { scopes: personalScopeNames }, undefined],
  ['the portal alone', { scopes: ['apps:manage'] }, undefined],
  ['no scope', { scopes: [] }, '/scopes too_few'],
  ['20 scopes', { scopes: Array(20).fill('user:read') }, undefined],
  ['21 scopes', { scopes: Array(21).fill('user:read') }, '/scopes too_many'],
  ['a scope that there is not', { scopes: ['user:read', 'meeting:rule'] }, '/scopes/1 not_allowed'],
  ['a scope with a name of Object', { scopes: ['constructor'] }, '/scopes/0 not_allowed'],
  ['a scope that is a number', { scopes: [7] }, '/scopes/0 wrong_type'],
  ['an end a second ahead', { expiresOn: '2030-01-01T00:00:01Z' }, undefined],
  ['an end at this moment', { expiresOn: '2030-01-01T00:00:00Z' }, '/expiresOn in_the_past'],
  ['a day without a time', { expiresOn: '2030-02-01' }, '/expiresOn bad_format'],
  ['an end that is a number', { expiresOn: 1_900_000_000 }, '/expiresOn wrong_type'],
]

for (const [what, changes, violation] of boundaries) {
  test(`${what}: ${violation ?? 'taken'}`, async () => {
    const answer = await make(olga, changes)
    assert.equal(answer.status, violation === undefined ? 201 : 400)
    assert.deepEqual(violationsOf(answer), violation === undefined ? [] : [violation])
  })
}

test('reports all missing fields at once', async () => {
  assert.deepEqual(violationsOf(await olga.send('POST', path, {})), ['/name required', '/scopes required'])
})

test('limits an account to fifty, also when sixty are created at once', async () => {
  const carol = await signUp(app, 'Carol')
  const answers = await Promise.all(Array.from({ length: 60 }, () => make(carol)))
  assert.equal(answers.filter(({ status }) => status === 201).length, 50)
  const refused = answers.filter(({ status }) => status !== 201)
  for (const { status, body } of refused) assert.deepEqual([status, body.code], [409, 'too_many_tokens'])
  const [{ _id }] = (await carol.send('GET', path)).body.tokens
  assert.equal((await carol.send('DELETE', `${path}/${_id}`)).status, 200)
  assert.equal((await make(carol)).status, 201)
})

test('audits creation and deletion with the actor, and without the token', async () => {
  const erin = await signUp(app, 'Erin')
  const { token, _id } = (await make(erin)).body
  await erin.send('DELETE', `${path}/${_id}`)
  const { rows } = await sql
    .raw<{ action: string; detail: object }>(`select action, detail from audit_entry
      where actor_id = '${erin.profile._id}' and action like 'personal-token%' order by id`)
    .execute(app.database)
  assert.deepEqual(rows, [
    { action: 'personal-token.created', detail: { name: 'Import script', scopes: ['meeting:read'], tokenId: _id } },
    { action: 'personal-token.deleted', detail: { name: 'Import script', tokenId: _id } },
  ])
  assert.equal(JSON.stringify(rows).includes(token), false)
})
