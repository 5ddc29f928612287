import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { CompiledQuery } from 'kysely'
import { RawClient } from '../../apps/server/test/media/raw-client.ts'
import { arrive, authorizeUrl } from '../../apps/server/test/oauth/consenting-person.ts'
import { createPlainBrowser, hiddenFields, type Visit } from '../../apps/server/test/oauth/plain-browser.ts'
import { type Person, password, schedule, sendRequest, signUp, standUp } from '../../apps/server/test/people.ts'
import { expectOk } from '../../apps/server/test/replies.ts'
import { startApp, type TestApp } from '../../apps/server/test/start-app.ts'

const callback = 'https://planner.example/callback'
const wrongPassword = 'wrong horse battery staple'
const relay = { TURN_URLS: 'turn:turn.example.org', TURN_SECRET: 'the secret of the relay, long enough' }

test('after a complete flow, neither the database nor the log contains a readable secret', async () => {
  const environment = { APP_CHECKS: 'off', LOG_LEVEL: 'trace', ...relay }
  const app = await startApp({ environment, media: 'engine' })
  const issued = new Map<string, string>([
    ['password', password],
    ['wrong password', wrongPassword],
  ])
  const keep = (name: string, value: unknown) => {
    assert.ok(typeof value === 'string' && value.length >= 4, `${name} was not issued`)
    issued.set(name, value)
    return value
  }

  const [olga, bob, alice] = [await signUp(app, 'Olga'), await signUp(app, 'Bob'), await signUp(app, 'Alice')]
  for (const { email, token, profile } of [olga, bob, alice]) {
    keep(`session of ${email}`, token)
    keep(`room PIN of ${email}`, profile.roomPIN)
    keep(`chat key of ${email}`, profile.jcData.jcKey)
  }
  await sendRequest(app, 'POST', '/api/auth/sign-in', { email: alice.email, password: wrongPassword })
  await sendRequest(app, 'POST', '/api/auth/sign-in', `{"email": "${alice.email}", "password": "${wrongPassword}"`)
  const personal = await alice.send('POST', '/api/auth/tokens', { name: 'Script', scopes: ['meeting:read'] })
  keep('personal token', personal.body.token)
  const { body: feed } = await alice.send('POST', '/api/calendar/feed')
  const calendar = keep('calendar', /cal_\w+/.exec(feed.url)?.[0])
  for (const path of [`/calendar/${calendar}.ics`, `/calendar/${calendar}`]) await fetch(`${app.base}${path}`)

  const client = await register(olga, bob, keep)
  const tokens = await connect(app, alice, client, keep)
  await misuse(app, client, tokens, keep)
  await useAndEnd(app, alice, client, tokens, keep)
  const meeting = await schedule(alice, standUp({ advancedOptions: { joinBeforeHost: false } }))
  keep('PIN', meeting.pin)
  const entered = await sendRequest(app, 'POST', `/api/rooms/${meeting.svcMeetId}/enter`, { pin: meeting.pin })
  await useMedia(app, alice, meeting, keep)
  keep('cookie of a guest', /^parley_guest=([\w-]+);/.exec(entered.headers.get('set-cookie') ?? '')?.[1])
  keep('PIN of another', (await schedule(alice)).pin)

  await sendRequest(app, 'POST', '/api/auth/password-reset', { email: alice.email })
  await olga.send('POST', '/api/admin/invitations', { email: 'dan@example.org' })

  // The time of the last use is written shortly after the reply.
  await sleep(50)
  const whileMailsWait = await dumpEverything(app)
  const links = (await app.mails()).flatMap(({ text }) => /#(\w+)=(\w+)/.exec(text) ?? [])
  for (const token of links.filter((text) => /^\w{53}$/.test(text))) keep(`link ${token.slice(0, 4)}`, token)
  assert.ok(issued.has('link rst_') && issued.has('link inv_'), links.join(' '))
  const dump = [...whileMailsWait, ...(await dumpEverything(app))]
  assert.ok(dump.length > 20, 'The dump is of every table')
  assert.ok(app.logged.length > 20, 'The log tells of every request')
  assert.ok(
    dump.some(({ text }) => text.includes(alice.email)),
    'What is stored can be found in the dump',
  )
  const found = [...issued].flatMap(([name, value]) => [
    ...dump.filter(({ text }) => holds(text, value)).map(({ table }) => `${name} in ${table}`),
    ...app.logged.filter((line) => holds(line, value)).map((line) => `${name} in the log: ${line}`),
  ])
  assert.deepEqual(found, [])
  assert.ok(issued.size > 30, `${issued.size} values were looked for`)
})

/** Alice signs in and out; then her token and an invalid one are used. */
async function useMedia(app: TestApp, alice: Person, { svcMeetId, pin }: Record<string, string>, keep: Keep) {
  const { body } = await alice.send('POST', `/api/rooms/${svcMeetId}/enter`, { pin })
  const token = keep('media token', body.media?.token)
  const [server] = body.media.iceServers
  keep('credential of the relay', server.credential)
  keep('secret of the relay', relay.TURN_SECRET)
  keep('secret of the engine', app.engine?.apiSecret)
  const client = RawClient.join(`${app.base.replace('http', 'ws')}/media`, token)
  await client.connect()
  keep('renewed media token', await client.take('refreshToken'))
  await client.close()
  for (const sent of [token, `${token}x`]) {
    await fetch(`${app.base}/media/rtc/v1/validate?access_token=${sent}`)
    await fetch(`${app.base}/media/rtc/v1?access_token=${sent}`)
  }
}

type Keep = (name: string, value: unknown) => string
type Client = { clientId: string; clientSecret: string }
type Tokens = { access_token: string; refresh_token: string }

/** Bob registers an app, Olga approves it, Bob creates secrets and retires one. */
async function register(olga: Person, bob: Person, keep: Keep): Promise<Client> {
  await expectOk(olga.send('PUT', `/api/admin/accounts/${olga.profile._id}`, { reviewer: true }))
  await expectOk(olga.send('PUT', `/api/admin/accounts/${bob.profile._id}`, { oauthEnabled: true }))
  const { _id } = await expectOk(
    bob.send('POST', '/api/oauth2/apps', {
      name: 'Planner',
      homepageUrl: 'https://planner.example/',
      policyUrl: 'https://planner.example/privacy',
      logoUrl: 'https://planner.example/logo.png',
      useCase: 'scheduling',
      callbackUrls: [callback],
      scopes: ['user:read', 'meeting:create', 'meeting:read'],
    }),
    201,
  )
  await expectOk(olga.send('POST', `/api/oauth2/reviews/${_id}`, { decision: 'approved', reasons: [] }))
  const secrets = `/api/oauth2/apps/${_id}/secrets`
  keep('sandbox secret', (await expectOk(bob.send('POST', secrets, { name: 'Laptop', sandbox: true }), 201)).secret)
  const retired = await expectOk(bob.send('POST', secrets, { name: 'Old' }), 201)
  keep('retired secret', retired.secret)
  await expectOk(bob.send('DELETE', `${secrets}/${retired._id}`))
  const clientSecret = keep('client secret', (await expectOk(bob.send('POST', secrets, { name: 'New' }), 201)).secret)
  const { clientId } = await expectOk(bob.send('GET', `/api/oauth2/apps/${_id}`))
  assert.match(JSON.stringify(await expectOk(bob.send('GET', `/api/oauth2/apps/${_id}/events`))), /secret_created/)
  return { clientId, clientSecret }
}

const verifier = 'a-verifier-that-is-long-enough-to-be-one-0123456789'

/** Alice follows the app's link, signs in after a wrong password, and allows access. */
async function connect(app: TestApp, alice: Person, { clientId, clientSecret }: Client, keep: Keep): Promise<Tokens> {
  keep('code verifier', verifier)
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(verifier))
  const challenge = Buffer.from(digest).toString('base64url')
  const link = authorizeUrl(app, {
    client_id: clientId,
    redirect_uri: callback,
    response_type: 'code',
    state: 'of the app',
    code_challenge: challenge,
    code_challenge_method: 'S256',
  })
  const browser = createPlainBrowser(app)
  const keepFields = (page: Visit, name: string) => {
    for (const [field, value] of Object.entries(hiddenFields(page))) keep(`${field} of ${name}`, value)
  }
  const login = await browser.follow(await browser.get(link))
  keepFields(login, 'the sign-in form')
  await browser.submit(login, { email: alice.email, password: wrongPassword })
  const page = await arrive(browser, alice, link)
  keepFields(page, 'the consent form')
  const answer = await browser.submit(page, { decision: 'allow' })
  for (const [name, value] of browser.cookies) keep(`cookie ${name}`, value)
  const code = keep('code', new URL(answer.location ?? '').searchParams.get('code'))

  const form = { grant_type: 'authorization_code', code, code_verifier: verifier }
  const exchanged = await post(app, '/api/oauth2/v2/token', {
    ...form,
    client_id: clientId,
    client_secret: clientSecret,
  })
  assert.equal(exchanged.status, 200, exchanged.text)
  return keepPair('first', exchanged.text, keep)
}

/** Cause errors, because the log contains them. */
async function misuse(app: TestApp, { clientId, clientSecret }: Client, tokens: Tokens, keep: Keep) {
  const wrongSecret = keep('wrong secret', `${clientSecret.slice(0, -1)}_`)
  const basic = (secret: string) => ({ authorization: `Basic ${btoa(`${clientId}:${secret}`)}` })
  const token = '/api/oauth2/v2/token'
  await post(app, token, { grant_type: 'refresh_token', refresh_token: tokens.refresh_token }, basic(wrongSecret))
  await post(
    app,
    token,
    { grant_type: 'refresh_token', refresh_token: `${tokens.refresh_token}x` },
    basic(clientSecret),
  )
  await post(app, token, { grant_type: 'password', username: 'a', password: wrongPassword }, basic(clientSecret))
  const asJson = JSON.stringify({ refresh_token: tokens.refresh_token, client_secret: clientSecret })
  await sendRequest(app, 'POST', token, asJson)
  await fetch(`${app.base}/api/user/profile?access_token=${tokens.access_token}`)
  await fetch(`${app.base}/${tokens.access_token}`)
  await fetch(`${app.base}/api/user/profile`, { headers: { authorization: tokens.refresh_token } })
  await fetch(`${app.base}/api/user/profile`, { headers: { cookie: `parley_session=${tokens.access_token}` } })
}

/** Use the token, refresh it, refresh again as after a lost reply, introspect it, replay it, and revoke the rest. */
async function useAndEnd(app: TestApp, alice: Person, client: Client, tokens: Tokens, keep: Keep) {
  const basic = { authorization: `Basic ${btoa(`${client.clientId}:${client.clientSecret}`)}` }
  const bearer = { authorization: `Bearer ${tokens.access_token}` }
  const made = await expectOk(
    sendRequest(app, 'POST', '/api/meeting', { ...meetingOfTheApp }, { ...bearer, 'idempotency-key': 'once-only' }),
  )
  keep('PIN of the app’s meeting', made.meetingDetails.pin)

  const token = '/api/oauth2/v2/token'
  const again = { grant_type: 'refresh_token', refresh_token: tokens.refresh_token }
  const second = keepPair('second', (await post(app, token, again, basic)).text, keep)
  assert.deepEqual(keepPair('repeated', (await post(app, token, again, basic)).text, keep), second)
  const third = { grant_type: 'refresh_token', refresh_token: second.refresh_token }
  const last = keepPair('third', (await post(app, token, third, basic)).text, keep)
  await post(app, '/api/oauth2/v2/introspect', { token: last.access_token }, basic)
  assert.equal((await post(app, token, again, basic)).status, 400)
  await post(app, '/api/oauth2/v2/revoke', { token: last.refresh_token }, basic)
  const { body } = await alice.send('GET', '/api/oauth2/grants')
  await alice.send('DELETE', `/api/oauth2/grants/${body.grants[0]._id}`)
}

const meetingOfTheApp = {
  topic: 'Kick-off',
  description: '',
  participants: ['bob@example.org'],
  startTime: '2030-01-07T09:00:00Z',
  endTime: '2030-01-07T09:30:00Z',
  isPinEnabled: true,
  advancedOptions: {},
  repeatOptions: { repeat: 'none', timeZone: 'UTC' },
}

function keepPair(name: string, answer: string, keep: Keep): Tokens {
  const { access_token, refresh_token } = JSON.parse(answer)
  return {
    access_token: keep(`${name} access token`, access_token),
    refresh_token: keep(`${name} refresh token`, refresh_token),
  }
}

async function post(app: TestApp, path: string, form: Record<string, string>, headers: Record<string, string> = {}) {
  const response = await fetch(app.base + path, { method: 'POST', headers, body: new URLSearchParams(form) })
  return { status: response.status, text: await response.text() }
}

/**
 * Every row of every table except PostgreSQL's own, including jobs, as text; bytes as the characters that they may
 * encode.
 */
async function dumpEverything({ database }: TestApp): Promise<{ table: string; text: string }[]> {
  const run = (text: string) => database.executeQuery<Record<string, unknown>>(CompiledQuery.raw(text))
  const { rows } = await run(
    `select quote_ident(table_schema) || '.' || quote_ident(table_name) as name from information_schema.tables
     where table_type = 'BASE TABLE' and table_schema not in ('pg_catalog', 'information_schema')`,
  )
  const tables = rows.map(({ name }) => String(name))
  return Promise.all(tables.map(async (table) => ({ table, text: textOf((await run(`select * from ${table}`)).rows) })))
}

function textOf(value: unknown): string {
  if (Buffer.isBuffer(value)) return value.toString('latin1')
  if (value instanceof Date) return value.toISOString()
  if (typeof value === 'object' && value !== null) {
    return Object.entries(value)
      .map(([name, item]) => `${name} ${textOf(item)}`)
      .join('\n')
  }
  return String(value)
}

/**
 * Whether the text contains the secret, in plain or in a reversible encoding. A short secret must be a whole word,
 * because digits occur everywhere.
 */
function holds(text: string, value: string): boolean {
  if (value.length < 16) return new RegExp(`(?<![0-9A-Za-z])${value}(?![0-9A-Za-z])`).test(text)
  const bytes = Buffer.from(value)
  // Base64 within longer data has three alignments; match the part that is common to all texts around it.
  const shifts = [0, 1, 2].map((shift) =>
    Buffer.concat([Buffer.alloc(shift), bytes])
      .toString('base64')
      .slice(4, -4),
  )
  const forms = [value, encodeURIComponent(value), JSON.stringify(value).slice(1, -1), bytes.toString('hex'), ...shifts]
  return forms.some((form) => text.includes(form))
}

test('finds a secret in every encoding', () => {
  const secret = 'oat_0123456789/+ =abcdef'
  const bytes = Buffer.from(secret)
  for (const form of [
    secret,
    encodeURIComponent(secret),
    bytes.toString('hex'),
    bytes.toString('base64'),
    Buffer.from(`a:${secret}`).toString('base64'),
    Buffer.from(`ab:${secret}`).toString('base64'),
    textOf([{ column: bytes }, { other: { deep: [secret] } }]),
  ]) {
    assert.ok(holds(`before ${form} after`, secret), form)
  }
  assert.ok(holds('"pin":"123456"', '123456'))
  assert.ok(!holds('a1234567', '123456'))
})
