import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Person, password, sendRequest, signUp } from '../../test/people.ts'
import { expectOk, expectProblem } from '../../test/replies.ts'
import { tokenIn } from '../../test/start-app.ts'
import { useApp } from '../../test/use-app.ts'

const path = '/api/auth/password-reset'
const newPassword = 'a wholly new passphrase'
const { app, clock, olga } = await useApp({
  start: '2030-01-01T00:00:00Z',
  environment: { EMAIL_VERIFICATION: 'off', TRUST_PROXY: '127.0.0.1' },
})

const reset = (body: object, headers?: Record<string, string>) => sendRequest(app, 'POST', path, body, headers)
const signIn = (email: string, typed: string, headers?: Record<string, string>) =>
  sendRequest(app, 'POST', '/api/auth/sign-in', { email, password: typed }, headers)
const works = async (token: string) =>
  (await sendRequest(app, 'GET', '/api/my_profile', undefined, { authorization: token })).status === 200

async function linkFor({ email }: Person): Promise<string> {
  await expectOk(reset({ email }), 202)
  const mail = (await app.mails()).find(({ to }) => to === email)
  return tokenIn(mail)
}

test('Alice requests a link, chooses a password, and all sessions end', async () => {
  const alice = await signUp(app, 'Alice')
  const script = (await alice.send('POST', '/api/auth/tokens', { name: 'x', scopes: ['user:read'] })).body.token
  await expectOk(reset({ email: 'ALICE@example.org' }), 202)
  const [mail] = await app.mails()
  assert.equal(mail?.to, 'alice@example.org')
  assert.equal(mail?.subject, 'Choose a new password')
  assert.match(tokenIn(mail), /^rst_\w{49}$/)
  assert.equal(await works(alice.token), true, 'asking changes nothing')

  const set = await expectOk(reset({ token: tokenIn(mail), newPassword }))
  assert.deepEqual(set, { status: 'Your password is changed. Sign in with it.' })
  assert.equal(await works(alice.token), false)
  assert.equal(await works(script), false)
  await expectProblem(signIn(alice.email, password), 'wrong_credentials')
  const { body } = await signIn(alice.email, newPassword)
  assert.equal(body.user.hasPasswordChangedAfterLogin, true)
  const [notice] = await app.mails()
  assert.deepEqual([notice?.to, notice?.subject], ['alice@example.org', 'Your password was changed'])
  assert.equal(tokenIn(notice), '')
})

test('answers an unknown address alike, and sends no email', async () => {
  const known = await reset({ email: 'olga@example.org' })
  const unknown = await reset({ email: 'nobody@example.org' })
  assert.deepEqual([unknown.status, unknown.body], [known.status, known.body])
  assert.deepEqual([...unknown.headers.keys()], [...known.headers.keys()])
  assert.deepEqual(
    (await app.mails()).map(({ to }) => to),
    ['olga@example.org'],
  )
})

test('accepts a link once, also of two simultaneous requests, and invalidates older links', async () => {
  const bob = await signUp(app, 'Bob')
  const older = await linkFor(bob)
  const token = await linkFor(bob)
  const both = await Promise.all([1, 2].map((nth) => reset({ token, newPassword: `${newPassword} ${nth}` })))
  assert.deepEqual(both.map(({ status }) => status).toSorted(), [200, 400])
  const winner = both.findIndex(({ status }) => status === 200) + 1
  await expectOk(signIn(bob.email, `${newPassword} ${winner}`))
  await expectProblem(reset({ token: older, newPassword }), 'invalid_token')
  await app.mails()
})

test('accepts a link for an hour', async () => {
  const carol = await signUp(app, 'Carol')
  const [token, later] = [await linkFor(carol), await linkFor(await signUp(app, 'Dave'))]
  clock.advance(3_600_000 - 1)
  await expectOk(reset({ token, newPassword }))
  clock.advance(1)
  await expectProblem(reset({ token: later, newPassword }), 'invalid_token')
  await app.mails()
})

test('sends no link to a disabled account, and refuses its earlier links', async () => {
  const erin = await signUp(app, 'Erin')
  const token = await linkFor(erin)
  await olga.send('PUT', `/api/admin/accounts/${erin.profile._id}`, { disabled: true })
  await expectProblem(reset({ token, newPassword }), 'invalid_token')
  assert.equal(await linkFor(erin), '')
  await olga.send('PUT', `/api/admin/accounts/${erin.profile._id}`, { disabled: false })
  await expectProblem(reset({ token, newPassword }), 'invalid_token')
})

test('a new password admits an owner whom Mallory’s attempts lock out', async () => {
  const frank = await signUp(app, 'Frank')
  const away = { 'x-forwarded-for': '203.0.113.7' }
  const mallory = (at: number) => ({ 'x-forwarded-for': `198.51.100.${at}` })
  for (let at = 0; at < 10; at++) await signIn(frank.email, 'guess', mallory(at))
  await expectProblem(signIn(frank.email, password, away), 'too_many_requests')
  const token = await linkFor(frank)
  await expectOk(reset({ token, newPassword }, away))
  for (let at = 0; at < 11; at++) await signIn(frank.email, 'guess', mallory(at))
  await expectOk(signIn(frank.email, newPassword, away))
  await app.mails()
})

test('keeps the link after a refused password', async () => {
  const grace = await signUp(app, 'Grace')
  const token = await linkFor(grace)
  await expectProblem(reset({ token, newPassword: 'short' }), 'invalid_request', ['/newPassword too_short'])
  await expectProblem(reset({ token, newPassword: 'GRACE@example.org' }), 'invalid_request', [
    '/newPassword same_as_email',
  ])
  await expectProblem(reset({ token, newPassword: 'trustno1' }), 'invalid_request', ['/newPassword too_common'])
  await expectOk(reset({ token, newPassword }))
  await app.mails()
})

test('refuses an invalid link, and reports missing fields', async () => {
  for (const token of ['', 'x', olga.token, `rst_${'0'.repeat(49)}`]) {
    await expectProblem(reset({ token, newPassword }), 'invalid_token')
  }
  await expectProblem(reset({}), 'invalid_request', [' required'])
  await expectProblem(reset({ token: 'x' }), 'invalid_request', [' required'])
  await expectProblem(reset({ newPassword }), 'invalid_request', [' required'])
  await expectProblem(reset({ email: 'x' }), 'invalid_request', ['/email bad_format'])
  await expectProblem(reset({ token: 1, newPassword: 2 }), 'invalid_request', [
    '/newPassword wrong_type',
    '/token wrong_type',
  ])
})

test('emails one address six times an hour, and answers the seventh request as the first', async () => {
  const limited = await signUp(app, 'Bombed')
  const replies = []
  for (let sent = 0; sent < 8; sent++) replies.push(await reset({ email: limited.email }))
  const shown = replies.map(({ status, headers, body }) => [status, headers.get('retry-after'), body])
  assert.deepEqual(shown, Array(8).fill([202, null, replies[0]?.body]))
  assert.equal((await app.mails()).length, 6)
})
