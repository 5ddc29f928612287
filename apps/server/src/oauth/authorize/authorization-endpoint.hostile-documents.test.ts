import assert from 'node:assert/strict'
import { test } from 'node:test'
import { meetDevelopers } from '../../../test/oauth/apps.ts'
import {
  appOf,
  browserOf,
  connect,
  decide,
  idOf,
  linkOf,
  open,
  titleOf,
  waits,
} from '../../../test/oauth/assistants.ts'
import { serveDocuments } from '../../../test/oauth/document-server.ts'
import { signUp } from '../../../test/people.ts'
import { expectOk } from '../../../test/replies.ts'
import { createClock, startApp } from '../../../test/start-app.ts'
import type { PageChecks } from '../../oauth-apps/page-checks.ts'

/*
 * What a hostile document, or many of them, can reach in a running service: nothing new before a review, and little of
 * the reviewers' time.
 */

const documents = await serveDocuments()
const { fetchDocument, host } = documents
const clock = createClock('2030-01-01T08:00:00Z')
const hourMs = 3_600_000

const bytes = Buffer.from('89504e470d0a1a0a', 'hex')
const checkPages: PageChecks = async () => ({ checks: [], logo: { mediaType: 'image/png', bytes } })
const app = await startApp({ clock, fetchDocument, checkPages, environment: { RATE_LIMITS: 'off' } })
const { rita, carol } = await meetDevelopers(app)

test('a document with the name, the pages and the logo of another party is known by its host until it is reviewed', async () => {
  const claims = {
    client_name: 'Famous Assistant',
    client_uri: 'https://famous.example/',
    policy_uri: `https://${host}/privacy`,
    logo_uri: 'https://famous.example/logo.png',
    redirect_uris: ['http://127.0.0.1/callback', 'https://elsewhere.example/callback', `https://${host}/callback`],
  }
  const url = documents.publish('/famous.json', claims)
  await open(app, carol, url)
  await app.mails()
  // A reviewer may try it.
  const trial = await open(app, rita, url)
  assert.equal(titleOf(trial), `Allow ${host} to use your account?`)
  assert.match(trial.text, /What it says about itself has not been reviewed/)
  assert.doesNotMatch(trial.text, /Famous Assistant|famous\.example|\/privacy|<img/)

  const appId = await idOf(app, url)
  const { checks } = await expectOk(rita.send('GET', `/api/oauth2/reviews/${appId}`))
  const ofHosts = (checks as { check: string; field: string; result: string }[])
    .filter(({ check }) => check.endsWith('_host'))
    .map(({ field, result }) => `${field} ${result}`)
  assert.deepEqual(ofHosts, ['callbackUrls/1 noted', 'callbackUrls/2 passed', 'homepageUrl noted', 'policyUrl passed'])
  await expectOk(decide(rita, appId, 'approved'))
  const reviewed = await open(app, carol, url)
  assert.equal(titleOf(reviewed), 'Allow Famous Assistant to use your account?')
  assert.match(reviewed.text, /<img src="\/oauth2\/logos\//)
  assert.match(reviewed.text, /famous\.example/)
})

test('where the configuration approves it, no reviewer has seen its name, logo and pages either', async () => {
  const service = await startApp({
    clock,
    fetchDocument,
    checkPages,
    emails: 'watched',
    environment: { AGENT_CLIENTS: 'open' },
  })
  await signUp(service, 'Olga')
  const frank = await signUp(service, 'Frank')
  const url = documents.publish('/open.json', {
    client_name: 'Famous Assistant',
    client_uri: 'https://famous.example/',
  })
  await open(service, frank, url)
  await service.mails()
  const page = await open(service, frank, url)
  assert.equal(titleOf(page), `Allow ${host} to use your account?`)
  assert.doesNotMatch(page.text, /Famous Assistant|famous\.example|<img/)
  await connect(service, frank, url)
  const { grants } = await expectOk(frank.send('GET', '/api/oauth2/grants'))
  const [{ app: connected }] = grants
  assert.deepEqual([connected.name, connected.clientHost, connected.reviewed], [host, host, false])
  assert.deepEqual([connected.homepageUrl, connected.logoUrl], ['', ''])
})

test('of a document that changes each hour, ten changes a day reach the reviewers; what is live stays', async () => {
  const url = documents.publish('/restless.json', { client_name: 'Restless 0' })
  await open(app, carol, url)
  const appId = await idOf(app, url)
  await expectOk(decide(rita, appId, 'approved'))
  for (let change = 1; change <= 12; change++) {
    documents.publish('/restless.json', { client_name: `Restless ${change}` }, { 'cache-control': 'max-age=0' })
    clock.advance(hourMs)
    await open(app, carol, url)
    await app.mails()
  }
  const revisions = async () =>
    (await app.database.selectFrom('appRevision').select('name').where('appId', '=', appId).execute()).length
  // The first revision counts too.
  assert.equal(await revisions(), 10)
  assert.match((await open(app, carol, url)).text, /Restless 0/)
  assert.equal((await appOf(app, url))?.liveRevision, 1)
  // The next day the newest one is taken.
  clock.advance(14 * hourMs)
  await open(app, carol, url)
  await app.mails()
  const review = await expectOk(rita.send('GET', `/api/oauth2/reviews/${appId}`))
  assert.deepEqual([await revisions(), review.app.name], [11, 'Restless 12'])
})

test('a document that is gone, is no JSON any more, or names another client leaves what was approved in force', async () => {
  const url = documents.publish('/gone.json')
  await open(app, carol, url)
  await expectOk(decide(rita, await idOf(app, url), 'approved'))
  const { body } = await connect(app, carol, url)
  for (const [served, failure] of [
    [{ status: 404, body: '' }, /answers 404/],
    [{ status: 410, body: '' }, /answers 410/],
    [{ body: `${'{"a":'.repeat(500)}1${'}'.repeat(500)}` }, /client_id must be/],
    [{ body: JSON.stringify({ client_id: 'https://other.test/c' }) }, /client_id must be/],
    [{ body: '', headers: { 'content-encoding': 'gzip' } }, /compressed form/],
  ] as const) {
    documents.serve('/gone.json', served)
    clock.advance(hourMs)
    assert.equal((await open(app, carol, url)).status, 200)
    await app.mails()
    const stored = await app.database
      .selectFrom('clientMetadataDocument')
      .select('failure')
      .where('appId', '=', await idOf(app, url))
      .executeTakeFirst()
    assert.match(stored?.failure ?? '', failure)
    assert.equal((await appOf(app, url))?.draftRevision, null)
  }
  assert.equal(typeof body.access_token, 'string')
})

test('two instances that meet a client at the same time make one app of it', async () => {
  const other = await startApp({ beside: app, clock, fetchDocument, environment: { RATE_LIMITS: 'off' } })
  const url = documents.publish('/both.json')
  const pages = await Promise.all([open(app, carol, url), open(other, carol, url)])
  assert.deepEqual(pages.map(titleOf), [waits, waits])
  assert.equal((await app.mails()).length, 2)
  const { submitted } = await app.database
    .selectFrom('appReview')
    .select(({ fn }) => fn.countAll<number>().as('submitted'))
    .where('appId', '=', await idOf(app, url))
    .executeTakeFirstOrThrow()
  assert.equal(submitted, 1)
})

test('a person has 30 first uses a day, also from many networks; others go on', async () => {
  const small = await startApp({
    clock,
    fetchDocument,
    emails: 'dropped',
    environment: { TRUST_PROXY: '127.0.0.1' },
  })
  await signUp(small, 'Olga')
  const [eve, frank] = [await signUp(small, 'Eve'), await signUp(small, 'Frank')]
  const visit = (person: typeof eve, index: number) => {
    const address = linkOf(small, documents.publish(`/flood/${index}.json`))
    return browserOf(small, person).get(address, { 'x-forwarded-for': `198.51.100.${index}` })
  }
  for (let index = 0; index < 30; index++) assert.equal((await visit(eve, index)).status, 303)
  assert.equal((await visit(eve, 30)).status, 429)
  assert.ok(!documents.requested.includes('/flood/30.json'))
  assert.equal((await visit(frank, 30)).status, 303)
})
