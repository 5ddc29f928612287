import assert from 'node:assert/strict'
import { test } from 'node:test'
import { password, sendRequest, signUp } from '../../../test/people.ts'
import { createClock, startApp, type TestApp } from '../../../test/start-app.ts'

const app = await startApp()
const alice = await signUp(app, 'Alice')
const bob = await signUp(app, 'Bob')

async function signInAgain(on: TestApp, email: string, userAgent = 'node'): Promise<string> {
  const headers = { 'user-agent': userAgent }
  const { body } = await sendRequest(on, 'POST', '/api/auth/sign-in', { email, password }, headers)
  return body.token
}

const works = async (token: string) => {
  const { status } = await sendRequest(app, 'GET', '/api/my_profile', undefined, { authorization: token })
  return status === 200
}

test('Alice signs out of one device and stays signed in on the other', async () => {
  const phone = await signInAgain(app, alice.email)
  const { status, body, headers } = await sendRequest(app, 'POST', '/api/auth/sign-out', undefined, {
    authorization: phone,
  })
  assert.equal(status, 200)
  assert.deepEqual(body, { status: 'You are signed out.' })
  assert.equal(headers.get('set-cookie'), 'parley_session=; Max-Age=0; Path=/; HttpOnly; SameSite=Lax')
  assert.equal(await works(phone), false)
  assert.equal(await works(alice.token), true)
  assert.equal((await sendRequest(app, 'POST', '/api/auth/sign-out', undefined, { authorization: phone })).status, 401)
})

test('she sees her sessions, the newest first, and no token of them', async () => {
  const clock = createClock('2030-01-01T00:00:00Z')
  const later = await startApp({ clock })
  const carol = await signUp(later, 'Carol')
  await signUp(later, 'Dave')
  clock.advance(60_000)
  await signInAgain(later, carol.email, `Mozilla/5.0 ${'x'.repeat(1000)}`)
  const { status, body } = await carol.send('GET', '/api/auth/sessions')
  assert.equal(status, 200)
  assert.equal(body.sessions.length, 2)
  const [phone, laptop] = body.sessions
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
  const token = await signInAgain(later, carol.email)
  const still = await sendRequest(later, 'GET', '/api/auth/sessions', undefined, { authorization: token })
  assert.equal(still.body.sessions.length, 2, 'the one that is over is not shown')
})

test('she ends one of them, and another’s is not hers to find', async () => {
  const phone = await signInAgain(app, alice.email)
  const { body } = await alice.send('GET', '/api/auth/sessions')
  const [{ _id }] = body.sessions
  const stranger = await bob.send('DELETE', `/api/auth/sessions/${_id}`)
  assert.equal(stranger.status, 404)
  assert.equal(stranger.body.code, 'session_not_found')
  assert.equal(await works(phone), true)
  assert.equal((await alice.send('DELETE', `/api/auth/sessions/${_id}`)).status, 200)
  assert.equal(await works(phone), false)
  assert.equal((await alice.send('DELETE', `/api/auth/sessions/${_id}`)).status, 404)
})

test('what cannot be an id is nobody’s', async () => {
  const wrong = ['1', 'me', "'", '%00', `${alice.profile._id}0`, alice.profile._id.toUpperCase()]
  for (const id of [...wrong, alice.profile._id]) {
    const { status, body } = await alice.send('DELETE', `/api/auth/sessions/${id}`)
    assert.equal(status, 404, id)
    assert.equal(body.code, 'session_not_found')
  }
})

test('ending the one in use takes the cookie away, too', async () => {
  const token = await signInAgain(app, alice.email)
  const { body } = await sendRequest(app, 'GET', '/api/auth/sessions', undefined, { authorization: token })
  const own = body.sessions.find(({ current }: { current: boolean }) => current)
  const ended = await sendRequest(app, 'DELETE', `/api/auth/sessions/${own._id}`, undefined, { authorization: token })
  assert.match(ended.headers.get('set-cookie') ?? '', /Max-Age=0/)
  assert.equal(await works(token), false)
})

test('she ends all but this one; Bob’s stay', async () => {
  const others = [await signInAgain(app, alice.email), await signInAgain(app, alice.email)]
  assert.equal((await alice.send('DELETE', '/api/auth/sessions')).status, 200)
  for (const token of others) assert.equal(await works(token), false)
  assert.equal(await works(alice.token), true)
  assert.equal(await works(bob.token), true)
})

test('the hundred-and-first session takes the place of the oldest', async () => {
  const many = await startApp({ environment: { RATE_LIMITS: 'off' } })
  const carol = await signUp(many, 'Carol')
  const tokens = []
  for (let at = 0; at < 99; at++) tokens.push(await signInAgain(many, carol.email))
  assert.equal((await carol.send('GET', '/api/auth/sessions')).body.sessions.length, 100)
  tokens.push(await signInAgain(many, carol.email))
  assert.equal((await carol.send('GET', '/api/auth/sessions')).status, 401)
  const newest = { authorization: tokens.at(-1) ?? '' }
  assert.equal((await sendRequest(many, 'GET', '/api/auth/sessions', undefined, newest)).body.sessions.length, 100)
})

test('a page learns who is signed in, and without a session that nobody is', async () => {
  const read = (headers: Record<string, string> = {}) =>
    sendRequest(app, 'GET', '/api/auth/session', undefined, headers)
  const token = await signInAgain(app, bob.email)
  const inBrowser = { cookie: `parley_session=${token}` }
  assert.equal((await read(inBrowser)).body.user.email, bob.email)
  assert.equal((await read({ authorization: token })).body.user.email, bob.email)
  assert.deepEqual(await read().then(({ status, body }) => [status, body]), [200, { user: null }])
  const scopes = ['meeting:join', 'user:read']
  const { body: script } = await bob.send('POST', '/api/auth/tokens', { name: 'script', scopes })
  assert.deepEqual((await read({ authorization: script.token })).body, { user: null })
  await sendRequest(app, 'POST', '/api/auth/sign-out', undefined, { authorization: token })
  const after = await read(inBrowser)
  assert.deepEqual([after.status, after.body], [200, { user: null }])
})
