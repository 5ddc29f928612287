import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { after, before, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { standUp } from '../../apps/server/test/people.ts'
import { debianPython } from '../helpers/debian-python.ts'
import { assertRefused, type ClientApp, credentialsOf, startClientApp } from './client-app.ts'
import { buildGo, requireDebianClients } from './debian-tools.ts'

/**
 * npm run test:interop: Debian's unmodified OAuth clients, each through the whole flow, installed by
 * scripts/install-interop-tools.sh.
 */
const pathOf = (file: string) => fileURLToPath(new URL(file, import.meta.url))
let go: Awaited<ReturnType<typeof buildGo>> | undefined
const goProgram = () => [String(go?.program)]

before(async () => {
  await requireDebianClients()
  go = await buildGo(pathOf('go/main.go'))
})
after(() => go?.[Symbol.asyncDispose]())

const scope = 'user:read meeting:create meeting:read'

const clients = [
  {
    name: 'Authlib with Basic',
    credentials: 'client_secret_basic',
    program: () => [debianPython, pathOf('python/authlib_client.py')],
    sent: ['basic', 'basic', 'basic'],
  },
  {
    name: 'Authlib with the secret in the body',
    credentials: 'client_secret_post',
    program: () => [debianPython, pathOf('python/authlib_client.py')],
    sent: ['body', 'body', 'body'],
  },
  {
    name: 'requests-oauthlib, which refreshes with the secret in the body',
    credentials: 'client_secret_basic',
    program: () => [debianPython, pathOf('python/requests_oauthlib_client.py')],
    sent: ['basic', 'body', 'body'],
  },
  {
    name: 'requests-oauthlib with the client id in the body beside Basic or the secret',
    credentials: 'client_secret_post',
    program: () => [debianPython, pathOf('python/requests_oauthlib_client.py')],
    sent: ['body', 'body', 'body'],
  },
  {
    name: 'Go’s x/oauth2 in the header',
    credentials: 'client_secret_basic',
    program: goProgram,
    sent: ['basic', 'basic', 'basic'],
  },
  {
    name: 'Go’s x/oauth2 in the parameters',
    credentials: 'client_secret_post',
    program: goProgram,
    sent: ['body', 'body', 'body'],
  },
  {
    name: 'Go’s x/oauth2, which finds out by itself',
    credentials: '',
    program: goProgram,
    sent: ['basic', 'basic', 'basic'],
  },
] as const

for (const { name, credentials, program, sent } of clients) {
  test(`${name} completes the flow`, async () => {
    const clientApp = await startClientApp()
    await using client = start(program(), clientApp, credentials)

    const { link, state } = await client.receive()
    const query = new URL(link).searchParams
    assert.ok(query.has('client_id') && !query.has('clientId'))
    const back = await clientApp.allow(link)
    assert.equal(new URL(back).searchParams.get('state'), state)

    client.say({ back })
    const connected = await client.receive()
    assert.equal(connected.token.token_type, 'Bearer')
    assert.equal(connected.token.expires_in, 86_400)
    assert.equal([connected.token.scope].flat().join(' '), scope)
    assert.equal(connected.profile.sub, clientApp.alice.profile._id)

    client.say({})
    const { made, read } = await client.receive()
    assert.equal(made, 200)
    assert.equal(read.topic, standUp().topic)
    assert.equal(read.createdBy, clientApp.alice.profile._id)

    client.say({})
    const refreshed = await client.receive()
    assert.notEqual(refreshed.token.access_token, connected.token.access_token)
    assert.notEqual(refreshed.token.refresh_token, connected.token.refresh_token)
    assert.equal(refreshed.profile.email, clientApp.alice.email)

    client.say({})
    const { introspected, revoked, refused, error } = await client.receive()
    assert.equal(introspected.active, true)
    assert.deepEqual(revoked, {})
    assert.equal(refused, 401)
    assert.equal(error, 'invalid_grant')
    await assertRefused(clientApp, connected.token.access_token)
    await client.ended

    assert.deepEqual(clientApp.tokenRequests().map(credentialsOf), sent)
  })
}

test('Go’s x/oauth2 obtains its tokens after a refusal, with the other credential style', async () => {
  const clientApp = await startClientApp()
  await using client = start(goProgram(), { ...clientApp, clientSecret: 'acs_wrong' }, '')
  const { link } = await client.receive()
  client.say({ back: await clientApp.allow(link) })
  const { refusal } = await client.receive()
  assert.equal(JSON.parse(refusal).error, 'invalid_client')
  assert.deepEqual(
    clientApp.tokenRequests().map((request) => `${credentialsOf(request)} ${request.status}`),
    ['basic 401', 'body 401'],
  )
  // Neither failure has consumed the code.
  const code = clientApp.tokenRequests()[0]?.form.get('code') ?? ''
  const answered = await fetch(`${clientApp.issuer}/api/oauth2/v2/token`, {
    method: 'POST',
    headers: { authorization: `Basic ${btoa(`${clientApp.clientId}:${clientApp.clientSecret}`)}` },
    body: new URLSearchParams({ grant_type: 'authorization_code', code }),
  })
  assert.equal(answered.status, 200)
})

// biome-ignore lint/suspicious/noExplicitAny: what a client says is asserted on, word by word
type Said = any

/** A client in a separate process that reads and writes lines of JSON. */
function start([command = '', ...options]: readonly string[], clientApp: ClientApp, credentials: string) {
  const child = spawn(command, options, {
    stdio: ['pipe', 'pipe', 'inherit'],
    env: {
      PATH: process.env.PATH,
      ISSUER: clientApp.issuer,
      CLIENT_ID: clientApp.clientId,
      CLIENT_SECRET: clientApp.clientSecret,
      REDIRECT_URI: clientApp.redirectUri,
      CREDENTIALS: credentials,
      MEETING: JSON.stringify(standUp()),
      // Its documented switch that permits http.
      OAUTHLIB_INSECURE_TRANSPORT: '1',
    },
  })
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  const ended = new Promise<number | null>((resolve) => child.once('exit', resolve))
  return {
    async receive(): Promise<Said> {
      const { value, done } = await lines.next()
      if (done) throw new Error(`The client ended with ${await ended} before it said anything`)
      return JSON.parse(value)
    },
    say: (message: object) => void child.stdin.write(`${JSON.stringify(message)}\n`),
    ended,
    async [Symbol.asyncDispose]() {
      child.stdin.end()
      child.kill()
      await ended
    },
  }
}
