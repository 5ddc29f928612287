import assert from 'node:assert/strict'
import { test } from 'node:test'
import { personalScopeNames } from '@parley/contract'
import { type Person, sendRequest } from '../../test/people.ts'
import { expectOk, expectProblem } from '../../test/replies.ts'
import { useApp } from '../../test/use-app.ts'

const path = '/api/auth/tokens'
const { app, clock, olga, meet } = await useApp({ start: '2030-01-01T00:00:00Z' })

const create = (person: Person, changes: object = {}) =>
  person.send('POST', path, { name: 'Import script', scopes: ['user:read'], ...changes })
type Listed = { name: string; expiresOn: string | null }
const listOf = async (person: Person): Promise<Listed[]> => (await expectOk(person.send('GET', path))).tokens
const use = (token: string) => sendRequest(app, 'GET', '/api/my_profile', undefined, { authorization: token })

test('shows the token once, and lists it without the secret', async () => {
  const [alice, bob] = await meet('Alice', 'Bob')
  const changes = {
    scopes: ['meeting:read', 'meeting:create', 'meeting:read'],
    expiresOn: '2030-06-01T02:00:00.789+02:00',
  }
  const { token, ...shown } = await expectOk(create(alice, changes), 201)
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
  clock.advance(60_000)
  const { token: _, ...later } = await expectOk(create(alice), 201)
  assert.deepEqual(await listOf(alice), [later, shown])
  assert.deepEqual(await listOf(bob), [])
})

for (const changes of [{}, { expiresOn: null }]) {
  test(`a token with ${JSON.stringify(changes)} never expires`, async () => {
    const [bob] = await meet('Bob')
    const { token, expiresOn } = await expectOk(create(bob, changes), 201)
    assert.equal(expiresOn, null)
    clock.advance(50 * 365 * 24 * 3_600_000)
    await expectOk(use(token))
  })
}

test('lists an expired token until it is deleted', async () => {
  const [carol] = await meet('Carol')
  const expiresOn = '2030-01-01T01:00:00.000Z'
  const { token, _id } = await expectOk(create(carol, { name: 'Nightly', expiresOn }), 201)
  clock.advance(3_600_000)
  await expectProblem(use(token), 'unauthorized')
  assert.deepEqual(
    (await listOf(carol)).map(({ name, expiresOn: at }) => [name, at]),
    [['Nightly', expiresOn]],
  )
  await expectOk(carol.send('DELETE', `${path}/${_id}`))
  assert.deepEqual(await listOf(carol), [])
})

const boundaries: readonly (readonly [string, object, string | undefined])[] = [
  ['a name of one character', { name: 'x' }, undefined],
  ['a name of 100 characters', { name: 'x'.repeat(100) }, undefined],
  ['a name of 101 characters', { name: 'x'.repeat(101) }, '/name too_long'],
  ['an empty name', { name: '  ' }, '/name too_short'],
  ['a name of two lines', { name: 'a\nb' }, '/name control_character'],
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
]

for (const [what, changes, violation] of boundaries) {
  test(`${what}: ${violation ?? 'taken'}`, async () => {
    if (violation === undefined) await expectOk(create(olga, changes), 201)
    else await expectProblem(create(olga, changes), 'invalid_request', [violation])
  })
}

test('limits an account to fifty, also when sixty are created at once', async () => {
  const [carol] = await meet('Carol')
  const answers = await Promise.all(Array.from({ length: 60 }, () => create(carol)))
  const refused = answers.filter(({ status }) => status !== 201)
  assert.equal(refused.length, 10)
  for (const answer of refused) await expectProblem(answer, 'too_many_tokens')
  const [{ _id }] = (await expectOk(carol.send('GET', path))).tokens
  await expectOk(carol.send('DELETE', `${path}/${_id}`))
  await expectOk(create(carol), 201)
})

test('a deleted token is refused with its next request; another person’s is not found', async () => {
  const [dave, bob] = await meet('Dave', 'Bob')
  const { token, _id } = await expectOk(create(dave), 201)
  await expectProblem(bob.send('DELETE', `${path}/${_id}`), 'token_not_found')
  await expectOk(use(token))
  await expectOk(dave.send('DELETE', `${path}/${_id}`))
  await expectProblem(use(token), 'unauthorized')
  for (const id of [_id, '1', 'x'.repeat(200), '%27'])
    await expectProblem(dave.send('DELETE', `${path}/${id}`), 'token_not_found')
})

test('audits creation and deletion with the actor, and without the token', async () => {
  const [erin] = await meet('Erin')
  const { token, _id } = await expectOk(create(erin), 201)
  await expectOk(erin.send('DELETE', `${path}/${_id}`))
  const entries = await app.database
    .selectFrom('auditEntry')
    .select(['action', 'detail'])
    .where('actorId', '=', erin.profile._id)
    .where('action', 'like', 'personal-token%')
    .orderBy('id')
    .execute()
  assert.deepEqual(entries, [
    { action: 'personal-token.created', detail: { name: 'Import script', scopes: ['user:read'], tokenId: _id } },
    { action: 'personal-token.deleted', detail: { name: 'Import script', tokenId: _id } },
  ])
  assert.equal(JSON.stringify(entries).includes(token), false)
})
