import assert from 'node:assert/strict'
import { request as httpRequest } from 'node:http'
import { test } from 'node:test'
import { type Answer, meetPeople, type Person, password, sendRequest, signUp } from '../../test/people.ts'
import { expectOk, expectProblem } from '../../test/replies.ts'
import { createClock, publicAddress, startApp, type TestApp } from '../../test/start-app.ts'
import { secureRandom } from '../platform/random.ts'
import { newToken } from './credentials/token-secret.ts'

const app = await startApp()
const { olga, alice, bob, mallory } = await meetPeople(app)

const readProfile = (headers: Record<string, string>, on: TestApp = app) =>
  sendRequest(on, 'GET', '/api/my_profile', undefined, headers)

const metadata = `resource_metadata="${publicAddress}/.well-known/oauth-protected-resource"`
const noToken = `Bearer ${metadata}`
const badToken = (description: string) =>
  `Bearer error="invalid_token", error_description="${description}", ${metadata}`
const malformed = 'The token is malformed: it is incomplete, or not one of this service.'

function assertRefused({ status, body, headers }: Answer, challenge: string) {
  assert.equal(status, 401)
  assert.equal(body.code, 'unauthorized')
  assert.equal(headers.get('www-authenticate'), challenge)
}

async function personalToken(person: Person, scopes: string[], changes: object = {}): Promise<string> {
  const body = await expectOk(person.send('POST', '/api/auth/tokens', { name: 'script', scopes, ...changes }), 201)
  return body.token
}

test('accepts a bare token, and one after Bearer in any case', async () => {
  for (const token of [alice.token, await personalToken(alice, ['user:read'])]) {
    for (const authorization of [token, `Bearer ${token}`, `bearer ${token}`, `BEARER  ${token}`, ` ${token} `]) {
      const { status, body } = await readProfile({ authorization })
      assert.equal(status, 200, authorization)
      assert.equal(body._id, alice.profile._id)
    }
  }
})

test('names no error in the challenge without a token', async () => {
  assertRefused(await readProfile({}), noToken)
  assertRefused(await readProfile({ cookie: 'other=1' }), noToken)
})

test('refuses a malformed token', async () => {
  const { token } = alice
  const none = 'There is no token after Bearer.'
  const wrong = [
    ['', none],
    ['Bearer', none],
    ['Bearer ', none],
    [`Basic ${Buffer.from('alice@example.org:x').toString('base64')}`, 'The scheme is Bearer, not Basic.'],
    [token.slice(0, -1), malformed],
    [`${token.slice(0, -1)}${token.endsWith('A') ? 'B' : 'A'}`, malformed],
    [`pat_${token.slice(4)}`, malformed],
    [`Bearer Bearer ${token}`, 'The word Bearer was sent twice.'],
    [`Token ${token}`, 'The scheme is Bearer, not Token.'],
    [`${token}, ${token}`, malformed],
    ['x'.repeat(8_000), malformed],
    ["' or 1=1 --", malformed],
  ] as const
  for (const [authorization, description] of wrong) {
    assertRefused(await readProfile({ authorization }), badToken(description))
  }
})

test('refuses a well-formed token without an owner', async () => {
  // Made with the checksum of its own letters.
  const unknown = 'The token is unknown: it was revoked, or never issued.'
  const link = 'This is a token of a link; send an access token.'
  const kinds = [
    ['session', unknown],
    ['personal', unknown],
    ['resetPassword', link],
    ['invitation', link],
    ['appSecret', 'This is a client secret; send an access token.'],
  ] as const
  for (const [kind, description] of kinds) {
    const { token } = newToken(kind, secureRandom)
    assertRefused(await readProfile({ authorization: token }), badToken(description))
  }
})

test('refuses two Authorization headers, also of the same value', async () => {
  const status = await new Promise<number | undefined>((resolve, reject) => {
    const sent = httpRequest(`${app.base}/api/my_profile`, (response) => {
      response.resume()
      resolve(response.statusCode)
    })
    sent.setHeader('authorization', [alice.token, alice.token])
    sent.on('error', reject).end()
  })
  assert.equal(status, 400)
})

test('accepts the cookie like the header, for reading', async () => {
  const body = await expectOk(readProfile({ cookie: `theme=dark; parley_session=${alice.token}` }))
  assert.equal(body._id, alice.profile._id)
})

test('requires a changing request with the cookie to come from our own pages', async () => {
  const change = (headers: Record<string, string>) =>
    sendRequest(
      app,
      'PUT',
      '/api/my_profile',
      { location: 'Oxford' },
      { cookie: `parley_session=${alice.token}`, ...headers },
    )
  await expectOk(change({ origin: publicAddress }))
  for (const origin of ['http://evil.test', 'null', `${publicAddress}.evil.test`, 'https://parley.test', '']) {
    await expectProblem(change({ origin }), 'cross_origin')
  }
  await expectProblem(change({}), 'cross_origin')
  await expectOk(change({ authorization: alice.token, origin: 'http://elsewhere.test' }))
})

test('prefers the header to the cookie, also when it is wrong', async () => {
  const both = await readProfile({ authorization: bob.token, cookie: `parley_session=${alice.token}` })
  assert.equal(both.body._id, bob.profile._id)
  assertRefused(await readProfile({ authorization: 'x', cookie: `parley_session=${alice.token}` }), badToken(malformed))
})

test('ignores two cookies of our name, and a personal token in a cookie', async () => {
  assertRefused(await readProfile({ cookie: `parley_session=${alice.token}; parley_session=${bob.token}` }), noToken)
  const cookie = `parley_session=${await personalToken(alice, ['user:read'])}`
  assertRefused(await readProfile({ cookie }), badToken('The cookie holds no session.'))
})

test('binds the cookie to the host and to encryption under https', async () => {
  const secure = await startApp({ environment: { BASE_URL: 'https://parley.test' } })
  const { headers, body } = await sendRequest(secure, 'POST', '/api/auth/sign-up', {
    email: 'alice@example.org',
    password,
    name: 'Alice',
  })
  const cookie = `__Host-parley_session=${body.token}`
  assert.equal(headers.get('set-cookie'), `${cookie}; Max-Age=2592000; Path=/; HttpOnly; SameSite=Lax; Secure`)
  await expectOk(readProfile({ cookie }, secure))
  await expectProblem(readProfile({ cookie: `parley_session=${body.token}` }, secure), 'unauthorized')
})

test('ends a session after thirty days, and a personal token at its own end', async () => {
  const clock = createClock('2030-01-01T00:00:00Z')
  const later = await startApp({ clock })
  const dave = await signUp(later, 'Dave')
  const token = await personalToken(dave, ['user:read'], { expiresOn: '2030-01-30T00:00:00Z' })
  clock.set('2030-01-29T23:59:59.999Z')
  await expectOk(readProfile({ authorization: token }, later))
  clock.set('2030-01-30T00:00:00Z')
  assertRefused(await readProfile({ authorization: token }, later), badToken('The token has expired.'))
  clock.set('2030-01-30T23:59:59.999Z')
  await expectOk(readProfile({ authorization: dave.token }, later))
  clock.set('2030-01-31T00:00:00Z')
  await expectProblem(readProfile({ authorization: dave.token }, later), 'unauthorized')
})

test('refuses the next request of a disabled account, with any credential', async () => {
  const token = await personalToken(mallory, ['user:read'])
  const held = [mallory.token, token]
  for (const authorization of held) await expectOk(readProfile({ authorization }))
  await olga.send('PUT', `/api/admin/accounts/${mallory.profile._id}`, { disabled: true })
  for (const authorization of held) await expectProblem(readProfile({ authorization }), 'unauthorized')
  await olga.send('PUT', `/api/admin/accounts/${mallory.profile._id}`, { disabled: false })
  for (const authorization of held) await expectProblem(readProfile({ authorization }), 'unauthorized')
})

test('limits a personal token to its scopes, and refuses actions of the person', async () => {
  const authorization = await personalToken(alice, ['meeting:read'])
  const profile = await readProfile({ authorization })
  await expectProblem(profile, 'insufficient_scope')
  assert.equal(
    profile.headers.get('www-authenticate'),
    `Bearer error="insufficient_scope", scope="user:read", ${metadata}`,
  )
  await expectOk(sendRequest(app, 'GET', '/api/meeting/me', undefined, { authorization }))
  const requests = [
    ['GET', '/api/auth/sessions'],
    ['DELETE', '/api/auth/sessions'],
    ['POST', '/api/auth/sign-out'],
    ['GET', '/api/auth/tokens'],
    ['POST', '/api/auth/tokens'],
    ['POST', '/api/auth/password'],
    ['PUT', '/api/my_profile'],
    ['GET', '/api/admin/accounts'],
  ] as const
  for (const [method, path] of requests) {
    const body = method === 'GET' ? undefined : {}
    await expectProblem(sendRequest(app, method, path, body, { authorization }), 'session_required')
  }
})

test('identifies a hundred simultaneous requests each by their own token', async () => {
  const people = [olga, alice, bob]
  const answers = await Promise.all(
    Array.from({ length: 99 }, async (_, at) => {
      const person = people[at % 3]
      const { body } = await readProfile({ authorization: at % 10 === 9 ? 'sst_wrong' : (person?.token ?? '') })
      return at % 10 === 9 ? body.code === 'unauthorized' : body._id === person?.profile._id
    }),
  )
  assert.equal(answers.every(Boolean), true)
})

test('records the last use of a session once in five minutes, beside the request', async () => {
  const clock = createClock('2030-01-01T00:00:00Z')
  const later = await startApp({ clock })
  const dave = await signUp(later, 'Dave')
  const lastUsed = async () => {
    const { body } = await dave.send('GET', '/api/auth/sessions')
    return body.sessions[0].lastUsedOn
  }
  clock.advance(5 * 60_000 - 1)
  assert.equal(await lastUsed(), '2030-01-01T00:00:00.000Z')
  clock.advance(1)
  let seen = await lastUsed()
  while (seen === '2030-01-01T00:00:00.000Z') {
    await new Promise((resolve) => setTimeout(resolve, 50))
    seen = await lastUsed()
  }
  assert.equal(seen, '2030-01-01T00:05:00.000Z')
})
