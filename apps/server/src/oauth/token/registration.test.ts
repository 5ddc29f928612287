import assert from 'node:assert/strict'
import { hash } from 'node:crypto'
import { test } from 'node:test'
import { meetDevelopers } from '../../../test/oauth/apps.ts'
import { authorizeUrl } from '../../../test/oauth/consenting-person.ts'
import { createPlainBrowser } from '../../../test/oauth/plain-browser.ts'
import { postForm, tokenPath } from '../../../test/oauth/token-client.ts'
import { useDevelopers } from '../../../test/oauth/use-developers.ts'
import { type Person, sendRequest } from '../../../test/people.ts'
import { expectOk, expectProblem } from '../../../test/replies.ts'
import { publicAddress, startApp, type TestApp } from '../../../test/start-app.ts'
import { registrationPath } from './registration.ts'

/* Clients that register themselves (RFC 7591), where the operator allows it. Rita reviews, Carol uses them. */

const environment = { AGENT_REGISTRATION: 'on' }
const { app, clock, developers, meet } = await useDevelopers({
  start: '2030-01-01T08:00:00Z',
  environment,
})

const assistant = { client_name: 'Desk Assistant', redirect_uris: ['http://localhost/callback'] }
const register = (sent: unknown = assistant, service: TestApp = app, headers: Record<string, string> = {}) =>
  sendRequest(service, 'POST', registrationPath, sent, headers)

const verifier = 'a'.repeat(43)
const local = 'http://localhost:49152/callback'

function browserOf(person: Person, service: TestApp) {
  const browser = createPlainBrowser(service)
  browser.cookies.set('parley_session', person.token)
  return browser
}

async function open(person: Person, clientId: string, service = app) {
  const browser = browserOf(person, service)
  const link = authorizeUrl(service, {
    client_id: clientId,
    redirect_uri: local,
    response_type: 'code',
    scope: 'meeting:read',
    code_challenge: hash('sha256', verifier, 'base64url'),
    code_challenge_method: 'S256',
  })
  return { browser, page: await browser.follow(await browser.get(link)) }
}

async function connect(person: Person, clientId: string, service = app) {
  const { browser, page } = await open(person, clientId, service)
  const { location = '' } = await browser.submit(page, { decision: 'allow' })
  const code = new URL(location).searchParams.get('code') ?? ''
  const form = { grant_type: 'authorization_code', code, client_id: clientId, redirect_uri: local }
  return postForm(service, tokenPath, { ...form, code_verifier: verifier })
}

const findApp = (clientId: string, service = app) =>
  service.database.selectFrom('app').selectAll().where('clientId', '=', clientId).executeTakeFirst()

const hours = (count: number) => count * 60 * 60 * 1000

test('a client registers itself, waits for a review once a person uses it, and then works', async () => {
  const [rita] = await developers('Rita')
  const [carol] = await meet('Carol')
  const listReviews = async (query = '') => (await expectOk(rita.send('GET', `/api/oauth2/reviews${query}`))).reviews
  const before = await listReviews('?status=all')
  const reply = await register({ ...assistant, client_uri: 'https://desk.example/', x: [1] })
  const body = await expectOk(reply, 201)
  assert.equal(reply.headers.get('cache-control'), 'no-store')
  assert.equal(reply.headers.get('access-control-allow-origin'), '*')
  const { client_id: clientId, client_id_issued_at, ...registered } = body
  assert.match(clientId, /^app_[A-Za-z0-9]{24}$/)
  assert.equal(client_id_issued_at, clock.now().getTime() / 1000)
  assert.deepEqual(registered, {
    ...assistant,
    token_endpoint_auth_method: 'none',
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
    scope: 'user:read meeting:create meeting:delete meeting:read meeting:update meeting:join',
    client_uri: 'https://desk.example/',
  })
  // No reviewer sees it before a person uses it.
  assert.deepEqual(await listReviews('?status=all'), before)

  assert.equal((await open(carol, clientId)).page.status, 403)
  const [mail, ...others] = await app.mails()
  assert.match(mail?.subject ?? '', /registered itself waits for your review/)
  assert.equal(others.length, 1)
  const own = await findApp(clientId)
  const review = (await listReviews()).find(({ appId }: { appId: string }) => appId === own?.id)
  assert.deepEqual([review.registration, review.clientHost, review.owner], ['dynamic', undefined, undefined])
  await expectOk(rita.send('GET', `/api/oauth2/reviews/${review.appId}`))
  await expectOk(rita.send('POST', `/api/oauth2/reviews/${review.appId}`, { decision: 'approved' }))

  const { page } = await open(carol, clientId)
  assert.match(page.text, /It registered itself/)
  await expectOk(connect(carol, clientId))
})

test('refuses with the errors of RFC 7591', async () => {
  for (const [sent, error] of [
    [{ ...assistant, redirect_uris: ['http://evil.example/'] }, 'invalid_redirect_uri'],
    [{ ...assistant, redirect_uris: ['javascript:alert(1)'] }, 'invalid_redirect_uri'],
    [{ client_name: 'Desk Assistant' }, 'invalid_redirect_uri'],
    [
      { ...assistant, redirect_uris: Array.from({ length: 11 }, (_, i) => `https://a.example/${i}`) },
      'invalid_redirect_uri',
    ],
    [{ ...assistant, token_endpoint_auth_method: 'client_secret_basic' }, 'invalid_client_metadata'],
    [{ ...assistant, grant_types: ['client_credentials'] }, 'invalid_client_metadata'],
    [{ ...assistant, client_name: 'Desk\u202eAssistant' }, 'invalid_client_metadata'],
    [{ ...assistant, logo_uri: 'data:image/png;base64,AA' }, 'invalid_client_metadata'],
    ['[]', 'invalid_client_metadata'],
    ['{"client_name":"A","client_name":"B","redirect_uris":["https://a.example/"]}', 'invalid_client_metadata'],
    ['{"client_n\u00e4me":1,"client_n\u00e4me":2}', 'invalid_client_metadata'],
    ['', 'invalid_client_metadata'],
  ] as const) {
    const { status, body, headers } = await register(sent)
    assert.deepEqual([status, body.error], [400, error], JSON.stringify(body))
    assert.match(body.error_description, /^[\x20-\x7e]+$/)
    assert.match(headers.get('content-type') ?? '', /^application\/json/)
  }
  assert.equal((await register(assistant, app, { 'content-type': 'text/plain' })).body.error, 'invalid_request')
  assert.equal((await register({ ...assistant, padding: 'a'.repeat(5 * 1024) })).body.error, 'invalid_request')
})

test('is announced and found only with AGENT_REGISTRATION=on', async () => {
  const metadata = async (service: TestApp) =>
    (await sendRequest(service, 'GET', '/.well-known/oauth-authorization-server')).body.registration_endpoint
  assert.equal(await metadata(app), `${publicAddress}${registrationPath}`)
  const closed = await startApp({ emails: 'dropped' })
  assert.equal(await metadata(closed), undefined)
  await expectProblem(register(assistant, closed), 'not_found')
})

test('a page of another origin may register its client', async () => {
  const response = await fetch(`${app.base}${registrationPath}`, {
    method: 'OPTIONS',
    headers: {
      origin: 'https://desk.example',
      'access-control-request-method': 'POST',
      'access-control-request-headers': 'content-type',
    },
  })
  assert.equal(response.status, 204)
  assert.equal(response.headers.get('access-control-allow-origin'), '*')
})

test('a network registers 20 clients an hour', async () => {
  const own = await startApp({ clock, emails: 'dropped', environment })
  for (let count = 0; count < 20; count++) await expectOk(register(assistant, own), 201)
  const { status, body, headers } = await register(assistant, own)
  assert.deepEqual([status, body.error], [429, 'slow_down'])
  assert.ok(Number(headers.get('retry-after')) > 0)
})

test('a client that no person uses is deleted after a day; one that waits, is connected or suspended stays', async () => {
  const service = await startApp({ clock, emails: 'dropped', environment })
  const { rita, carol } = await meetDevelopers(service)
  const deleteExpired = () => service.taskList['delete-expired']?.({}, { job: { id: 1 } })
  const clientOf = async (name: string) => (await register({ ...assistant, client_name: name }, service)).body.client_id
  const unused = await clientOf('Unused Assistant')
  const waiting = await clientOf('Waiting Assistant')
  await open(carol, waiting, service)
  const connected = await clientOf('Connected Assistant')
  await open(carol, connected, service)
  const { id: connectedId = '' } = (await findApp(connected, service)) ?? {}
  await expectOk(rita.send('POST', `/api/oauth2/reviews/${connectedId}`, { decision: 'approved' }))
  await expectOk(connect(carol, connected, service))

  clock.advance(hours(24) - 1)
  await deleteExpired()
  assert.ok((await findApp(unused, service)) !== undefined)
  clock.advance(1)
  await deleteExpired()
  assert.equal(await findApp(unused, service), undefined)
  assert.equal((await findApp(waiting, service))?.status, 'under_review')
  assert.equal((await findApp(connected, service))?.deletedAt, null)

  // Carol disconnects it; it was approved, and is kept for 30 days.
  const { grants } = await expectOk(carol.send('GET', '/api/oauth2/grants'))
  const grant = grants.find(({ app: { _id } }: { app: { _id: string } }) => _id === connectedId)
  await expectOk(carol.send('DELETE', `/api/oauth2/grants/${grant._id}`))
  clock.advance(hours(30 * 24) - 1)
  await deleteExpired()
  assert.equal((await findApp(connected, service))?.deletedAt, null)
  clock.advance(1)
  await deleteExpired()
  assert.deepEqual((await findApp(connected, service))?.deletedAt, clock.now())
  assert.equal((await open(carol, connected, service)).page.status, 400)
})
