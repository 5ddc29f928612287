import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { approvedApp, callbackUrl } from '../../../test/oauth/approved-app.ts'
import { authorizeUrl, consent } from '../../../test/oauth/consenting-person.ts'
import { createPlainBrowser, readingOf } from '../../../test/oauth/plain-browser.ts'
import { signUp } from '../../../test/people.ts'
import { publicAddress, startApp } from '../../../test/start-app.ts'
import { useApp } from '../../../test/use-app.ts'

// More people sign up here than a network may in an hour.
const { app, olga, meet } = await useApp({ emails: 'dropped', environment: { RATE_LIMITS: 'off' } })
const challenge = 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM'

type Changes = Record<string, string | undefined>

/** Meet Alice, who uses the apps of Bob. */
async function scene() {
  const [alice, bob] = await meet('Alice', 'Bob')
  const planner = await approvedApp(app, bob)
  const other = await approvedApp(app, bob, { name: 'Other', callbackUrls: ['https://other.example/callback'] })
  const usual = { client_id: planner.clientId, redirect_uri: callbackUrl, response_type: 'code', state: 'abc' }
  const ask = (changes: Changes = {}) => {
    const parameters = Object.entries({ ...usual, ...changes }).filter(
      (pair): pair is [string, string] => pair[1] !== undefined,
    )
    return authorizeUrl(app, Object.fromEntries(parameters))
  }
  return { alice, bob, planner, other, usual, ask }
}
const visit = (address: string) => createPlainBrowser(app).get(address)
const eventsOf = (appId: string) =>
  app
    .writeRefusals()
    .then(() =>
      app.database.selectFrom('appEvent').selectAll().where('appId', '=', appId).orderBy('id', 'desc').execute(),
    )

/** Refused on a page of ours, without a redirect; the page says what to do. */
async function refusedOnPage(address: string, status: number, says: RegExp) {
  const page = await visit(address)
  assert.equal(page.status, status, page.text)
  assert.equal(page.location, undefined)
  assert.match(page.headers.get('content-type') ?? '', /^text\/html/)
  assert.match(readingOf(page), says)
  assert.match(readingOf(page), /(You|The app’s developer|The administrator of this service) can fix this/)
  assert.ok(page.text.includes(String(page.headers.get('x-request-id'))))
  return page
}

/** Refused on the redirect, with the state and the issuer. */
async function refusedOnRedirect(address: string, error: string, state: string | null = 'abc') {
  const { status, location = '' } = await visit(address)
  assert.equal(status, 303)
  const back = new URL(location)
  assert.equal(back.origin + back.pathname, callbackUrl)
  const { searchParams } = back
  assert.equal(searchParams.get('error'), error)
  assert.match(searchParams.get('error_description') ?? '', /^[\x20-\x21\x23-\x5b\x5d-\x7e]+$/)
  assert.equal(searchParams.get('state'), state)
  assert.equal(searchParams.get('iss'), publicAddress)
  assert.equal(searchParams.get('code'), null)
  return back
}

for (const [name, changes] of [
  ['unknown', { client_id: 'client_of_nobody' }],
  ['empty', { client_id: '' }],
  ['missing', { client_id: undefined }],
  ['not ASCII', { client_id: 'é' }],
] as const) {
  test(`answers a client that is ${name} with a 400 page`, async () => {
    const { ask } = await scene()
    await refusedOnPage(ask(changes), 400, /client_id/)
  })
}

test('answers a client id that ends in a NUL with a 400 page', async () => {
  const { planner, ask } = await scene()
  await refusedOnPage(ask({ client_id: `${planner.clientId}\0` }), 400, /client_id/)
})

test('accepts clientId like client_id, and both when they are equal', async () => {
  const { planner, ask } = await scene()
  for (const changes of [{ client_id: undefined, clientId: planner.clientId }, { clientId: planner.clientId }]) {
    const { status, location } = await visit(ask(changes))
    assert.equal(status, 303)
    assert.match(location ?? '', /^\/oauth2\/consent\?request=[\w-]{43}$/)
  }
})

test('answers a different or a repeated client id with a 400 page and never redirects', async () => {
  const { planner, ask } = await scene()
  const says = /more than one client_id/
  await refusedOnPage(ask({ clientId: 'client_of_nobody' }), 400, says)
  await refusedOnPage(`${ask()}&client_id=${planner.clientId}`, 400, says)
  await refusedOnPage(
    `${ask({ client_id: undefined, clientId: planner.clientId })}&clientId=${planner.clientId}`,
    400,
    says,
  )
})

for (const [name, redirectUri] of [
  ['missing', undefined],
  ['empty', ''],
  ['with a trailing slash', `${callbackUrl}/`],
  ['in another case', 'https://planner.example/Callback'],
  ['of a host in another case', 'https://Planner.example/callback'],
  ['of another scheme', 'http://planner.example/callback'],
  ['with an added query', `${callbackUrl}?a=1`],
  ['with an added fragment', `${callbackUrl}#a`],
  ['with a dot segment', 'https://planner.example/x/../callback'],
  ['with percent-encoding', 'https://planner.example/%63allback'],
  ['with the port spelled out', 'https://planner.example:443/callback'],
  ['with a user', 'https://planner.example@evil.example/callback'],
  ["another app's", 'https://other.example/callback'],
  ['a script', 'javascript:alert(1)'],
] as const) {
  test(`answers a redirect_uri that is ${name} with a 400 page`, async () => {
    const { ask } = await scene()
    await refusedOnPage(ask({ redirect_uri: redirectUri }), 400, /redirect_uri/)
  })
}

test('answers a repeated redirect_uri with a 400 page', async () => {
  const { ask } = await scene()
  await refusedOnPage(`${ask()}&redirect_uri=${encodeURIComponent(callbackUrl)}`, 400, /one redirect_uri/)
})

test('records a wrong redirect_uri in the event log of the app, with the request id of the page', async () => {
  const { planner, ask } = await scene()
  const page = await visit(ask({ redirect_uri: 'https://evil.example/' }))
  const [event] = await eventsOf(planner.appId)
  assert.equal(event?.kind, 'authorization_refused')
  assert.match(event?.cause ?? '', /https:\/\/evil\.example\//)
  assert.equal(event?.requestId, page.headers.get('x-request-id'))
  assert.equal(event?.sandbox, false)
})

for (const [name, changes, error] of [
  ['response_type missing', { response_type: undefined }, 'invalid_request'],
  ['response_type token', { response_type: 'token' }, 'unsupported_response_type'],
  ['response_type id_token', { response_type: 'id_token' }, 'unsupported_response_type'],
  ['response_type code token', { response_type: 'code token' }, 'unsupported_response_type'],
  ['scope outside', { scope: 'meeting:read meeting:delete' }, 'invalid_scope'],
  ['code_challenge_method plain', { code_challenge: challenge, code_challenge_method: 'plain' }, 'invalid_request'],
  ['a challenge without method', { code_challenge: challenge }, 'invalid_request'],
  ['a challenge too short', { code_challenge: challenge.slice(1), code_challenge_method: 'S256' }, 'invalid_request'],
  [
    'a challenge of a bad alphabet',
    { code_challenge: challenge.replace('-', '+'), code_challenge_method: 'S256' },
    'invalid_request',
  ],
  ['prompt none beside another', { prompt: 'none consent' }, 'invalid_request'],
] as const) {
  test(`${name} is ${error} on the redirect`, async () => {
    const { ask } = await scene()
    await refusedOnRedirect(ask(changes), error)
  })
}

for (const name of ['scope', 'response_type', 'code_challenge', 'prompt']) {
  test(`a repeated ${name} is invalid_request on the redirect`, async () => {
    const { ask } = await scene()
    await refusedOnRedirect(`${ask()}&${name}=code&${name}=code`, 'invalid_request')
  })
}

test('a repeated state is invalid_request on the redirect, without any state', async () => {
  const { ask } = await scene()
  await refusedOnRedirect(`${ask()}&state=other`, 'invalid_request', null)
})

test('records violations in the event log of the app', async () => {
  const { planner, ask } = await scene()
  const { headers } = await visit(ask({ response_type: 'token' }))
  const cause = 'unsupported_response_type: response_type must be code'
  const event = (await eventsOf(planner.appId)).find((one) => one.cause === cause)
  assert.equal(event?.kind, 'authorization_refused')
  assert.equal(event?.requestId, headers.get('x-request-id'))
})

test('an app that requires PKCE refuses a request without a challenge, and accepts one with it', async () => {
  const { bob, ask } = await scene()
  const strict = await approvedApp(app, bob, { name: 'Strict', requirePkce: true })
  await refusedOnRedirect(ask({ client_id: strict.clientId }), 'invalid_request')
  const { location } = await visit(
    ask({ client_id: strict.clientId, code_challenge: challenge, code_challenge_method: 'S256' }),
  )
  assert.match(location ?? '', /^\/oauth2\/consent/)
})

test('ignores unknown parameters, also repeated ones', async () => {
  const { ask } = await scene()
  const { location } = await visit(`${ask({ nonce: 'n', response_mode: 'fragment' })}&audience=a&audience=b`)
  assert.match(location ?? '', /^\/oauth2\/consent/)
})

test('accepts a POST like a GET, as a form only', async () => {
  const { usual } = await scene()
  const browser = createPlainBrowser(app)
  const { status, location } = await browser.post('/oauth2/authorize', usual)
  assert.equal(status, 303)
  assert.match(location ?? '', /^\/oauth2\/consent/)
  const json = await browser.post('/oauth2/authorize', usual, { 'content-type': 'application/json' })
  assert.equal(json.status, 400)
  assert.match(json.headers.get('content-type') ?? '', /^text\/html/)
})

test('answers other methods with 405', async () => {
  for (const path of ['/oauth2/authorize', '/oauth2/login', '/oauth2/consent', '/oauth2/account']) {
    const { status, headers } = await fetch(`${app.base}${path}`, { method: 'PUT' })
    assert.equal(status, 405, path)
    assert.equal(headers.get('allow'), 'GET, POST, HEAD')
  }
})

for (const [name, state] of [
  ['JSON in Base64', 'eyJjc3JmIjoiYSticy9jPT0ifQ+/=='],
  ['spaces, plus signs, ampersands', 'a b+c&d=e;f'],
  ['every ASCII character that is seen', String.fromCharCode(...Array.from({ length: 94 }, (_, at) => at + 33))],
  ['letters beyond ASCII', 'é – 😀'],
  ['something that looks encoded', '%41%2B%zz'],
] as const) {
  test(`returns a state of ${name} byte for byte`, async () => {
    const { alice, ask } = await scene()
    const back = await refusedOnRedirect(ask({ state, response_type: 'token' }), 'unsupported_response_type', state)
    assert.match(back.search, /^\?[\x21-\x7e]+$/)
    assert.equal((await consent(app, alice, ask({ state }))).searchParams.get('state'), state)
  })
}

test('returns bytes that are no text, NUL included', async () => {
  const { alice, ask } = await scene()
  const back = await consent(app, alice, `${ask({ state: undefined })}&state=%00%FF%C3`)
  assert.match(back.search, /&state=%00%FF%C3&/)
})

test('returns a state of 4,096 bytes; one of 4,097 is invalid_request', async () => {
  const { usual } = await scene()
  const browser = createPlainBrowser(app)
  const send = (state: string, type: string) =>
    browser.post('/oauth2/authorize', { ...usual, response_type: type, state })
  const longest = '+'.repeat(4096)
  const taken = new URL((await send(longest, 'token')).location ?? '')
  assert.equal(taken.searchParams.get('state'), longest)
  const refused = new URL((await send(`${longest}+`, 'code')).location ?? '')
  assert.equal(refused.searchParams.get('error'), 'invalid_request')
  assert.equal(refused.searchParams.get('state'), null)
})

test('returns no state when none was sent', async () => {
  const { alice, ask } = await scene()
  assert.equal((await consent(app, alice, ask({ state: undefined }))).searchParams.has('state'), false)
})

test('sends no iss to an app that has opted out, neither with a code nor with an error', async () => {
  const { alice, bob, ask } = await scene()
  const quiet = await approvedApp(app, bob, { name: 'Quiet', sendIss: false })
  const back = await consent(app, alice, ask({ client_id: quiet.clientId }))
  assert.deepEqual([...back.searchParams.keys()], ['code', 'state'])
  const { location = '' } = await visit(ask({ client_id: quiet.clientId, response_type: 'token' }))
  assert.deepEqual([...new URL(location).searchParams.keys()], ['error', 'error_description', 'state'])
})

test('keeps the query of a redirect URI', async () => {
  const { alice, bob, ask } = await scene()
  const redirectUri = 'https://planner.example/callback?tenant=a%20b'
  const multi = await approvedApp(app, bob, { name: 'Multi', callbackUrls: [callbackUrl, redirectUri] })
  const back = await consent(app, alice, ask({ client_id: multi.clientId, redirect_uri: redirectUri }))
  assert.ok(back.href.startsWith(`${redirectUri}&code=`))
})

test('answers a request of a suspended app with a 403 page', async () => {
  const { bob, ask } = await scene()
  const bad = await approvedApp(app, bob, { name: 'Bad', status: 'suspended' })
  await refusedOnPage(ask({ client_id: bad.clientId }), 403, /suspended/)
  await refusedOnPage(ask({ client_id: bad.sandboxClientId }), 403, /suspended/)
  const events = await eventsOf(bad.appId)
  assert.deepEqual(events.map(({ sandbox }) => sandbox).toSorted(), [false, true])
})

test('an app that is suspended while its user reads the page gets no code', async () => {
  const { alice, bob, ask } = await scene()
  const late = await approvedApp(app, bob, { name: 'Late' })
  const browser = createPlainBrowser(app)
  const page = await browser.follow(await browser.get(ask({ client_id: late.clientId })))
  await app.database.updateTable('app').set({ status: 'suspended' }).where('id', '=', late.appId).execute()
  const answer = await browser.submit(page, { email: alice.email, password: 'correct horse battery staple' })
  assert.equal(answer.status, 403)
  assert.match(readingOf(answer), /suspended/)
})

test('answers 403 for an app whose owner has lost OAuth or is disabled', async () => {
  const { bob, other, ask } = await scene()
  const mine = await approvedApp(app, bob, { name: 'Mine' })
  await olga.send('PUT', `/api/admin/accounts/${bob.profile._id}`, { oauthEnabled: false })
  await refusedOnPage(ask({ client_id: mine.clientId }), 403, /isn’t allowed to offer apps/)
  await refusedOnPage(
    ask({ client_id: other.sandboxClientId, redirect_uri: 'https://other.example/callback' }),
    403,
    /isn’t allowed/,
  )
})

test('the sandbox of an unapproved app is a 403 page for people who are neither owner nor tester', async () => {
  const { alice, bob, ask } = await scene()
  const young = await approvedApp(app, bob, { name: 'Young', status: 'under_review' })
  await app.database
    .updateTable('app')
    .set({ clientId: null, liveRevision: null, draftRevision: 1 })
    .where('id', '=', young.appId)
    .execute()
  await refusedOnPage(ask({ client_id: young.clientId }), 400, /no app/)
  const browser = createPlainBrowser(app)
  const login = await browser.follow(await browser.get(ask({ client_id: young.sandboxClientId })))
  const signedIn = await browser.submit(login, { email: alice.email, password: 'correct horse battery staple' })
  const page = await browser.follow(signedIn)
  assert.equal(page.status, 403)
  assert.match(readingOf(page), /You are not a tester of this app/)
  const switching = await browser.get(/href="([^"]+)">Switch account/.exec(page.text)?.[1] ?? '')
  assert.match(readingOf(switching), /Continue as Alice Use another account/)

  await app.database
    .insertInto('appTester')
    .values({ appId: young.appId, email: alice.email, emailKey: alice.email, state: 'accepted', invitedAt: new Date() })
    .execute()
  const back = await consent(app, alice, ask({ client_id: young.sandboxClientId }))
  assert.match(back.searchParams.get('code') ?? '', /^oac_/)
  assert.match((await consent(app, bob, ask({ client_id: young.sandboxClientId }))).search, /code=/)
})

test('logs neither the state nor the id of a request, and stores the id as a hash only', async () => {
  const { ask } = await scene()
  const { location = '' } = await visit(ask({ state: 'a-very-secret-state' }))
  const requestId = new URL(location, app.base).searchParams.get('request') ?? ''
  await visit(location)
  const rows = await app.database.selectFrom('authorizationRequest').selectAll().execute()
  const kept = JSON.stringify(rows.map((row) => ({ ...row, idHash: row.idHash.toString('latin1') })))
  assert.equal(kept.includes(requestId), false)
  assert.equal(app.logged.join('').includes(requestId), false)
  assert.equal(app.logged.join('').includes('a-very-secret-state'), false)
})

test('refuses a redirect_uri with a NUL on a page, and records it for the app’s developer', async () => {
  const { planner, ask } = await scene()
  await refusedOnPage(ask({ redirect_uri: `${callbackUrl}\0` }), 400, /redirect_uri/)
  const [event] = await eventsOf(planner.appId)
  assert.match(event?.cause ?? '', /callback\ufffd is not one/)
})

test('refuses and does not store a network’s six hundred and first request in a minute', async () => {
  const flooded = await startApp()
  const visitor = createPlainBrowser(flooded)
  for (let times = 0; times < 600; times++) await visitor.get('/oauth2/authorize')
  const page = await visitor.get('/oauth2/authorize')
  assert.equal(page.status, 429)
  assert.ok(Number(page.headers.get('retry-after')) >= 1)
  assert.match(page.headers.get('content-type') ?? '', /^text\/html/)
})

test('an unwritable log changes no answer: page and redirect are sent as usual', async () => {
  const own = await startApp()
  const dan = await signUp(own, 'Dan')
  const { clientId } = await approvedApp(own, dan)
  await sql`alter table app_event rename to app_event_away`.execute(own.database)
  const asking = (changes: Record<string, string>) =>
    authorizeUrl(own, { client_id: clientId, redirect_uri: callbackUrl, response_type: 'code', ...changes })
  const page = await createPlainBrowser(own).get(asking({ redirect_uri: 'https://bob.example/' }))
  assert.equal(page.status, 400)
  assert.match(readingOf(page), /unknown address/)
  const refusal = await createPlainBrowser(own).get(asking({ response_type: 'token' }))
  assert.match(refusal.location ?? '', /error=unsupported_response_type/)
  const silent = createPlainBrowser(own)
  assert.match((await silent.follow(await silent.get(asking({ prompt: 'none' })))).location ?? '', /login_required/)
  assert.match((await consent(own, dan, asking({}), 'deny')).search, /error=access_denied/)
  await own.writeRefusals()
  assert.ok(own.logged.some((line) => line.includes('failed to record')))
})
