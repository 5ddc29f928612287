import assert from 'node:assert/strict'
import { test } from 'node:test'
import { permit, submit } from '../../../test/oauth/apps.ts'
import { idOf, linkOf, titleOf } from '../../../test/oauth/assistants.ts'
import { serveDocuments } from '../../../test/oauth/document-server.ts'
import { createPlainBrowser, readingOf } from '../../../test/oauth/plain-browser.ts'
import { meetPeople, type Person, sendRequest, signUp } from '../../../test/people.ts'
import { expectOk } from '../../../test/replies.ts'
import { createClock, startApp } from '../../../test/start-app.ts'
import { registrationPath } from '../token/registration.ts'

/*
 * Clients that no developer has registered, on a service that admits all of them: what they say about themselves is
 * shown nowhere, and no link leads to them, before a reviewer has seen it or the person has allowed it.
 */

const documents = await serveDocuments()
const { fetchDocument } = documents
const clock = createClock('2030-01-01T08:00:00Z')
const app = await startApp({
  clock,
  fetchDocument,
  environment: { AGENT_CLIENTS: 'open', AGENT_REGISTRATION: 'on', RATE_LIMITS: 'off' },
})
const { olga, alice, bob } = await meetPeople(app)

const claimed = 'Famous Calendar'
const claims = {
  client_name: claimed,
  client_uri: 'https://famous.example/',
  logo_uri: 'https://famous.example/logo.png',
  policy_uri: 'https://famous.example/privacy',
}
const evil = 'https://evil.example/callback'
const isClaim = /Famous|famous\.example|<img/

async function registered(redirectUris: string[]): Promise<string> {
  const body = await expectOk(
    sendRequest(app, 'POST', registrationPath, { ...claims, redirect_uris: redirectUris }),
    201,
  )
  return body.client_id
}
const published = (path: string, redirectUris: string[]) =>
  documents.publish(path, { ...claims, redirect_uris: redirectUris })

/** The two kinds, used once by another person, so that both are live without a review. */
async function liveClients(redirectUris: string[], path: string): Promise<{ kind: string; clientId: string }[]> {
  const clients = [
    { kind: 'registered itself', clientId: await registered(redirectUris) },
    { kind: 'has a document', clientId: published(path, redirectUris) },
  ]
  for (const { clientId } of clients) await allow(bob, clientId, redirectUris[0] ?? '')
  return clients
}

function browserOf(person: Person) {
  const browser = createPlainBrowser(app)
  browser.cookies.set('parley_session', person.token)
  return browser
}
const link = (clientId: string, redirectUri: string, changes = {}) =>
  linkOf(app, clientId, { redirect_uri: redirectUri, ...changes })

async function allow(person: Person, clientId: string, redirectUri: string) {
  const browser = browserOf(person)
  const page = await browser.follow(await browser.get(link(clientId, redirectUri)))
  assert.equal(page.status, 200, titleOf(page))
  const { location } = await browser.submit(page, { decision: 'allow' })
  assert.match(location ?? '', /[?&]code=/)
}

test('no page, list or record calls a client by a name that no reviewer has seen', async () => {
  const ann = await signUp(app, 'Ann')
  const idsOf = async () =>
    (await app.pool.query<{ id: string }>('select id from audit_entry')).rows.map(({ id }) => id)
  const earlier = new Set(await idsOf())
  for (const { kind, clientId } of await liveClients([evil], '/names.json')) {
    const host = kind === 'has a document' ? documents.host : 'evil.example'
    const stranger = createPlainBrowser(app)
    const signIn = await stranger.follow(await stranger.get(link(clientId, evil)))
    const refused = await stranger.submit(signIn, { email: ann.email, password: 'wrong password' })
    const browser = browserOf(ann)
    const choice = await browser.follow(await browser.get(link(clientId, evil, { prompt: 'select_account' })))
    const consent = await browser.follow(await browser.get(link(clientId, evil)))
    const wrong = await browser.get(link(clientId, 'https://famous.example/callback'))
    for (const page of [signIn, refused, choice, consent]) assert.ok(page.text.includes(host), `${kind}: ${page.text}`)
    for (const page of [signIn, refused, choice, consent, wrong]) assert.doesNotMatch(page.text, isClaim, kind)
    assert.equal(titleOf(consent), `Allow ${host} to use your account?`)
    assert.match(readingOf(consent), /has not been reviewed/)

    await browser.submit(consent, { decision: 'allow' })
    const { grants } = await expectOk(ann.send('GET', '/api/oauth2/grants'))
    assert.deepEqual(
      [grants[0].app.name, grants[0].app.reviewed, grants[0].app.homepageUrl, grants[0].app.logoUrl],
      [host, false, '', ''],
    )
    await expectOk(ann.send('DELETE', `/api/oauth2/grants/${grants[0]._id}`))
    const { entries } = await expectOk(olga.send('GET', '/api/admin/audit-log'))
    const listed = entries.filter(({ _id }: { _id: string }) => !earlier.has(_id))
    assert.ok(listed.length > 0)
    assert.doesNotMatch(JSON.stringify(listed), isClaim, kind)
    const { rows } = await app.pool.query('select id, detail from audit_entry')
    assert.doesNotMatch(JSON.stringify(rows.filter(({ id }) => !earlier.has(id))), isClaim, kind)
  }
  assert.doesNotMatch(JSON.stringify(await app.mails()), isClaim)
})

test('a program on the device, and one that may send people to several places, is called by none of them', async () => {
  for (const redirectUri of ['http://127.0.0.1:49152/callback', 'com.famous.calendar:/callback']) {
    const clientId = await registered([redirectUri])
    const stranger = createPlainBrowser(app)
    const signIn = await stranger.follow(await stranger.get(link(clientId, redirectUri)))
    assert.match(readingOf(signIn), /to continue to this program/)
    const browser = browserOf(alice)
    const consent = await browser.follow(await browser.get(link(clientId, redirectUri)))
    assert.equal(titleOf(consent), 'Allow this program to use your account?')
    assert.match(readingOf(consent), /A program that registered itself/)
    assert.doesNotMatch(consent.text.replaceAll(/<style>.*?<\/style>/gs, ''), /Famous/)
  }
  const several = await registered(['https://famous.example/callback', evil])
  const browser = browserOf(alice)
  const consent = await browser.follow(await browser.get(link(several, evil)))
  assert.equal(titleOf(consent), 'Allow evil.example to use your account?')
  await browser.submit(consent, { decision: 'allow' })
  const { grants } = await expectOk(alice.send('GET', '/api/oauth2/grants'))
  assert.equal(grants[0].app.name, 'famous.example, evil.example')
})

const wrongRequests: Record<string, Record<string, string>> = {
  'a wrong response_type': { response_type: 'bogus' },
  'no response_type': { response_type: '' },
  'a wrong scope': { scope: 'meeting:steal' },
  'a wrong resource': { resource: 'https://other.example' },
  'no PKCE': { code_challenge: '', code_challenge_method: '' },
  'a wrong prompt': { prompt: 'none login' },
  'prompt=none': { prompt: 'none' },
}
for (const [name, changes] of Object.entries(wrongRequests)) {
  test(`${name} sends nobody to a client that no person has reviewed, before the person has allowed it`, async () => {
    const path = `/errors-${name.replaceAll(/\W/g, '-')}.json`
    for (const { kind, clientId } of await liveClients([evil], path)) {
      for (const browser of [createPlainBrowser(app), browserOf(alice)]) {
        const page = await browser.follow(await browser.get(link(clientId, evil, changes)))
        assert.deepEqual([page.status, page.location], [400, undefined], kind)
        assert.equal(titleOf(page), 'This program can’t be connected this way')
        assert.doesNotMatch(page.text, isClaim)
      }
      // Bob has allowed it.
      const browser = browserOf(bob)
      const back = await browser.follow(await browser.get(link(clientId, evil, changes)))
      assert.ok(back.location?.startsWith(evil), `${kind}: ${back.text}`)
    }
  })
}

test('after a review the client has its name, and errors go back to it', async () => {
  const clientId = await registered([evil])
  await allow(bob, clientId, evil)
  // What AGENT_CLIENTS has approved, a reviewer approves when it changes; as decideReview leaves it.
  await app.database
    .updateTable('app')
    .set({ liveByConfiguration: false })
    .where('id', '=', await idOf(app, clientId))
    .execute()
  const stranger = createPlainBrowser(app)
  const signIn = await stranger.follow(await stranger.get(link(clientId, evil)))
  assert.match(readingOf(signIn), /to continue to Famous Calendar/)
  const wrong = await stranger.get(link(clientId, evil, { response_type: 'bogus' }))
  assert.equal(new URL(wrong.location ?? '').searchParams.get('error'), 'unsupported_response_type')
})

test('the people who try a client before its review are not sent to it by an error either', async () => {
  const reviewing = await startApp({
    clock,
    emails: 'dropped',
    environment: { AGENT_REGISTRATION: 'on', RATE_LIMITS: 'off' },
  })
  const people = await meetPeople(reviewing)
  const { body } = await sendRequest(reviewing, 'POST', registrationPath, { ...claims, redirect_uris: [evil] })
  const browser = createPlainBrowser(reviewing)
  browser.cookies.set('parley_session', people.olga.token)
  const ask = (changes = {}) => linkOf(reviewing, body.client_id, { redirect_uri: evil, ...changes })
  for (const changes of [{ response_type: 'bogus' }, { prompt: 'none' }]) {
    const page = await browser.follow(await browser.get(ask(changes)))
    assert.deepEqual([page.location, page.status >= 400], [undefined, true])
  }
  const trial = await browser.follow(await browser.get(ask()))
  assert.equal(titleOf(trial), 'Allow evil.example to use your account?')
})

test('before sign-in, the sandbox of an app is not called by the name of a draft', async () => {
  const dan = await signUp(app, 'Dan')
  await permit(olga, dan, { oauthEnabled: true })
  const { sandboxClientId } = await submit(dan, { name: 'Famous Diary', callbackUrls: [evil] })
  const stranger = createPlainBrowser(app)
  const signIn = await stranger.follow(await stranger.get(link(sandboxClientId, evil)))
  assert.match(readingOf(signIn), /to continue to .?evil\.example/)
  assert.doesNotMatch(signIn.text, isClaim)
  // Its developer knows the name.
  const browser = browserOf(dan)
  assert.match(titleOf(await browser.follow(await browser.get(link(sandboxClientId, evil)))), /Famous Diary/)
})
