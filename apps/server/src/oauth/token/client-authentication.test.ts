import assert from 'node:assert/strict'
import { request as httpRequest } from 'node:http'
import { test } from 'node:test'
import { type ApprovedApp, approvedApp } from '../../../test/oauth/approved-app.ts'
import {
  backendOf,
  basic,
  causesOf,
  codeFor,
  introspectPath,
  postForm,
  revokePath,
  tokenPath,
} from '../../../test/oauth/token-client.ts'
import { type Answer, meetPeople, sendRequest } from '../../../test/people.ts'
import { expectOauthError, expectOk, expectProblem } from '../../../test/replies.ts'
import { startApp, type TestApp } from '../../../test/start-app.ts'
import { useApp } from '../../../test/use-app.ts'
import { newToken } from '../../access/credentials/token-secret.ts'
import { secureRandom } from '../../platform/random.ts'

const { app: service, clock, meet } = await useApp({ start: '2030-01-01T00:00:00Z', emails: 'dropped' })

/** Meet Alice, who uses the apps of Dana. */
async function scene() {
  const [alice, dana] = await meet('Alice', 'Dana')
  const planner = await approvedApp(service, dana)
  const { clientId, clientSecret } = planner
  return { alice, dana, planner, clientId, clientSecret }
}

/** Introspect with these credentials: the client is authenticated when the reply says that the token is not active. */
const tryWith = (headers: Record<string, string>, form: Record<string, string> = {}, on: TestApp = service) =>
  postForm(on, introspectPath, { token: 'x', ...form }, headers)

const tryBasic = (id: string, secret: string) => tryWith({ authorization: basic(id, secret) })

async function expectRefusal(answer: Answer, challenged: boolean, error = 'invalid_client') {
  await expectOauthError(answer, error)
  assert.equal(answer.headers.get('www-authenticate')?.startsWith('Basic realm=') ?? false, challenged)
}

const assertTaken = ({ status, body }: Answer) => {
  assert.equal(status, 200, JSON.stringify(body))
  assert.deepEqual(body, { active: false })
}

test('accepts Basic raw and percent-encoded, to the last character', async () => {
  const { clientId, clientSecret } = await scene()
  assertTaken(await tryBasic(clientId, clientSecret))
  const encoded = (text: string) => [...text].map((one) => `%${one.charCodeAt(0).toString(16)}`).join('')
  assertTaken(await tryBasic(encoded(clientId), encoded(clientSecret)))
  assertTaken(await tryWith({ authorization: basic(clientId, clientSecret).replace('Basic', 'bAsIc') }))
})

test('accepts the secret in the form, and an equal client_id beside Basic', async () => {
  const { clientId, clientSecret } = await scene()
  assertTaken(await tryWith({}, { client_id: clientId, client_secret: clientSecret }))
  assertTaken(await tryWith({ authorization: basic(clientId, clientSecret) }, { client_id: clientId }))
})

test('refuses Basic together with a secret in the form, and another client_id', async () => {
  const { clientId, clientSecret } = await scene()
  const authorization = basic(clientId, clientSecret)
  await expectRefusal(await tryWith({ authorization }, { client_secret: clientSecret }), false, 'invalid_request')
  await expectRefusal(await tryWith({ authorization }, { client_id: 'another' }), false, 'invalid_request')
})

test('refuses a request without a client, without a challenge where Basic was not used', async () => {
  const { clientId } = await scene()
  await expectRefusal(await tryWith({}), false)
  await expectRefusal(await tryWith({}, { client_id: clientId }), false)
  await expectRefusal(await tryWith({}, { client_id: clientId, client_secret: '' }), false)
  await expectRefusal(await tryWith({}, { client_id: clientId, client_secret: 'wrong' }), false)
})

test('refuses an unknown client and a wrong secret alike', async () => {
  const { clientId, clientSecret } = await scene()
  const answers = [await tryBasic('nobody_at_all', clientSecret), await tryBasic(clientId, 'wrong')]
  for (const answer of answers) await expectRefusal(answer, true)
  const [unknown, wrong] = answers
  const sayings = [unknown, wrong].map((answer) => [answer?.body.error, answer?.body.error_description])
  assert.deepEqual(sayings[0], sayings[1])
  for (const odd of ['', ' ', 'a'.repeat(5_000), "' or 1=1 --", '\0', 'test_nobody']) {
    await expectRefusal(await tryBasic(odd, clientSecret), true)
  }
})

test('accepts no secret for a client that has none', async () => {
  const { dana } = await scene()
  const newcomer = await approvedApp(service, dana, { name: 'Has no secret yet' })
  await service.database.deleteFrom('appSecret').where('appId', '=', newcomer.appId).execute()
  for (const secret of [newcomer.clientSecret, ' ', '0'.repeat(64), '\0'.repeat(32)]) {
    await expectRefusal(await tryBasic(newcomer.clientId, secret), true)
  }
})

test('refuses Basic that is not Base64, has no colon, or uses a wrong scheme', async () => {
  const { alice, clientSecret } = await scene()
  for (const authorization of ['Basic !', 'Basic', `Basic ${btoa('no colon')}`, `Basic ${btoa(':x')}`]) {
    const answer = await tryWith({ authorization })
    await expectRefusal(answer, authorization !== 'Basic')
  }
  for (const authorization of [`Bearer ${clientSecret}`, alice.token, `Digest ${clientSecret}`]) {
    await expectRefusal(await tryWith({ authorization }), false)
  }
})

test('refuses two Authorization headers', async () => {
  const { clientId, clientSecret } = await scene()
  const status = await new Promise<number | undefined>((resolve, reject) => {
    const sent = httpRequest(`${service.base}${introspectPath}`, { method: 'POST' }, (response) => {
      response.resume()
      resolve(response.statusCode)
    })
    const authorization = basic(clientId, clientSecret)
    sent.setHeader('content-type', 'application/x-www-form-urlencoded')
    sent.setHeader('authorization', [authorization, authorization])
    sent.on('error', reject).end('token=x')
  })
  assert.equal(status, 400)
})

test('answers GET with 405, a JSON body with 400, and reads nothing from a query', async () => {
  const { clientId, clientSecret } = await scene()
  const credentials = { client_id: clientId, client_secret: clientSecret }
  for (const path of [tokenPath, revokePath, introspectPath]) {
    const reply = await sendRequest(service, 'GET', path)
    await expectProblem(reply, 'method_not_allowed')
    assert.equal(reply.headers.get('allow'), 'POST')
    const json = await sendRequest(service, 'POST', path, { ...credentials, token: 'x' })
    assert.deepEqual([json.status, json.body.error], [400, 'invalid_request'])
    await expectRefusal(await postForm(service, `${path}?${new URLSearchParams(credentials)}`, { token: 'x' }), false)
  }
})

test('refuses a form that is too large, and accepts one with unknown fields', async () => {
  const { clientId, clientSecret } = await scene()
  const authorization = basic(clientId, clientSecret)
  await expectRefusal(await tryWith({ authorization }, { padding: 'x'.repeat(40_000) }), false, 'invalid_request')
  assertTaken(await tryWith({ authorization }, { padding: 'x'.repeat(10_000) }))
})

test('accepts sandbox secrets for the sandbox, and live secrets for the live app', async () => {
  const { planner, clientId, clientSecret } = await scene()
  assertTaken(await tryBasic(planner.sandboxClientId, planner.sandboxClientSecret))
  await expectRefusal(await tryBasic(planner.sandboxClientId, clientSecret), true)
  await expectRefusal(await tryBasic(clientId, planner.sandboxClientSecret), true)
})

test('a secret works until it expires, and a retired one fails at once; tokens stay valid', async () => {
  const { alice, dana } = await scene()
  const app = await approvedApp(service, dana, { name: 'Rotating' })
  const second = await addSecret(app, new Date('2030-01-01T01:00:00Z'))
  const { body } = await backendOf(service, app).exchange(await codeFor(service, app, alice, { clock }))
  const retire = { retiredAt: clock.now() }
  await service.database
    .updateTable('appSecret')
    .set(retire)
    .where('name', '=', 'Server')
    .where('appId', '=', app.appId)
    .execute()
  await expectRefusal(await tryBasic(app.clientId, app.clientSecret), true)
  clock.set('2030-01-01T00:59:59.999Z')
  assertTaken(await tryBasic(app.clientId, second))
  clock.set('2030-01-01T01:00:00Z')
  await expectRefusal(await tryBasic(app.clientId, second), true)
  await expectOk(
    sendRequest(service, 'GET', '/api/user/profile', undefined, {
      authorization: body.access_token,
    }),
  )
})

test('a deleted app is not a client any more', async () => {
  const { dana } = await scene()
  const app = await approvedApp(service, dana, { name: 'Gone' })
  assertTaken(await tryBasic(app.clientId, app.clientSecret))
  await service.database.updateTable('app').set({ deletedAt: clock.now() }).where('id', '=', app.appId).execute()
  await expectRefusal(await tryBasic(app.clientId, app.clientSecret), true)
})

test('records the exact cause of each refusal for the developer', async () => {
  const own = await startApp({ clock })
  const dave = (await meetPeople(own)).alice
  const app = await approvedApp(own, dave)
  const refusals: [Record<string, string>, Record<string, string>][] = [
    [{ authorization: basic(app.clientId, 'wrong') }, {}],
    [{}, { client_id: app.clientId }],
    [{ authorization: basic(app.clientId, app.clientSecret) }, { client_secret: 'x' }],
    [{ authorization: basic(app.clientId, app.clientSecret) }, { token: '' }],
    [{ authorization: basic(app.clientId, app.clientSecret) }, { token: '\0' }],
  ]
  for (const [headers, form] of refusals) assert.ok((await tryWith(headers, form, own)).status >= 400)
  const retired = { retiredAt: clock.now() }
  await own.database.updateTable('appSecret').set(retired).where('appId', '=', app.appId).execute()
  await tryWith({ authorization: basic(app.clientId, app.clientSecret) }, {}, own)
  assert.deepEqual((await causesOf(own, app)).toSorted(), [
    'client_refused: The client secret is wrong.',
    'client_refused: The client secret is wrong: "Server" was retired.',
    'client_refused: The request holds a client secret in the form beside an Authorization header.',
    'client_refused: The request holds no client secret.',
    'token_refused: token holds a NUL character.',
    'token_refused: token is missing.',
  ])
})

test('answers 429 after 50 wrong secrets, while the right secret from another address still works', async () => {
  const behindProxy = await startApp({ environment: { TRUST_PROXY: '127.0.0.1' } })
  const { olga: owner } = await meetPeople(behindProxy)
  const app = await approvedApp(behindProxy, owner)
  const from = (address: string, secret: string) =>
    tryWith({ authorization: basic(app.clientId, secret), 'x-forwarded-for': address }, {}, behindProxy)
  for (let tries = 0; tries < 50; tries++) assert.equal((await from('192.0.2.1', 'wrong')).status, 401)
  const reply = await from('192.0.2.1', 'wrong')
  assert.deepEqual([reply.status, reply.body.error], [429, 'slow_down'])
  assert.ok(Number(reply.headers.get('retry-after')) >= 1)
  // The failures may come from a stranger behind the same proxy: the right secret works from there, too.
  for (const address of ['192.0.2.2', '192.0.2.1']) assertTaken(await from(address, app.clientSecret))
})

test('a thousand made-up clients behind one address delay wrong secrets there, and no right one', async () => {
  const own = await startApp()
  const { olga: owner } = await meetPeople(own)
  const app = await approvedApp(own, owner)
  const made = Array.from({ length: 1_000 }, (_, number) => `app_${number}`)
  const answers = []
  for (let at = 0; at < made.length; at += 50) {
    const some = made.slice(at, at + 50).map((id) => tryWith({ authorization: basic(id, 'wrong') }, {}, own))
    answers.push(...(await Promise.all(some)))
  }
  assert.deepEqual([...new Set(answers.map(({ status }) => status))], [401])
  // Alike for clients that exist and clients that do not.
  for (const id of ['app_another', app.clientId]) {
    assert.equal((await tryWith({ authorization: basic(id, 'wrong') }, {}, own)).status, 429)
  }
  assertTaken(await tryWith({ authorization: basic(app.clientId, app.clientSecret) }, {}, own))
})

async function addSecret({ appId }: ApprovedApp, expiresAt: Date): Promise<string> {
  const { token, hash: secretHash } = newToken('appSecret', secureRandom)
  await service.database
    .insertInto('appSecret')
    .values({
      id: secureRandom.uuid(clock.now()),
      appId,
      name: 'Second',
      sandbox: false,
      secretHash,
      expiresAt,
      createdAt: clock.now(),
      lastUsedAt: null,
      retiredAt: null,
    })
    .execute()
  return token
}

test('counts credentials in two places as failures: they cannot flood the log of an app', async () => {
  const own = await startApp()
  const { olga: owner } = await meetPeople(own)
  const flooded = await approvedApp(own, owner)
  const twice = () => tryWith({ authorization: basic(flooded.clientId, 'wrong') }, { client_secret: 'wrong' }, own)
  for (let tries = 0; tries < 50; tries++) await expectRefusal(await twice(), false, 'invalid_request')
  assert.equal((await twice()).status, 429)
})
