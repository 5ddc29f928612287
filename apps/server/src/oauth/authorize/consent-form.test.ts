import assert from 'node:assert/strict'
import { test } from 'node:test'
import scopeSentences from '@parley/texts/en/scopes.json' with { type: 'json' }
import { approvedApp, callbackUrl } from '../../../test/oauth/approved-app.ts'
import { arrive, authorizeUrl, consent } from '../../../test/oauth/consenting-person.ts'
import { createPlainBrowser, hiddenFields, readingOf, type Visit } from '../../../test/oauth/plain-browser.ts'
import { password } from '../../../test/people.ts'
import { publicAddress } from '../../../test/start-app.ts'
import { useApp } from '../../../test/use-app.ts'

const { app, clock, olga, meet } = await useApp({ start: '2030-01-07T09:00:00Z', emails: 'dropped' })
const challenge = 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM'

/** Meet Alice, Carol and Mallory, who use Bob's app. */
async function scene() {
  const [alice, bob, carol, mallory] = await meet('Alice', 'Bob', 'Carol', 'Mallory')
  const planner = await approvedApp(app, bob)
  const ask = (parameters: Record<string, string> = {}, client = planner.clientId) =>
    authorizeUrl(app, {
      client_id: client,
      redirect_uri: callbackUrl,
      response_type: 'code',
      state: 'abc',
      ...parameters,
    })
  const codes = () =>
    app.database
      .selectFrom('authorizationCode as c')
      .innerJoin('appGrant as g', 'g.id', 'c.grantId')
      .innerJoin('app as p', 'p.id', 'g.appId')
      .selectAll('c')
      .where('p.ownerId', '=', bob.profile._id)
      .orderBy('c.createdAt')
      .execute()
  return { alice, bob, carol, mallory, planner, ask, codes }
}

const grantsOf = (appId: string) =>
  app.database.selectFrom('appGrant').selectAll().where('appId', '=', appId).orderBy('id').execute()
const eventsOf = async (appId: string) => {
  await app.writeRefusals()
  return app.database.selectFrom('appEvent').selectAll().where('appId', '=', appId).orderBy('id').execute()
}

/** No code, no grant, and a page without a redirect. */
async function nothingGiven(appId: string, answer: Visit) {
  assert.equal(answer.status, 403, answer.text)
  assert.equal(answer.location, undefined)
  assert.match(readingOf(answer), /This form can’t be accepted/)
  assert.deepEqual(await grantsOf(appId), [])
}

test('Alice allows: code, state and issuer come back; grant, event and audit entry are written', async () => {
  const { alice, bob, ask, codes } = await scene()
  const mine = await approvedApp(app, bob, { name: 'Mine' })
  const before = (await codes()).length
  const back = await consent(app, alice, ask({}, mine.clientId))
  assert.equal(back.origin + back.pathname, callbackUrl)
  assert.deepEqual([...back.searchParams.keys()], ['code', 'state', 'iss'])
  assert.match(back.searchParams.get('code') ?? '', /^oac_[A-Za-z0-9]{49}$/)
  assert.equal(back.searchParams.get('state'), 'abc')
  assert.equal(back.searchParams.get('iss'), publicAddress)

  const [grant] = await grantsOf(mine.appId)
  assert.equal(grant?.accountId, alice.profile._id)
  assert.deepEqual(grant?.apiScopes.toSorted(), ['meeting:create', 'meeting:read', 'user:read'])
  const kept = (await codes()).slice(before)
  assert.equal(kept.length, 1)
  assert.deepEqual(kept[0]?.scopes, ['user:read', 'meeting:read', 'meeting:create'])
  assert.equal(kept[0]?.redirectUri, callbackUrl)
  assert.equal(kept[0]?.codeChallenge, null)
  assert.deepEqual(
    (await eventsOf(mine.appId)).map(({ kind, cause, sandbox }) => ({ kind, cause, sandbox })),
    [{ kind: 'consent_given', cause: 'A user allowed user:read, meeting:read, meeting:create.', sandbox: false }],
  )
  const lines = await app.database
    .selectFrom('auditEntry')
    .selectAll()
    .where('action', '=', 'app.consented')
    .where('actorId', '=', alice.profile._id)
    .execute()
  const scopes = ['user:read', 'meeting:read', 'meeting:create']
  assert.deepEqual(
    lines.map(({ detail }) => detail),
    [{ appId: mine.appId, name: 'Mine', resource: 'api', sandbox: false, scopes }],
  )
})

test('stores the PKCE challenge with the code', async () => {
  const { carol, ask, codes } = await scene()
  const before = (await codes()).length
  await consent(app, carol, ask({ code_challenge: challenge, code_challenge_method: 'S256' }))
  assert.equal((await codes())[before]?.codeChallenge, challenge)
})

test('Deny is access_denied with state and iss, and grants nothing', async () => {
  const { alice, bob, ask } = await scene()
  const mine = await approvedApp(app, bob, { name: 'Denied' })
  const back = await consent(app, alice, ask({}, mine.clientId), 'deny')
  assert.deepEqual(Object.fromEntries(back.searchParams), {
    error: 'access_denied',
    error_description: 'the user denied the request',
    state: 'abc',
    iss: publicAddress,
  })
  assert.deepEqual(await grantsOf(mine.appId), [])
  assert.deepEqual(
    (await eventsOf(mine.appId)).map(({ kind }) => kind),
    ['consent_denied'],
  )
})

test('answers 403 to a consent POST without or with a wrong CSRF token, and issues no code', async () => {
  const { alice, bob, ask } = await scene()
  const mine = await approvedApp(app, bob, { name: 'Forged' })
  const browser = createPlainBrowser(app)
  const page = await arrive(browser, alice, ask({}, mine.clientId))
  const { request = '', csrf = '' } = hiddenFields(page)
  const decision = 'allow'
  const forged: Record<string, string>[] = [
    { request, decision },
    { request, decision, csrf: '' },
    { request, decision, csrf: `${csrf.slice(0, -1)}${csrf.endsWith('A') ? 'B' : 'A'}` },
    { request, decision, csrf: `${csrf}A` },
    { decision, csrf },
    { request: 'x'.repeat(43), decision, csrf },
  ]
  for (const fields of forged) await nothingGiven(mine.appId, await browser.post('/oauth2/consent', fields))
  const twice = [
    ['request', request],
    ['csrf', csrf],
    ['csrf', csrf],
    ['decision', decision],
  ] as const
  await nothingGiven(mine.appId, await browser.post('/oauth2/consent', twice))
})

test('refuses the CSRF token of another form, or of another request', async () => {
  const { alice, bob, ask } = await scene()
  const mine = await approvedApp(app, bob, { name: 'Mixed' })
  const browser = createPlainBrowser(app)
  const page = await arrive(browser, alice, ask({}, mine.clientId))
  const { request = '' } = hiddenFields(page)
  const switching = await browser.get(`/oauth2/account?request=${request}`)
  const elsewhere = await arrive(browser, alice, ask({ state: 'other' }, mine.clientId))
  for (const { csrf = '' } of [hiddenFields(switching), hiddenFields(elsewhere)]) {
    await nothingGiven(mine.appId, await browser.post('/oauth2/consent', { request, csrf, decision: 'allow' }))
  }
})

test("answers 403 to a consent POST with another user's session, and issues no code", async () => {
  const { alice, bob, mallory, ask } = await scene()
  const mine = await approvedApp(app, bob, { name: 'Stolen' })
  const page = await arrive(createPlainBrowser(app), alice, ask({}, mine.clientId))
  const hers = createPlainBrowser(app)
  await arrive(hers, mallory, ask({}, mine.clientId))
  await nothingGiven(mine.appId, await hers.submit(page, { decision: 'allow' }))
  // The same for another session of Alice's, and for none.
  const second = createPlainBrowser(app)
  await arrive(second, alice, ask({}, mine.clientId))
  await nothingGiven(mine.appId, await second.submit(page, { decision: 'allow' }))
  await nothingGiven(mine.appId, await createPlainBrowser(app).submit(page, { decision: 'allow' }))
})

test('grants nothing for a session that has ended since the page was opened', async () => {
  const { bob, carol, ask } = await scene()
  const mine = await approvedApp(app, bob, { name: 'Ended' })
  const browser = createPlainBrowser(app)
  const page = await arrive(browser, carol, ask({}, mine.clientId))
  await app.database.deleteFrom('session').where('accountId', '=', carol.profile._id).execute()
  await nothingGiven(mine.appId, await browser.submit(page, { decision: 'allow' }))
})

test('refuses a form of another origin, and accepts one of our page with Origin null', async () => {
  const { alice, bob, ask } = await scene()
  const mine = await approvedApp(app, bob, { name: 'Framed' })
  const browser = createPlainBrowser(app)
  const page = await arrive(browser, alice, ask({}, mine.clientId))
  const foreign: Record<string, string>[] = [
    { 'sec-fetch-site': 'cross-site', origin: 'null' },
    { 'sec-fetch-site': 'same-site', origin: 'null' },
    { 'sec-fetch-site': 'none' },
    { origin: 'https://evil.example' },
  ]
  for (const headers of foreign) {
    await nothingGiven(mine.appId, await browser.submit(page, { decision: 'allow' }, headers))
  }
  const headers = { 'sec-fetch-site': 'same-origin', origin: 'null' }
  const { status, location } = await browser.submit(page, { decision: 'allow' }, headers)
  assert.equal(status, 303)
  assert.match(location ?? '', /code=/)
})

test('answers a form without a decision with a 400 page', async () => {
  const { alice, bob, ask } = await scene()
  const mine = await approvedApp(app, bob, { name: 'Undecided' })
  const browser = createPlainBrowser(app)
  const page = await arrive(browser, alice, ask({}, mine.clientId))
  for (const fields of [{}, { decision: '' }, { decision: 'yes' }]) {
    assert.equal((await browser.submit(page, fields as Record<string, string>)).status, 400)
  }
  assert.deepEqual(await grantsOf(mine.appId), [])
})

test('lets forms change nothing of the request', async () => {
  const { alice, bob, ask } = await scene()
  const mine = await approvedApp(app, bob, { name: 'Kept' })
  const browser = createPlainBrowser(app)
  const page = await arrive(browser, alice, ask({ scope: 'user:read' }, mine.clientId))
  const changed = { redirect_uri: 'https://evil.example/', scope: 'meeting:create', state: 'x', client_id: 'y' }
  const { location } = await browser.submit(page, { ...changed, decision: 'allow' })
  assert.ok(location?.startsWith(`${callbackUrl}?code=`))
  assert.deepEqual((await grantsOf(mine.appId))[0]?.apiScopes, ['user:read'])
})

test('accepts an answer to a request for 3,600 seconds, not later', async () => {
  const { alice, bob, ask } = await scene()
  const mine = await approvedApp(app, bob, { name: 'Slow' })
  const browser = createPlainBrowser(app)
  const page = await arrive(browser, alice, ask({}, mine.clientId))
  clock.advance(3_600_000 - 1)
  assert.equal((await browser.submit(page, { decision: 'deny' })).status, 303)
  clock.advance(1)
  const late = await browser.submit(page, { decision: 'allow' })
  assert.equal(late.status, 400)
  assert.match(readingOf(late), /This request has expired/)
  assert.deepEqual(await grantsOf(mine.appId), [])
  assert.equal((await browser.get(`/oauth2/consent?request=${hiddenFields(page).request}`)).status, 400)
})

test('skips the consent page for a subset of the granted scopes', async () => {
  const { alice, bob, ask, codes } = await scene()
  const mine = await approvedApp(app, bob, { name: 'Silent' })
  const browser = createPlainBrowser(app)
  await consent(app, alice, ask({ scope: 'user:read meeting:read' }, mine.clientId), 'allow', browser)
  for (const scope of ['user:read meeting:read', 'meeting:read', 'openid user:read']) {
    const visit = await browser.follow(await browser.get(ask({ scope }, mine.clientId)))
    assert.match(visit.location ?? '', /^https:\/\/planner\.example\/callback\?code=/, scope)
  }
  assert.deepEqual((await codes()).at(-1)?.scopes, ['user:read'])
})

test('asks again for scopes beyond the granted ones and marks the new ones; widens the grant, not the code', async () => {
  const { alice, bob, ask, codes } = await scene()
  const mine = await approvedApp(app, bob, { name: 'Wider' })
  const browser = createPlainBrowser(app)
  await consent(app, alice, ask({ scope: 'meeting:read' }, mine.clientId), 'allow', browser)
  const page = await browser.follow(await browser.get(ask({ scope: 'meeting:read meeting:create' }, mine.clientId)))
  assert.equal(page.location, undefined)
  const [, added = '', known = ''] = readingOf(page).split(
    /New: Wider will also be able to:|You have already allowed it to:/,
  )
  assert.ok(added.includes(scopeSentences['meeting:create']) && !added.includes(scopeSentences['meeting:read']))
  assert.ok(known.includes(scopeSentences['meeting:read']))
  await browser.submit(page, { decision: 'allow' })
  const third = await browser.follow(await browser.get(ask({ scope: 'user:read' }, mine.clientId)))
  await browser.submit(third, { decision: 'allow' })
  const grants = await grantsOf(mine.appId)
  assert.equal(grants.length, 1)
  assert.deepEqual(grants[0]?.apiScopes.toSorted(), ['meeting:create', 'meeting:read', 'user:read'])
  assert.deepEqual((await codes()).at(-1)?.scopes, ['user:read'])
})

test("neither Bob's consent counts for Alice, nor the sandbox's for the live app", async () => {
  const { alice, bob, ask } = await scene()
  const mine = await approvedApp(app, bob, { name: 'Apart' })
  await consent(app, alice, ask({}, mine.clientId))
  const page = await arrive(createPlainBrowser(app), bob, ask({}, mine.clientId))
  assert.match(readingOf(page), /Allow Apart to use your account\?/)
  await consent(app, bob, ask({}, mine.sandboxClientId))
  assert.match(readingOf(await arrive(createPlainBrowser(app), bob, ask({}, mine.clientId))), /Allow Apart/)
  assert.deepEqual(
    (await grantsOf(mine.appId)).map(({ sandbox }) => sandbox),
    [false, true],
  )
})

test('prompt=consent asks again whatever was granted', async () => {
  const { alice, ask } = await scene()
  const browser = createPlainBrowser(app)
  await consent(app, alice, ask(), 'allow', browser)
  const page = await browser.follow(await browser.get(ask({ prompt: 'consent' })))
  assert.match(readingOf(page), /Allow Planner to use your account\?/)
  assert.match((await browser.submit(page, { decision: 'allow' })).location ?? '', /code=/)
})

test('prompt=none is login_required, consent_required, or a code', async () => {
  const { alice, bob, ask } = await scene()
  const mine = await approvedApp(app, bob, { name: 'Quietly' })
  const browser = createPlainBrowser(app)
  const quietly = async (scope: string) => {
    const visit = await browser.follow(await browser.get(ask({ prompt: 'none', scope }, mine.clientId)))
    return new URL(visit.location ?? '').searchParams
  }
  const refused = await quietly('user:read')
  assert.equal(refused.get('error'), 'login_required')
  assert.equal(refused.get('state'), 'abc')
  assert.equal(refused.get('iss'), publicAddress)
  await arrive(browser, alice, ask({ scope: 'user:read' }, mine.clientId))
  assert.equal((await quietly('user:read')).get('error'), 'consent_required')
  await consent(app, alice, ask({ scope: 'user:read' }, mine.clientId), 'allow', browser)
  assert.match((await quietly('user:read')).get('code') ?? '', /^oac_/)
  assert.equal((await quietly('meeting:read')).get('error'), 'consent_required')
})

test('a person who is disabled while reading the page grants nothing', async () => {
  const { alice, carol, ask } = await scene()
  const mine = await approvedApp(app, alice, { name: 'Disabled' })
  const browser = createPlainBrowser(app)
  const page = await arrive(browser, carol, ask({}, mine.clientId))
  await olga.send('PUT', `/api/admin/accounts/${carol.profile._id}`, { disabled: true })
  await nothingGiven(mine.appId, await browser.submit(page, { decision: 'allow' }))
})

test('the page names the app, the scopes, the redirect target, and where to revoke access', async () => {
  const { alice, ask } = await scene()
  const page = await arrive(createPlainBrowser(app), alice, ask({ prompt: 'consent', scope: 'user:read meeting:read' }))
  const reading = readingOf(page)
  for (const sentence of [
    'Planner by Bob Test',
    `You are signed in as Alice Test (${alice.email}).`,
    'Not you? Switch account',
    scopeSentences['user:read'],
    scopeSentences['meeting:read'],
    'Home page planner.example (opens in a new tab)',
    'You continue to planner.example',
    'Deny Allow',
    'You can revoke this any time under Connected apps.',
  ]) {
    assert.ok(reading.includes(sentence), `${sentence}\n${reading}`)
  }
  assert.equal(reading.includes(scopeSentences['meeting:create']), false)
  assert.match(page.text, /<button name="decision" value="deny">Deny<\/button>\n<button name="decision" value="allow">/)
  assert.equal(page.text.includes('autofocus'), false)
  assert.equal(reading.includes('This app is being tested'), false)
})

test('shows a banner for the sandbox, and for a callback over plain http', async () => {
  const { bob, ask } = await scene()
  const plain = await approvedApp(app, bob, { name: 'Plain', callbackUrls: ['http://planner.example/callback'] })
  const page = await arrive(
    createPlainBrowser(app),
    bob,
    ask({ redirect_uri: 'http://planner.example/callback' }, plain.sandboxClientId),
  )
  assert.match(readingOf(page), /This app is being tested/)
  assert.match(readingOf(page), /The way back is not encrypted/)
})

test('escapes a developer’s texts on the page', async () => {
  const { alice, bob, ask } = await scene()
  const name = `<b onclick="a">'&amp;`
  const sly = await approvedApp(app, bob, { name })
  await app.database
    .updateTable('appRevision')
    .set({ policyUrl: 'javascript:alert(1)//' })
    .where('appId', '=', sly.appId)
    .execute()
  const page = await arrive(createPlainBrowser(app), alice, ask({}, sly.clientId))
  assert.equal(page.text.includes(name), false)
  assert.equal(page.text.includes('javascript:'), false)
  assert.ok(page.text.includes('&lt;b onclick=&quot;a&quot;&gt;&#39;&amp;amp;'))
})

test('sends the security headers with every page and every redirect', async () => {
  const { alice, ask } = await scene()
  const browser = createPlainBrowser(app)
  const asked = await browser.get(ask({ prompt: 'consent' }))
  const login = await browser.follow(asked)
  const failed = await browser.submit(login, { email: alice.email, password: 'wrong' })
  const signedIn = await browser.submit(login, { email: alice.email, password })
  const page = await browser.follow(signedIn)
  const { request } = hiddenFields(page)
  const account = await browser.get(`/oauth2/account?request=${request}`)
  const violation = await browser.get('/oauth2/authorize')
  const answer = await browser.submit(page, { decision: 'allow' })
  for (const visit of [asked, login, failed, signedIn, page, account, violation, answer]) {
    assert.equal(visit.headers.get('cache-control'), 'no-store')
    assert.equal(visit.headers.get('referrer-policy'), 'no-referrer')
    assert.equal(visit.headers.get('x-frame-options'), 'DENY')
    assert.equal(visit.headers.get('x-content-type-options'), 'nosniff')
    assert.match(visit.headers.get('content-security-policy') ?? '', /default-src 'none'.*frame-ancestors 'none'/)
  }
  for (const visit of [login, failed, page, account, violation]) {
    const policy = visit.headers.get('content-security-policy') ?? ''
    assert.match(policy, /^default-src 'none'; style-src 'sha256-[\w+/]+='; img-src 'self'; base-uri 'none'; frame-anc/)
    assert.equal(policy.includes('form-action'), visit === violation)
    assert.match(visit.text, /^<!doctype html>\n<html lang="en">/)
    const isLogin = visit === login || visit === failed
    // The policy names the one script of the sign-in form by its hash.
    assert.equal(policy.includes('script-src'), isLogin)
    assert.equal(visit.text.split('<script>').length - 1, isLogin ? 1 : 0)
    const rest = visit.text
      .replace('<link rel="icon" href="/favicon.svg" type="image/svg+xml">', '')
      .replace(/<script>[^<]*<\/script>/, '')
    assert.doesNotMatch(rest, /<script|<link|<iframe|\sstyle=|\son\w+=|src="(?!\/oauth2\/logos\/)/)
  }
  assert.deepEqual([signedIn.status, answer.status], [303, 303])
})

test('a tester who is removed while answering grants nothing', async () => {
  const { alice, bob, ask } = await scene()
  const mine = await approvedApp(app, bob, { name: 'Mine' })
  const tester = { emailKey: alice.email, email: alice.email, state: 'accepted', invitedAt: new Date() } as const
  await app.database
    .insertInto('appTester')
    .values({ appId: mine.appId, ...tester })
    .execute()
  const browser = createPlainBrowser(app)
  const page = await arrive(browser, alice, ask({}, mine.sandboxClientId))
  const answering = await app.database.transaction().execute(async (tx) => {
    await tx.selectFrom('app').select('id').where('id', '=', mine.appId).forUpdate().execute()
    await tx.deleteFrom('appTester').where('appId', '=', mine.appId).execute()
    const answer = browser.submit(page, { decision: 'allow' })
    const answered = answer.then(() => true)
    while (!(await Promise.race([answered, isWaiting()])));
    return { answer }
  })
  assert.equal((await answering.answer).status, 403)
  assert.deepEqual(await grantsOf(mine.appId), [])
})

/** Whether a statement on this database waits for a lock. */
async function isWaiting(): Promise<boolean> {
  const { rowCount } = await app.pool.query(
    "select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
  )
  return rowCount !== 0
}
