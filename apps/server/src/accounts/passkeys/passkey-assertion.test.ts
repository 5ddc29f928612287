import assert from 'node:assert/strict'
import { test } from 'node:test'
import { countEarlierAttempts, countsInRows } from '../../../test/earlier-attempts.ts'
import { createPasskeyUse, passkeySignInPath, passkeysPath } from '../../../test/passkeys.ts'
import { type Person, sendRequest } from '../../../test/people.ts'
import { expectOk, expectProblem } from '../../../test/replies.ts'
import { SoftwareAuthenticator } from '../../../test/software-authenticator.ts'
import { useApp } from '../../../test/use-app.ts'

const { app, meet } = await useApp({ environment: { ...countsInRows, TRUST_PROXY: '127.0.0.1' } })
const { add, challenge, signIn } = createPasskeyUse(app)
const prepare = (person: Person, headers?: Record<string, string>) =>
  person.send('POST', `${passkeysPath}/confirmation/options`, {}, headers)

test('gives every caller who signs in their own challenge, which names no account', async () => {
  const [alice] = await meet('Alice')
  const first = await challenge()
  await add(alice)
  const second = await challenge()
  assert.notEqual(first.challenge, second.challenge)
  assert.equal(Buffer.from(first.challenge, 'base64url').length, 32)
  const { challenge: _, ...options } = second
  assert.deepEqual(options, {
    rpId: 'parley.test',
    timeout: 300_000,
    userVerification: 'required',
    allowCredentials: [],
  })
})

test('asks Alice to confirm with one of her own passkeys, except a copied one', async () => {
  const [alice, bob] = await meet('Alice', 'Bob')
  await add(bob)
  await expectProblem(prepare(alice), 'passkey_not_found')
  const { authenticator: phone } = await add(alice, undefined, 'Phone')
  const { authenticator: copied } = await add(alice, new SoftwareAuthenticator({ counter: 1 }))
  const allowed = async () => {
    const { publicKey } = await expectOk(prepare(alice))
    const { challenge: text, allowCredentials, ...options } = publicKey
    assert.equal(Buffer.from(text, 'base64url').length, 32)
    assert.deepEqual(options, { rpId: 'parley.test', timeout: 300_000, userVerification: 'required' })
    return allowCredentials.map(({ id }: { id: string }) => id)
  }
  assert.deepEqual(await allowed(), [copied.id.toString('base64url'), phone.id.toString('base64url')])
  const thief = copied.copy()
  await expectOk(signIn(copied))
  await expectProblem(signIn(thief), 'wrong_passkey')
  assert.deepEqual(await allowed(), [phone.id.toString('base64url')])
})

test('the challenge of a confirmation signs no person in', async () => {
  const [carol] = await meet('Carol')
  const { authenticator } = await add(carol)
  const { publicKey } = await expectOk(prepare(carol))
  const credential = authenticator.get(publicKey)
  await expectProblem(sendRequest(app, 'POST', passkeySignInPath, { credential }), 'wrong_passkey')
})

test('limits one network to 600 challenges a minute, those of sign-ins included, and serves another network', async () => {
  const [dave] = await meet('Dave')
  await add(dave)
  const from = { 'x-forwarded-for': '198.51.100.1' }
  const prepareSignIn = () => sendRequest(app, 'POST', `${passkeySignInPath}/options`, {}, from)
  await countEarlierAttempts(app, 'challengesOfNetwork', '198.51.100.1', 598)
  await expectOk(prepareSignIn())
  await expectOk(prepare(dave, from))
  await expectProblem(prepare(dave, from), 'too_many_requests')
  const refused = await prepareSignIn()
  await expectProblem(refused, 'too_many_requests')
  assert.ok(Number(refused.headers.get('retry-after')) > 0)
  await expectOk(prepare(dave))
})
