import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createPasskeyUse, passkeySignInPath, passkeysPath } from '../../../test/passkeys.ts'
import { password, sendRequest, signUp } from '../../../test/people.ts'
import { expectOk, expectProblem } from '../../../test/replies.ts'
import { type ResponseOverrides, SoftwareAuthenticator } from '../../../test/software-authenticator.ts'
import { tokenIn } from '../../../test/start-app.ts'
import { useApp } from '../../../test/use-app.ts'
import { deleteExpired } from '../expired-rows.ts'

const minuteMs = 60_000
const { app, clock, olga } = await useApp({ start: '2030-01-01T00:00:00Z' })
const { optionsFor, add, challenge, signIn, listOf } = createPasskeyUse(app)

test('Alice adds a passkey, signs in with it without an address, and sees the time of its last use', async () => {
  const alice = await signUp(app, 'Alice')
  const options = await optionsFor(alice)
  assert.deepEqual(options.rp, { id: 'parley.test', name: 'Parley' })
  assert.equal(options.user.name, alice.email)
  assert.equal(options.authenticatorSelection.userVerification, 'required')
  assert.equal(options.authenticatorSelection.residentKey, 'required')
  assert.equal(options.attestation, 'none')

  const { authenticator, passkey } = await add(alice)
  assert.deepEqual(await listOf(alice), [passkey])
  assert.deepEqual(
    { ...passkey, _id: '' },
    {
      _id: '',
      name: 'Laptop',
      createdOn: '2030-01-01T00:00:00.000Z',
      lastUsedOn: null,
      synced: false,
      suspectedOn: null,
    },
  )
  const asked = await challenge()
  assert.deepEqual([asked.rpId, asked.allowCredentials, asked.userVerification], ['parley.test', [], 'required'])

  clock.advance(minuteMs)
  const reply = await signIn(authenticator)
  const body = await expectOk(reply)
  assert.deepEqual(body.user, alice.profile)
  assert.match(reply.headers.get('set-cookie') ?? '', new RegExp(`^parley_session=${body.token}; .*HttpOnly`))
  const known = await sendRequest(app, 'GET', '/api/my_profile', undefined, { authorization: body.token })
  assert.equal(known.body._id, alice.profile._id)
  assert.equal((await listOf(alice))[0].lastUsedOn, '2030-01-01T00:01:00.000Z')
  const kept = await app.database
    .selectFrom('passkey')
    .select('transports')
    .where('id', '=', passkey._id)
    .executeTakeFirstOrThrow()
  assert.deepEqual(kept.transports, ['internal', 'hybrid'], 'words that are not known are not kept')
})

test('refuses an answer with another challenge, origin or relying party, or without user verification', async () => {
  const bob = await signUp(app, 'Bob')
  const { authenticator } = await add(bob)
  const wrong: [string, ResponseOverrides][] = [
    ['another origin', { origin: 'http://parley.test.evil.example' }],
    ['another port', { origin: 'http://parley.test:8080' }],
    ['another relying party', { rpId: 'evil.example' }],
    ['a registration', { type: 'webauthn.create' }],
    ['nobody verified', { userVerified: false }],
    ['nobody there', { userPresent: false }],
    ['a challenge of its own', { challenge: Buffer.alloc(32).toString('base64url') }],
    ['another user', { userHandle: Buffer.alloc(16, 7).toString('base64url') }],
    ['a passkey that is not kept', { id: Buffer.alloc(32, 1) }],
  ]
  const refusals = new Set<string>()
  for (const [, said] of wrong) refusals.add((await expectProblem(signIn(authenticator, said), 'wrong_passkey')).detail)
  assert.equal(refusals.size, 1, 'nothing tells why')

  const forged = new SoftwareAuthenticator({ id: authenticator.id })
  await expectProblem(signIn(forged), 'wrong_passkey') // the id with another key
  const credential = authenticator.get(await challenge())
  const cut = { ...credential, response: { ...credential.response, clientDataJSON: 'bm8ganNvbg' } }
  // no client data
  await expectProblem(sendRequest(app, 'POST', passkeySignInPath, { credential: cut }), 'wrong_passkey')
  await expectOk(signIn(authenticator)) // and the right one still opens
})

test('accepts a challenge once, for five minutes, and for its purpose only', async () => {
  const { authenticator } = await add(await signUp(app, 'Carol'))
  const first = authenticator.get(await challenge())
  const both = await Promise.all([1, 2].map(() => sendRequest(app, 'POST', passkeySignInPath, { credential: first })))
  assert.deepEqual(both.map(({ status }) => status).toSorted(), [200, 401])

  const failed = await challenge()
  await sendRequest(app, 'POST', passkeySignInPath, { credential: authenticator.get(failed, { userVerified: false }) })
  // a failure uses it up, too
  await expectProblem(
    sendRequest(app, 'POST', passkeySignInPath, { credential: authenticator.get(failed) }),
    'wrong_passkey',
  )

  const [early, late] = [authenticator.get(await challenge()), authenticator.get(await challenge())]
  clock.advance(5 * minuteMs - 1)
  await expectOk(sendRequest(app, 'POST', passkeySignInPath, { credential: early }))
  clock.advance(1)
  await expectProblem(sendRequest(app, 'POST', passkeySignInPath, { credential: late }), 'wrong_passkey')

  const dave = await signUp(app, 'Dave')
  const forSignIn = authenticator.create({ ...(await optionsFor(dave)), ...(await challenge()) })
  await expectProblem(dave.send('POST', passkeysPath, { name: 'x', credential: forSignIn }), 'passkey_refused')
  const forAdding = authenticator.get(await optionsFor(dave))
  await expectProblem(sendRequest(app, 'POST', passkeySignInPath, { credential: forAdding }), 'wrong_passkey')

  await challenge()
  clock.advance(5 * minuteMs)
  await deleteExpired(app.database, clock.now())
  assert.deepEqual(await app.database.selectFrom('passkeyChallenge').selectAll().execute(), [])
})

test('a passkey whose counter decreases counts as copied: it is refused from then on, and its owner sees it', async () => {
  const heidi = await signUp(app, 'Heidi')
  const { authenticator, passkey } = await add(heidi, new SoftwareAuthenticator({ counter: 5 }))
  const thief = authenticator.copy()
  await expectOk(signIn(authenticator))
  await expectOk(signIn(authenticator))
  await expectProblem(signIn(thief), 'wrong_passkey')
  await expectProblem(signIn(authenticator), 'wrong_passkey')
  const [listed] = await listOf(heidi)
  assert.equal(listed.suspectedOn, clock.now().toISOString())
  const noted = await app.database
    .selectFrom('auditEntry')
    .select(['detail', 'subjectId'])
    .where('action', '=', 'passkey.suspected')
    .where('subjectId', '=', heidi.profile._id)
    .execute()
  assert.deepEqual(noted, [
    { detail: { passkeyId: passkey._id, name: 'Laptop', kept: 7, said: 6 }, subjectId: heidi.profile._id },
  ])
})

test('accepts one of two simultaneous uses of one count, and treats the other as a copy', async () => {
  const { authenticator } = await add(await signUp(app, 'Henry'), new SoftwareAuthenticator({ counter: 1 }))
  const copy = authenticator.copy()
  const statuses = (await Promise.all([signIn(authenticator), signIn(copy)])).map(({ status }) => status)
  assert.deepEqual(statuses.toSorted(), [200, 401])
})

test('refuses the passkey of a disabled account', async () => {
  const judy = await signUp(app, 'Judy')
  const { authenticator } = await add(judy)
  await olga.send('PUT', `/api/admin/accounts/${judy.profile._id}`, { disabled: true })
  await expectProblem(signIn(authenticator), 'wrong_passkey')
  await olga.send('PUT', `/api/admin/accounts/${judy.profile._id}`, { disabled: false })
  await expectOk(signIn(authenticator))
})

test('a new password removes every passkey, unless the person keeps all sessions', async () => {
  const leo = await signUp(app, 'Leo')
  await add(leo)
  const change = { currentPassword: password, newPassword: 'a wholly new passphrase' }
  await leo.send('POST', '/api/auth/password', { ...change, signOutEverywhere: false })
  assert.equal((await listOf(leo)).length, 1)
  await leo.send('POST', '/api/auth/password', { currentPassword: change.newPassword, newPassword: password })
  assert.equal((await listOf(leo)).length, 0)
  // The second change within half an hour is emailed later.
  assert.equal((await app.mails()).length, 1)

  const { authenticator } = await add(leo)
  await sendRequest(app, 'POST', '/api/auth/password-reset', { email: leo.email })
  const token = tokenIn((await app.mails()).find(({ to }) => to === leo.email))
  await sendRequest(app, 'POST', '/api/auth/password-reset', { token, newPassword: 'another new passphrase' })
  await expectProblem(signIn(authenticator), 'wrong_passkey')
  assert.equal((await app.mails()).length, 0)
})
