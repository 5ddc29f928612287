import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sendRequest, signInAgain } from '../../../test/people.ts'
import { expectOk, expectProblem } from '../../../test/replies.ts'
import { useApp } from '../../../test/use-app.ts'

const path = '/api/auth/sessions'
const { app, clock, meet } = await useApp({ start: '2030-01-01T00:00:00Z' })

const send = (token: string, method: string, address: string) =>
  sendRequest(app, method, address, undefined, { authorization: token })
const works = async (token: string) => (await send(token, 'GET', '/api/my_profile')).status === 200

test('shows a page who is signed in, or that no person is', async () => {
  const [bob] = await meet('Bob')
  const read = (headers: Record<string, string> = {}) =>
    expectOk(sendRequest(app, 'GET', '/api/auth/session', undefined, headers))
  const token = await signInAgain(app, bob.email)
  const inBrowser = { cookie: `parley_session=${token}` }
  assert.equal((await read(inBrowser)).user.email, bob.email)
  assert.equal((await read({ authorization: token })).user.email, bob.email)
  assert.deepEqual(await read(), { user: null, organisation: null })
  const scopes = ['meeting:join', 'user:read']
  const script = await expectOk(bob.send('POST', '/api/auth/tokens', { name: 'script', scopes }), 201)
  assert.deepEqual(await read({ authorization: script.token }), { user: null, organisation: null })
  await expectOk(send(token, 'POST', '/api/auth/sign-out'))
  assert.deepEqual(await read(inBrowser), { user: null, organisation: null })
})

test('shows Carol her sessions, newest first, without their tokens', async () => {
  const [carol] = await meet('Carol', 'Dave')
  clock.advance(60_000)
  await signInAgain(app, carol.email, `Mozilla/5.0 ${'x'.repeat(1000)}`)
  const { sessions } = await expectOk(carol.send('GET', path))
  assert.equal(sessions.length, 2)
  const [phone, laptop] = sessions
  assert.deepEqual(
    { ...laptop, _id: '' },
    {
      _id: '',
      createdOn: '2030-01-01T00:00:00.000Z',
      lastUsedOn: '2030-01-01T00:00:00.000Z',
      expiresAt: '2030-01-31T00:00:00.000Z',
      address: '127.0.0.1',
      userAgent: 'node',
      current: true,
    },
  )
  assert.equal(phone.current, false)
  assert.equal(phone.userAgent.length, 300)
  clock.set('2030-01-31T00:00:00Z')
  const still = await expectOk(send(await signInAgain(app, carol.email), 'GET', path))
  assert.equal(still.sessions.length, 2, 'the one that is over is not shown')
})

test('Alice ends one of her sessions, and does not find another person’s', async () => {
  const [alice, bob] = await meet('Alice', 'Bob')
  const phone = await signInAgain(app, alice.email)
  const [{ _id }] = (await expectOk(alice.send('GET', path))).sessions
  await expectProblem(bob.send('DELETE', `${path}/${_id}`), 'session_not_found')
  assert.equal(await works(phone), true)
  await expectOk(alice.send('DELETE', `${path}/${_id}`))
  assert.equal(await works(phone), false)
  await expectProblem(alice.send('DELETE', `${path}/${_id}`), 'session_not_found')
})

test('answers an invalid id with not found', async () => {
  const [alice] = await meet('Alice')
  const { _id } = alice.profile
  for (const id of ['1', 'me', "'", '%00', `${_id}0`, _id.toUpperCase(), _id]) {
    await expectProblem(alice.send('DELETE', `${path}/${id}`), 'session_not_found')
  }
})

test('ending the current session removes the cookie, too', async () => {
  const [alice] = await meet('Alice')
  const token = await signInAgain(app, alice.email)
  const { sessions } = await expectOk(send(token, 'GET', path))
  const own = sessions.find(({ current }: { current: boolean }) => current)
  const ended = await send(token, 'DELETE', `${path}/${own._id}`)
  assert.match(ended.headers.get('set-cookie') ?? '', /Max-Age=0/)
  assert.equal(await works(token), false)
})

test('Alice ends all her sessions but this one; Bob’s stay', async () => {
  const [alice, bob] = await meet('Alice', 'Bob')
  const others = [await signInAgain(app, alice.email), await signInAgain(app, alice.email)]
  await expectOk(alice.send('DELETE', path))
  for (const token of others) assert.equal(await works(token), false)
  assert.equal(await works(alice.token), true)
  assert.equal(await works(bob.token), true)
})

test('Alice signs out of one device and stays signed in on the other', async () => {
  const [alice] = await meet('Alice')
  const phone = await signInAgain(app, alice.email)
  const signedOut = await send(phone, 'POST', '/api/auth/sign-out')
  assert.deepEqual(await expectOk(signedOut), { status: 'You are signed out.' })
  assert.equal(signedOut.headers.get('set-cookie'), 'parley_session=; Max-Age=0; Path=/; HttpOnly; SameSite=Lax')
  assert.equal(await works(phone), false)
  assert.equal(await works(alice.token), true)
  await expectProblem(send(phone, 'POST', '/api/auth/sign-out'), 'unauthorized')
})
