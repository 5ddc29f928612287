import assert from 'node:assert/strict'
import { test } from 'node:test'
import { failImports } from '../../../test/failing-import.ts'
import { createPasskeyUse, passkeysPath } from '../../../test/passkeys.ts'
import { type Person, password } from '../../../test/people.ts'
import { expectOk, expectProblem } from '../../../test/replies.ts'
import { type ResponseOverrides, SoftwareAuthenticator } from '../../../test/software-authenticator.ts'
import { useApp } from '../../../test/use-app.ts'

const minuteMs = 60_000
const { app, clock, meet, mailsTo } = await useApp({ start: '2030-01-01T00:00:00Z' })
const { optionsFor, add, signIn, listOf } = createPasskeyUse(app)

type Options = Awaited<ReturnType<typeof optionsFor>>
const sendNew = (person: Person, options: Options) =>
  person.send('POST', passkeysPath, { name: 'Laptop', credential: new SoftwareAuthenticator().create(options) })

test('adding a passkey requires the password in a session older than ten minutes', async () => {
  const [frank] = await meet('Frank')
  const prepare = (body: object) => frank.send('POST', `${passkeysPath}/options`, body)
  clock.advance(10 * minuteMs - 1)
  await expectOk(prepare({}))
  clock.advance(1)
  await expectProblem(prepare({}), 'recent_sign_in_required')
  await expectProblem(prepare({ currentPassword: 'wrong' }), 'wrong_credentials')
  await expectOk(prepare({ currentPassword: password }))
})

test('counts wrong passwords for adding a passkey', async () => {
  const [grace] = await meet('Grace')
  const prepare = (currentPassword: string) => grace.send('POST', `${passkeysPath}/options`, { currentPassword })
  for (let failures = 0; failures < 10; failures++) await expectProblem(prepare('wrong'), 'wrong_credentials')
  await expectProblem(prepare(password), 'too_many_requests')
})

test('an import failure of the passkey library fails the request as an internal error, and the next one works', async (t) => {
  const [nina] = await meet('Nina')
  const mend = failImports(t, '@simplewebauthn/server')
  await expectProblem(sendNew(nina, await optionsFor(nina)), 'internal_error')
  mend()
  // Both of the first two requests load it.
  const [one, other] = [await optionsFor(nina), await optionsFor(nina)]
  await Promise.all([one, other].map((options) => expectOk(sendNew(nina, options), 201)))
  assert.equal((await mailsTo(nina)).length, 2)
})

test('requires the challenge of the same session, and is owned by its account only', async () => {
  const [erin, mallory] = await meet('Erin', 'Mallory')
  const { authenticator } = await add(erin)
  const refusals: [string, ResponseOverrides][] = [
    ['another origin', { origin: 'https://parley.test' }],
    ['another relying party', { rpId: 'test' }],
    ['a sign-in', { type: 'webauthn.get' }],
    ['the person is not verified', { userVerified: false }],
  ]
  for (const [name, said] of refusals) {
    const credential = new SoftwareAuthenticator().create(await optionsFor(erin), said)
    await expectProblem(erin.send('POST', passkeysPath, { name, credential }), 'passkey_refused')
  }
  const stolen = new SoftwareAuthenticator().create(await optionsFor(erin))
  await expectProblem(mallory.send('POST', passkeysPath, { name: 'x', credential: stolen }), 'passkey_refused')
  const taken = new SoftwareAuthenticator({ id: authenticator.id }).create(await optionsFor(mallory))
  await expectProblem(mallory.send('POST', passkeysPath, { name: 'x', credential: taken }), 'passkey_taken')
  const { excludeCredentials } = await optionsFor(erin)
  assert.deepEqual(
    excludeCredentials.map(({ id }: { id: string }) => id),
    [authenticator.id.toString('base64url')],
  )
  const unnamed = erin.send('POST', passkeysPath, { name: '', credential: stolen })
  await expectProblem(unnamed, 'invalid_request', ['/name too_short'])
})

test('limits an account to 20 passkeys', async () => {
  const [kim] = await meet('Kim')
  const [first, last] = [await optionsFor(kim), await optionsFor(kim)]
  for (let count = 0; count < 19; count++) await add(kim)
  await expectOk(sendNew(kim, first), 201)
  await expectProblem(sendNew(kim, last), 'too_many_passkeys')
  await expectProblem(kim.send('POST', `${passkeysPath}/options`, {}), 'too_many_passkeys')
  assert.equal((await mailsTo(kim)).length, 1)
})

test('shows Alice her passkeys, newest first, none of Bob’s, and no key', async () => {
  const [alice, bob] = await meet('Alice', 'Bob')
  assert.deepEqual(await expectOk(alice.send('GET', passkeysPath)), { passkeys: [] })
  const laptop = await add(alice, undefined, 'Laptop')
  clock.advance(minuteMs)
  const phone = await add(alice, undefined, 'Phone')
  await add(bob)
  clock.advance(minuteMs)
  await expectOk(signIn(phone.authenticator))
  const unused = { lastUsedOn: null, synced: false, suspectedOn: null }
  assert.deepEqual(await listOf(alice), [
    {
      _id: phone.passkey._id,
      name: 'Phone',
      createdOn: '2030-01-01T00:01:00.000Z',
      ...unused,
      lastUsedOn: '2030-01-01T00:02:00.000Z',
    },
    { _id: laptop.passkey._id, name: 'Laptop', createdOn: '2030-01-01T00:00:00.000Z', ...unused },
  ])
})

test('Ivan renames his passkey, and nothing else of it changes', async () => {
  const [ivan] = await meet('Ivan')
  const { passkey } = await add(ivan)
  const renamed = await expectOk(ivan.send('PUT', `${passkeysPath}/${passkey._id}`, { name: 'Phone' }))
  assert.deepEqual(renamed, { ...passkey, name: 'Phone' })
  assert.deepEqual(await listOf(ivan), [renamed])
})

test('accepts a name of 1 to 100 characters in one line', async () => {
  const [ivan] = await meet('Ivan')
  const { passkey } = await add(ivan)
  const rename = (name: string) => ivan.send('PUT', `${passkeysPath}/${passkey._id}`, { name })
  for (const name of ['x', 'x'.repeat(100)]) await expectOk(rename(name))
  await expectProblem(rename('x'.repeat(101)), 'invalid_request', ['/name too_long'])
  await expectProblem(rename(' '), 'invalid_request', ['/name too_short'])
  await expectProblem(rename('a\nb'), 'invalid_request', ['/name control_character'])
})

test('Ivan removes one of his passkeys: it stops working at once, and the other one still works', async () => {
  const [ivan] = await meet('Ivan')
  const phone = await add(ivan, undefined, 'Phone')
  const { authenticator, passkey } = await add(ivan)
  const own = `${passkeysPath}/${passkey._id}`
  await expectOk(ivan.send('DELETE', own))
  assert.deepEqual(await listOf(ivan), [phone.passkey])
  await expectProblem(signIn(authenticator), 'wrong_passkey')
  await expectOk(signIn(phone.authenticator))
  await expectProblem(ivan.send('DELETE', own), 'passkey_not_found')
})

test('answers not found to Mallory for Ivan’s passkey, and for an invalid id', async () => {
  const [ivan, mallory] = await meet('Ivan', 'Mallory')
  const { authenticator, passkey } = await add(ivan)
  for (const id of [passkey._id, 'nonsense', '%00']) {
    await expectProblem(mallory.send('PUT', `${passkeysPath}/${id}`, { name: 'Mine' }), 'passkey_not_found')
    await expectProblem(mallory.send('DELETE', `${passkeysPath}/${id}`), 'passkey_not_found')
  }
  assert.deepEqual(await listOf(ivan), [passkey])
  await expectOk(signIn(authenticator))
})
