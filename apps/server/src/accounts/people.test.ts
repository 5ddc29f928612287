import assert from 'node:assert/strict'
import { test } from 'node:test'
import { searchWords } from '@parley/rules/text/search-words'
import { approvedApp } from '../../test/oauth/approved-app.ts'
import { permit } from '../../test/oauth/apps.ts'
import { tokensFor } from '../../test/oauth/token-client.ts'
import { type Person, password, schedule, sendRequest, signUp, standUp } from '../../test/people.ts'
import { expectOk, expectProblem } from '../../test/replies.ts'
import { createClock, startApp, type TestApp } from '../../test/start-app.ts'
import { deleteExpired } from './expired-rows.ts'

const start = new Date()
const clock = createClock(start.toISOString())
const service = await startApp({
  clock,
  emails: 'dropped',
  environment: { TENANTS: 'acme.test=Acme', RATE_LIMITS: 'off' },
})
const olga = await signUp(service, 'Olga')

const suggested = async (
  person: Person,
  q: string,
  query = '',
): Promise<{ email: string; name: string; userId?: string }[]> =>
  (await expectOk(person.send('GET', `/api/people?q=${encodeURIComponent(q)}${query}`))).people
const emails = async (person: Person, q: string, query = '') =>
  (await suggested(person, q, query)).map(({ email }) => email)

let counter = 0
/** A person with an address of their own. `domain` decides on the organisation. */
async function newPerson(name: string, domain = 'example.org', app: TestApp = service) {
  counter++
  return signUp(
    app,
    name,
    `${name
      .toLowerCase()
      .normalize('NFD')
      .replace(/[^a-z]/g, '')}${counter}@${domain}`,
  )
}

const invite = (host: Person, ...participants: string[]) => schedule(host, standUp({ participants }))

test('addresses that a person has invited are suggested to that person alone', async () => {
  const [host, other] = [await newPerson('Hana'), await newPerson('Otto')]
  await invite(host, 'Bob.Baker@elsewhere.example', 'carol@elsewhere.example')
  assert.deepEqual(await suggested(host, 'bo'), [{ email: 'Bob.Baker@elsewhere.example', name: '' }])
  assert.deepEqual(await suggested(other, 'bo'), [])
})

const searches: readonly (readonly [q: string, isFound: boolean])[] = [
  ['b', true],
  ['BOB', true],
  ['bak', true],
  ['bob.ba', true],
  ['bob ba', true],
  ['baker bob', true],
  ['bob.baker@else', true],
  ['@elsewhere', true],
  ['elsewhere.ex', true],
  ['"Bob" <bob', true],
  ['ob', false],
  ['example', false],
  ['bobby', false],
  ['bob carol', false],
  ["b' | 'c", false],
  ['\\', false],
  [':*', false],
  ['%', false],
  ['', false],
  ['@', false],
]
test('each word of a search is the beginning of a word of the name or the address', async () => {
  const host = await newPerson('Hedy')
  await invite(host, 'bob.baker@elsewhere.example')
  for (const [q, isFound] of searches) assert.equal((await emails(host, q)).length, isFound ? 1 : 0, q)
})

test('accents and the composition of letters do not matter, on either side', async () => {
  const jose = await newPerson('José', 'acme.test')
  const asking = await newPerson('Asta', 'acme.test')
  for (const q of ['jose', 'JOSÉ', 'Jose\u0301']) assert.deepEqual(await emails(asking, q), [jose.email], q)
  assert.deepEqual(searchWords('Ünal  Ørsted,ÅSA'), ['unal', 'ørsted', 'asa'])
})

test('colleagues are suggested in an organisation that the operator has named, with their account', async () => {
  const boris = await newPerson('Boris', 'acme.test')
  const asking = await newPerson('Anna', 'acme.test')
  const stranger = await newPerson('Stan')
  const [found] = await suggested(asking, 'boris')
  assert.deepEqual(found, {
    email: boris.email,
    name: 'Boris Test',
    userId: boris.profile._id,
    imageMeta: boris.profile.imageMeta,
  })
  assert.deepEqual(await emails(stranger, 'boris'), [])
  assert.deepEqual(await emails(boris, 'boris'), [], 'no one invites themselves')
})

test('elsewhere colleagues are suggested once they have been invited, or when they switch it on', async () => {
  const [host, bella] = [await newPerson('Hugo'), await newPerson('Bella')]
  assert.equal(bella.profile.suggestedToColleagues, false)
  assert.deepEqual(await emails(host, 'bella'), [])
  await invite(host, bella.email)
  const [met] = await suggested(host, 'tes')
  assert.equal(met?.userId, bella.profile._id, 'found by the last name of the account')
  const other = await newPerson('Oona')
  assert.deepEqual(await emails(other, 'bella'), [])
  await expectOk(bella.send('PUT', '/api/my_profile', { suggestedToColleagues: true }))
  assert.deepEqual(await emails(other, 'bella'), [bella.email])
})

test('a colleague who has switched it off is suggested only to those who have invited them', async () => {
  const quiet = await newPerson('Quentin', 'acme.test')
  assert.equal(quiet.profile.suggestedToColleagues, true)
  const [host, other] = [await newPerson('Hope', 'acme.test'), await newPerson('Oscar', 'acme.test')]
  await expectOk(quiet.send('PUT', '/api/my_profile', { suggestedToColleagues: false }))
  assert.deepEqual(await emails(host, 'quentin'), [])
  await invite(host, quiet.email)
  assert.deepEqual(await emails(host, 'quentin'), [quiet.email])
  assert.deepEqual(await emails(other, 'quentin'), [])
})

test('accounts that are disabled, deleted or not confirmed are not suggested, and one that is not confirmed finds no colleague', async () => {
  const strict = await startApp({
    clock,
    emails: 'dropped',
    beside: service,
    environment: { TENANTS: 'acme.test=Acme', RATE_LIMITS: 'off', EMAIL_VERIFICATION: 'required' },
  })
  const set = (person: Person, changes: { disabledAt?: Date; emailVerifiedAt?: Date | null }) =>
    service.database.updateTable('account').set(changes).where('id', '=', person.profile._id).execute()
  const found = async (person: Person) => {
    const authorization = `Bearer ${person.token}`
    const { people } = await expectOk(sendRequest(strict, 'GET', '/api/people?q=qu', undefined, { authorization }))
    return people.map(({ name }: { name: string }) => name).sort()
  }
  const names = ['Quade', 'Quella', 'Quido', 'Quorra', 'Askia'] as const
  const [shown, disabled, deleted, unconfirmed, asking] = await Promise.all(
    names.map((name) => newPerson(name, 'acme.test')),
  )
  assert.ok(shown && disabled && deleted && unconfirmed && asking)
  for (const person of [shown, disabled, deleted, unconfirmed, asking])
    await set(person, { emailVerifiedAt: clock.now() })
  assert.deepEqual(await found(asking), ['Quade Test', 'Quella Test', 'Quido Test', 'Quorra Test'])
  await set(disabled, { disabledAt: clock.now() })
  await set(unconfirmed, { emailVerifiedAt: null })
  await expectOk(deleted.send('POST', '/api/my_profile/delete', { currentPassword: password }))
  assert.deepEqual(await found(asking), ['Quade Test'])
  await invite(asking, disabled.email, deleted.email, unconfirmed.email)
  assert.deepEqual(await found(asking), ['', '', '', 'Quade Test'], 'by their addresses alone')
  await set(asking, { emailVerifiedAt: null })
  assert.deepEqual(await found(asking), ['', '', ''])
})

test('the account behind an address of another organisation stays unknown', async () => {
  const wile = await newPerson('Wile', 'acme.test')
  const host = await newPerson('Hal')
  await invite(host, wile.email)
  assert.deepEqual(await suggested(host, 'wile'), [{ email: wile.email, name: '' }])
})

test('who was invited often and lately comes first, and colleagues whom one has not invited come last', async () => {
  const [host, colleague] = [await newPerson('Hill', 'acme.test'), await newPerson('Zoran', 'acme.test')]
  const address = (name: string) => `z.${name}@elsewhere.example`
  for (let times = 0; times < 3; times++) await invite(host, address('often'))
  await invite(host, address('once'), address('again'))
  clock.advance(1000)
  await invite(host, address('again'))
  assert.deepEqual(await emails(host, 'z'), [address('often'), address('again'), address('once'), colleague.email])
  clock.advance(100 * 24 * 60 * 60 * 1000)
  const later = await signInLater(host)
  await invite(later, address('late'))
  assert.deepEqual((await emails(later, 'z')).slice(0, 2), [address('late'), address('often')])
  assert.deepEqual(await emails(later, 'z', '&limit=1'), [address('late')])
  clock.set(start)
})

/** The same person with a session that has not expired. */
async function signInLater(person: Person): Promise<Person> {
  const { body } = await sendRequest(service, 'POST', '/api/auth/sign-in', {
    email: person.email,
    password: 'correct horse battery staple',
  })
  return {
    ...person,
    send: (method, path, sent, headers) =>
      sendRequest(service, method, path, sent, { authorization: `Bearer ${body.token}`, ...headers }),
  }
}

test('people who are added to a meeting count, those who stay do not count again, and those who are removed stay', async () => {
  const host = await newPerson('Hilda')
  const meeting = await invite(host, 'x.one@elsewhere.example', 'x.two@elsewhere.example')
  const path = `/api/meeting/meetingDetails/${meeting._id}`
  const rank = async () =>
    (
      await service.pool.query('select email_key, familiarity from contact where account_id = $1 order by 1', [
        host.profile._id,
      ])
    ).rows
  const before = await rank()
  await expectOk(
    host.send('PUT', path, standUp({ participants: ['x.two@elsewhere.example', 'x.three@elsewhere.example'] })),
  )
  assert.deepEqual(
    (await rank()).filter(({ email_key }) => !email_key.startsWith('x.three')),
    before,
  )
  assert.equal((await emails(host, 'x')).length, 3)
})

test('an app reads whom its user has invited with the scope of meetings, and no colleague', async () => {
  await permit(olga, olga, { oauthEnabled: true })
  const app = await approvedApp(service, olga, { scopes: ['user:read', 'meeting:read'] })
  const host = await newPerson('Hubert', 'acme.test')
  await newPerson('Yvonne', 'acme.test')
  await invite(host, 'yuri@elsewhere.example')
  const asked = async (...scopes: ('user:read' | 'meeting:read')[]) => {
    const { access_token } = await tokensFor(service, app, host, { scopes })
    const authorization = `Bearer ${access_token}`
    const answer = await sendRequest(service, 'GET', '/api/people?q=y', undefined, { authorization })
    return scopes.includes('user:read') ? (await expectOk(answer)).people : expectProblem(answer, 'insufficient_scope')
  }
  assert.deepEqual(await asked('user:read'), [])
  assert.deepEqual(await asked('user:read', 'meeting:read'), [{ email: 'yuri@elsewhere.example', name: '' }])
  await asked('meeting:read')
  const { token } = await expectOk(host.send('POST', '/api/auth/tokens', { name: 'mine', scopes: ['user:read'] }), 201)
  const own = await expectOk(
    sendRequest(service, 'GET', '/api/people?q=y', undefined, { authorization: `Bearer ${token}` }),
  )
  assert.equal(own.people.length, 2)
})

test('contacts are exported, and are deleted two years after the last invitation', async () => {
  const host = await newPerson('Hera')
  await invite(host, 'v@elsewhere.example')
  const document = await expectOk(host.send('GET', '/api/my_profile/export'))
  assert.deepEqual(
    document.contacts.map(({ email, name }: Record<string, unknown>) => [email, name]),
    [['v@elsewhere.example', '']],
  )
  const age = (days: number) =>
    service.pool.query(
      `update contact set invited_at = $1::timestamptz - $2 * interval '1 day' where account_id = $3`,
      [clock.now(), days, host.profile._id],
    )
  const left = async () =>
    (await service.pool.query('select 1 from contact where account_id = $1', [host.profile._id])).rowCount
  await age(729)
  await deleteExpired(service.database, clock.now())
  assert.equal(await left(), 1)
  await age(731)
  await deleteExpired(service.database, clock.now())
  assert.equal(await left(), 0)
})

test('a person who types fast is answered, and a program that reads on is refused', async () => {
  const limited = await startApp({ environment: {} })
  const person = await signUp(limited, 'Fast')
  for (let count = 0; count < 30; count++) await expectOk(person.send('GET', '/api/people?q=a'))
  const refused = await person.send('GET', '/api/people?q=a')
  await expectProblem(refused, 'too_many_requests')
  assert.ok(Number(refused.headers.get('retry-after')) <= 10)
})

for (const [query, violation] of [
  ['', '/q required'],
  ['q=a&limit=21', '/limit too_large'],
  ['q=a&limit=0', '/limit too_small'],
  [`q=${'a'.repeat(251)}`, '/q too_long'],
] as const) {
  test(`refuses ?${query.slice(0, 12)}`, async () => {
    await expectProblem(olga.send('GET', `/api/people?${query}`), 'invalid_request', [violation])
  })
}
