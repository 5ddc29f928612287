import assert from 'node:assert/strict'
import { test } from 'node:test'
import { failImports } from '../../../test/failing-import.ts'
import { codeOf, createPasskeyUse, passkeysPath } from '../../../test/passkeys.ts'
import { signUp, violationsOf } from '../../../test/people.ts'
import { type ResponseOverrides, SoftwareAuthenticator } from '../../../test/software-authenticator.ts'
import { createClock, startApp } from '../../../test/start-app.ts'

const clock = createClock('2030-01-01T00:00:00Z')
const app = await startApp({ clock })
const { optionsFor, add } = createPasskeyUse(app)

test('an import failure of the passkey library fails the request as an internal error, and the next one works', async (t) => {
  const nina = await signUp(app, 'Nina')
  const mend = failImports(t, '@simplewebauthn/server')
  const credential = new SoftwareAuthenticator().create(await optionsFor(nina))
  assert.equal(codeOf(await nina.send('POST', passkeysPath, { name: 'Laptop', credential })), '500 internal_error')
  mend()
  // Both of the first two requests load it.
  const added = await Promise.all(
    [await optionsFor(nina), await optionsFor(nina)].map((options) =>
      nina.send('POST', passkeysPath, { name: 'Laptop', credential: new SoftwareAuthenticator().create(options) }),
    ),
  )
  assert.deepEqual(
    added.map(({ status }) => status),
    [201, 201],
  )
  await app.mails()
})

test('requires the challenge of the same session, and is owned by its account only', async () => {
  const [erin, mallory] = [await signUp(app, 'Erin'), await signUp(app, 'Mallory')]
  const { authenticator } = await add(erin)
  const refusals: [string, ResponseOverrides][] = [
    ['another origin', { origin: 'https://parley.test' }],
    ['another relying party', { rpId: 'test' }],
    ['a sign-in', { type: 'webauthn.get' }],
    ['nobody verified', { userVerified: false }],
  ]
  for (const [name, said] of refusals) {
    const credential = new SoftwareAuthenticator().create(await optionsFor(erin), said)
    assert.equal(codeOf(await erin.send('POST', passkeysPath, { name: 'x', credential })), '400 passkey_refused', name)
  }
  const stolen = new SoftwareAuthenticator().create(await optionsFor(erin))
  assert.equal(
    codeOf(await mallory.send('POST', passkeysPath, { name: 'x', credential: stolen })),
    '400 passkey_refused',
  )
  const taken = new SoftwareAuthenticator({ id: authenticator.id }).create(await optionsFor(mallory))
  assert.equal(codeOf(await mallory.send('POST', passkeysPath, { name: 'x', credential: taken })), '409 passkey_taken')
  const { excludeCredentials } = await optionsFor(erin)
  assert.deepEqual(
    excludeCredentials.map(({ id }: { id: string }) => id),
    [authenticator.id.toString('base64url')],
  )
  const unnamed = await erin.send('POST', passkeysPath, { name: '', credential: stolen })
  assert.deepEqual(violationsOf(unnamed), ['/name too_short'])
  assert.deepEqual(violationsOf(await erin.send('POST', passkeysPath, {})), ['/credential required', '/name required'])
})

test('limits an account to 20 passkeys', async () => {
  const kim = await signUp(app, 'Kim')
  const [first, last] = [await optionsFor(kim), await optionsFor(kim)]
  for (let count = 0; count < 19; count++) await add(kim)
  const send = (options: typeof first) =>
    kim.send('POST', passkeysPath, { name: 'x', credential: new SoftwareAuthenticator().create(options) })
  assert.equal((await send(first)).status, 201)
  assert.equal(codeOf(await send(last)), '409 too_many_passkeys')
  assert.equal(codeOf(await kim.send('POST', `${passkeysPath}/options`, {})), '409 too_many_passkeys')
  assert.equal((await app.mails()).length, 1)
})
