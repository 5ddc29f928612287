import assert from 'node:assert/strict'
import { test } from 'node:test'
import { playgroundCallback } from '@parley/rules/oauth/redirect-uri'
import { approvedApp, callbackUrl } from '../../../test/oauth/approved-app.ts'
import { appPath } from '../../../test/oauth/apps.ts'
import { arrive, authorizeUrl, consent } from '../../../test/oauth/consenting-person.ts'
import { createPlainBrowser, type PlainBrowser, readingOf, type Visit } from '../../../test/oauth/plain-browser.ts'
import { causesOf } from '../../../test/oauth/token-client.ts'
import { meetPeople, type Person, password } from '../../../test/people.ts'
import { expectOk } from '../../../test/replies.ts'
import { startApp } from '../../../test/start-app.ts'

const app = await startApp({ emails: 'dropped' })
const { olga, alice, bob, mallory } = await meetPeople(app)
// Mallory's own app: it was submitted, and not reviewed yet.
const phisher = await approvedApp(app, mallory, { callbackUrls: [callbackUrl] })
const live = await approvedApp(app, olga, { name: 'Reviewed' })

const ask = (changes: Record<string, string> = {}, client_id = phisher.sandboxClientId) =>
  authorizeUrl(app, { client_id, redirect_uri: callbackUrl, response_type: 'code', state: 'abc', ...changes })

const follow = async (address: string, browser = createPlainBrowser(app)) => browser.follow(await browser.get(address))

/** A person who is signed in at a browser and has not been invited yet. */
async function signedIn({ email }: Person): Promise<PlainBrowser> {
  const browser = createPlainBrowser(app)
  const login = await browser.follow(await browser.get(ask({}, live.clientId)))
  assert.equal((await browser.submit(login, { email, password })).status, 303)
  return browser
}

function staysHere({ status, location, text }: Visit, expected: number) {
  assert.deepEqual([status, location], [expected, undefined], text)
  assert.ok(!text.includes(callbackUrl))
}

const wrongRequests: [string, Record<string, string>][] = [
  ['an unknown response type', { response_type: 'bogus' }],
  ['no response type', { response_type: '' }],
  ['a scope that there is not', { scope: 'everything' }],
  ['half of PKCE', { code_challenge: 'x' }],
  ['an unknown prompt', { prompt: 'now' }],
]

test('does not redirect a signed-out person, whatever is wrong with a link of a sandbox client', async () => {
  const wrong = await approvedApp(app, mallory, { name: 'Wrong' })
  for (const [what, changes] of wrongRequests) {
    const page = await follow(ask(changes, wrong.sandboxClientId))
    staysHere(page, 400)
    assert.match(readingOf(page), /The app’s request is wrong/, what)
  }
  const silent = await follow(ask({ prompt: 'none' }, wrong.sandboxClientId))
  staysHere(silent, 403)
  assert.match(readingOf(silent), /Sign in to test this app/)
  // Its developer reads the error all the same.
  const causes = await causesOf(app, wrong)
  assert.equal(causes.filter((cause) => cause.includes('response_type must be code')).length, 1)
})

test('does not redirect Alice, who is signed in and no tester', async () => {
  const browser = await signedIn(alice)
  for (const [, changes] of wrongRequests) staysHere(await follow(ask(changes), browser), 400)
  for (const changes of [{ prompt: 'none' }, {}]) {
    const page = await follow(ask(changes), browser)
    staysHere(page, 403)
    assert.match(readingOf(page), /You are not a tester of this app/)
  }
})

test('redirects the owner with the error, as a live client redirects all people', async () => {
  const browser = await signedIn(mallory)
  const ofOwner = await follow(ask({ response_type: 'bogus' }), browser)
  assert.match(
    ofOwner.location ?? '',
    /^https:\/\/planner\.example\/callback\?error=unsupported_response_type.*state=abc/,
  )
  assert.match((await follow(ask({ prompt: 'none' }), browser)).location ?? '', /error=consent_required/)
  const ofLive = await follow(ask({ response_type: 'bogus' }, live.clientId))
  assert.match(ofLive.location ?? '', /error=unsupported_response_type/)
  assert.match((await follow(ask({ prompt: 'none' }, live.clientId))).location ?? '', /error=login_required/)
})

test('Bob, made a tester without his agreement, is asked first; he may decline, and later accept', async () => {
  const mine = { _id: phisher.appId }
  await expectOk(mallory.send('PUT', appPath(mine, '/testers'), { testers: [bob.email] }))
  const browser = createPlainBrowser(app)
  const asked = await arrive(browser, bob, ask())
  staysHere(asked, 200)
  assert.match(readingOf(asked), /Test Planner\? Mallory Test \(mallory@example\.org\) asks you to test this app/)
  // Before he has answered, neither a wrong link nor prompt=none redirects him.
  for (const [, changes] of wrongRequests) staysHere(await follow(ask(changes), browser), 400)
  staysHere(await follow(ask({ prompt: 'none' }), browser), 200)
  // A consent that is sent before he has answered does not redirect him either.
  const requestId = /name="request" value="([^"]+)"/.exec(asked.text)?.[1] ?? ''
  staysHere(await browser.post('/oauth2/consent', { request: requestId, decision: 'allow', csrf: 'x' }), 403)
  assert.equal((await browser.post('/oauth2/tester', { request: requestId, answer: 'accepted' })).status, 403)
  staysHere(await browser.submit(asked, {}), 400)

  const declined = await browser.submit(asked, { answer: 'declined' })
  staysHere(declined, 200)
  assert.match(readingOf(declined), /You declined/)
  const states = async () => (await expectOk(mallory.send('GET', appPath(mine, '/testers')))).testers
  assert.equal((await states())[0].state, 'declined')

  const again = await follow(ask(), browser)
  const accepted = await browser.submit(again, { answer: 'accepted' })
  const page = await browser.follow(accepted)
  assert.match(readingOf(page), /Allow Planner to use your account\?/)
  assert.equal((await states())[0].state, 'accepted')
  const back = await browser.submit(page, { decision: 'allow' })
  assert.match(back.location ?? '', /^https:\/\/planner\.example\/callback\?code=/)
  // From now on he is redirected like the owner.
  assert.match((await follow(ask({ response_type: 'bogus' }), browser)).location ?? '', /unsupported_response_type/)
  // The page of the invitation is over, and continues to the request.
  const gone = await browser.get(`/oauth2/tester?request=${requestId}`)
  assert.match(gone.location ?? '', /^\/oauth2\/consent/)
})

test('a consent and a declined invitation at the same time leave no live grant', async () => {
  const rival = await approvedApp(app, mallory, { name: 'Rival' })
  await expectOk(mallory.send('PUT', appPath({ _id: rival.appId }, '/testers'), { testers: [alice.email] }))
  const path = `/api/oauth2/tester-invitations/${rival.appId}`
  await expectOk(alice.send('POST', path, { answer: 'accepted' }))
  const browser = createPlainBrowser(app)
  const page = await arrive(browser, alice, ask({}, rival.sandboxClientId))
  await Promise.all([
    browser.submit(page, { decision: 'allow' }),
    expectOk(alice.send('POST', path, { answer: 'declined' })),
  ])
  const grants = await app.database
    .selectFrom('appGrant')
    .select('revokedBecause')
    .where('appId', '=', rival.appId)
    .execute()
  assert.ok(grants.every(({ revokedBecause }) => revokedBecause === 'tester_removed'))
  await expectOk(alice.send('POST', path, { answer: 'accepted' }))
  assert.match((await consent(app, alice, ask({}, rival.sandboxClientId))).search, /code=/)
})

test('the callback of the Playground is built in for the sandbox, and no live client can be sent there', async () => {
  const own = await approvedApp(app, mallory, { name: 'Own' })
  const playground = playgroundCallback(app.config.baseUrl)
  const askThere = (client_id: string) => ask({ redirect_uri: playground }, client_id)
  const back = await consent(app, mallory, askThere(own.sandboxClientId))
  assert.equal(`${back.origin}${back.pathname}`, playground)
  assert.match(String(back.searchParams.get('code')), /^oac_/)
  // The app is as it was: no callback more, no revision for reviewers.
  const revisions = await app.database
    .selectFrom('appRevision')
    .select(['number', 'callbackUrls'])
    .where('appId', '=', own.appId)
    .execute()
  assert.deepEqual(revisions, [{ number: 1, callbackUrls: [callbackUrl] }])

  staysHere(await follow(askThere(live.clientId)), 400)
  await app.database
    .updateTable('appRevision')
    .set({ callbackUrls: [callbackUrl, playground] })
    .where('appId', '=', live.appId)
    .execute()
  staysHere(await follow(askThere(live.clientId)), 400)
})

test('a request to the Playground ends when its client is live', async () => {
  const browser = await signedIn(mallory)
  const page = await follow(ask({ redirect_uri: playgroundCallback(app.config.baseUrl), prompt: 'consent' }), browser)
  assert.equal(page.status, 200, page.text)
  await app.database
    .updateTable('authorizationRequest')
    .set({ clientId: phisher.clientId })
    .where('clientId', '=', phisher.sandboxClientId)
    .execute()
  const answer = await browser.submit(page, { decision: 'allow' })
  staysHere(answer, 400)
})
