import assert from 'node:assert/strict'
import { test } from 'node:test'
import { countEarlierAttempts, countsInRows } from '../../../test/earlier-attempts.ts'
import { codeOf, createPasskeyUse, passkeySignInPath, passkeysPath } from '../../../test/passkeys.ts'
import { type Person, sendRequest, signUp } from '../../../test/people.ts'
import { SoftwareAuthenticator } from '../../../test/software-authenticator.ts'
import { startApp } from '../../../test/start-app.ts'

const path = `${passkeysPath}/confirmation/options`
const app = await startApp({ environment: { ...countsInRows, TRUST_PROXY: '127.0.0.1' } })
const { add, signIn } = createPasskeyUse(app)
const prepare = (person: Person, headers?: Record<string, string>) => person.send('POST', path, {}, headers)

test('asks Alice for one of her own passkeys, except a copied one', async () => {
  const alice = await signUp(app, 'Alice')
  await add(await signUp(app, 'Bob'))
  assert.equal(codeOf(await prepare(alice)), '404 passkey_not_found')
  const { authenticator: phone } = await add(alice, undefined, 'Phone')
  const { authenticator: copied } = await add(alice, new SoftwareAuthenticator({ counter: 1 }))
  const allowed = async () => {
    const { status, body } = await prepare(alice)
    assert.equal(status, 200)
    const { challenge, allowCredentials, ...options } = body.publicKey
    assert.equal(Buffer.from(challenge, 'base64url').length, 32)
    assert.deepEqual(options, { rpId: 'parley.test', timeout: 300_000, userVerification: 'required' })
    return allowCredentials.map(({ id }: { id: string }) => id)
  }
  assert.deepEqual(await allowed(), [copied.id.toString('base64url'), phone.id.toString('base64url')])
  const thief = copied.copy()
  await signIn(copied)
  assert.equal(codeOf(await signIn(thief)), '401 wrong_passkey')
  assert.deepEqual(await allowed(), [phone.id.toString('base64url')])
})

test('its challenge signs no person in, and there is none without a session', async () => {
  const carol = await signUp(app, 'Carol')
  const { authenticator } = await add(carol)
  const { publicKey } = (await prepare(carol)).body
  const credential = authenticator.get(publicKey)
  assert.equal(codeOf(await sendRequest(app, 'POST', passkeySignInPath, { credential })), '401 wrong_passkey')
  assert.equal(codeOf(await sendRequest(app, 'POST', path, {})), '401 unauthorized')
})

test('limits one network to 600 challenges a minute, those of sign-ins included', async () => {
  const dave = await signUp(app, 'Dave')
  await add(dave)
  const from = { 'x-forwarded-for': '198.51.100.1' }
  await countEarlierAttempts(app, 'challengesOfNetwork', '198.51.100.1', 598)
  assert.equal((await sendRequest(app, 'POST', `${passkeySignInPath}/options`, {}, from)).status, 200)
  assert.equal((await prepare(dave, from)).status, 200)
  assert.equal(codeOf(await prepare(dave, from)), '429 too_many_requests')
  assert.equal((await prepare(dave)).status, 200)
})
