import assert from 'node:assert/strict'
import { test } from 'node:test'
import { countEarlierAttempts, countsInRows } from '../../../test/earlier-attempts.ts'
import { codeOf, createPasskeyUse, passkeySignInPath } from '../../../test/passkeys.ts'
import { sendRequest, signUp } from '../../../test/people.ts'
import { startApp } from '../../../test/start-app.ts'

const app = await startApp({ environment: { ...countsInRows, TRUST_PROXY: '127.0.0.1' } })
const { add, challenge } = createPasskeyUse(app)
const prepare = (address: string) =>
  sendRequest(app, 'POST', `${passkeySignInPath}/options`, {}, { 'x-forwarded-for': address })

test('gives every caller their own challenge, which names no account', async () => {
  const first = await challenge()
  await add(await signUp(app, 'Alice'))
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

test('limits one network to 600 challenges a minute, and serves another network', async () => {
  await countEarlierAttempts(app, 'challengesOfNetwork', '198.51.100.1', 599)
  assert.equal((await prepare('198.51.100.1')).status, 200)
  const refused = await prepare('198.51.100.1')
  assert.equal(codeOf(refused), '429 too_many_requests')
  assert.ok(Number(refused.headers.get('retry-after')) > 0)
  assert.equal((await prepare('192.0.2.1')).status, 200)
})
