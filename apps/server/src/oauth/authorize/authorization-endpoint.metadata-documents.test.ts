import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { calendarApp, meetDevelopers } from '../../../test/oauth/apps.ts'
import {
  appOf,
  browserOf,
  connect,
  decide,
  idOf,
  linkOf,
  open,
  requestOf,
  titleOf,
  waits,
} from '../../../test/oauth/assistants.ts'
import { serveDocuments } from '../../../test/oauth/document-server.ts'
import { createPlainBrowser } from '../../../test/oauth/plain-browser.ts'
import { postForm, tokenPath } from '../../../test/oauth/token-client.ts'
import { useDevelopers } from '../../../test/oauth/use-developers.ts'
import { type Person, signUp } from '../../../test/people.ts'
import { expectOk, expectProblem } from '../../../test/replies.ts'
import { startApp } from '../../../test/start-app.ts'

/*
 * Assistants that no developer has registered: the client_id is the URL of a document. Carol uses them, Rita reviews,
 * Olga administers the service.
 */

const documents = await serveDocuments()
const { fetchDocument, host } = documents
const { app, clock, olga, developers, meet } = await useDevelopers({
  start: '2030-01-01T08:00:00Z',
  fetchDocument,
  emails: 'dropped',
})
const [rita, dan] = await developers('Rita', 'Dan')
const [carol] = await meet('Carol')
/** A job fetches the documents that are due. */
const fetchAgain = () => app.mails()

test('an unknown assistant waits for a review, and works once it is approved', async () => {
  const app = await startApp({ clock, fetchDocument })
  const { olga, rita, dan, carol } = await meetDevelopers(app)
  const url = documents.publish('/waits.json', { client_name: 'Code Assistant' })
  const before = await app.mails()
  const page = await open(app, carol, url)
  assert.deepEqual([page.status, titleOf(page)], [403, waits])
  // Whatever name the document chooses, the page says whose it is.
  assert.match(page.text, new RegExp(`<strong class="host"><bdi dir="ltr">${host}</bdi></strong>`))
  assert.doesNotMatch(page.text, /Code Assistant/)
  assert.deepEqual(documents.requested.filter((path) => path === '/waits.json').length, 1)

  const mails = await app.mails()
  assert.deepEqual(mails.map(({ to }) => to).sort(), [olga.email, rita.email].sort())
  const [mail] = mails
  assert.match(mail?.subject ?? '', new RegExp(`${host}.* waits for your review`))
  const appId = await idOf(app, url)
  assert.ok(mail?.text.includes(`/reviews/${appId}`))
  // The client chooses its name, and our emails carry no text chosen by others.
  assert.ok(!mail?.text.includes('Code Assistant'))
  assert.ok(before.every(({ subject }) => !subject.includes(host)))

  const again = await open(app, dan, url)
  assert.deepEqual([again.status, titleOf(again)], [403, waits])
  assert.deepEqual(await app.mails(), [])

  const review = await expectOk(rita.send('GET', `/api/oauth2/reviews/${appId}`))
  assert.deepEqual(
    [review.registration, review.clientHost, review.owner, review.mayDecide, review.app.status],
    ['metadata_document', host, undefined, true, 'under_review'],
  )
  assert.deepEqual(review.app.callbackUrls, ['http://127.0.0.1/callback', 'https://app.test/callback'])
  assert.equal(review.history[0].by, 'Carol Test')
  await expectOk(decide(rita, appId, 'approved'))

  const body = await expectOk(connect(app, carol, url))
  assert.deepEqual([body.scope, body.expires_in], ['user:read meeting:read', 3_600])
  const profile = await fetch(`${app.base}/api/user/profile`, {
    headers: { authorization: `Bearer ${body.access_token}` },
  })
  assert.equal(profile.status, 200)
  await expectOk(
    postForm(app, tokenPath, {
      grant_type: 'refresh_token',
      refresh_token: body.refresh_token,
      client_id: url,
    }),
  )
})

test('the consent page shows the host of the document, and that the assistant runs on this computer', async () => {
  const url = documents.publish('/consent.json', { client_name: 'Parlour Assistant' })
  await open(app, carol, url)
  await expectOk(decide(rita, await idOf(app, url), 'approved'))
  const page = await open(app, carol, url, { scope: 'meeting:read meeting:create' })
  assert.match(page.text, new RegExp(`<strong class="host"><bdi dir="ltr">${host}</bdi></strong>`))
  assert.match(page.text, /You continue to a program that runs on this computer/)
  assert.match(page.text, /<input type="checkbox" name="scope" value="meeting:create"/)
  assert.doesNotMatch(page.text, /value="meeting:read"|<img|Home page|href=""/)
  const web = await open(app, carol, url, { redirect_uri: 'https://app.test/callback' })
  assert.match(web.text, /You continue to .*app\.test/)
})

test('before its first use by a signed-in person nothing is fetched, and the person signs in first', async () => {
  const url = documents.publish('/first.json')
  const link = linkOf(app, url, { state: 'ä &=' })
  const { status, location = '' } = await createPlainBrowser(app).get(link)
  assert.equal(status, 303)
  const { pathname, searchParams } = new URL(location, app.config.baseUrl)
  assert.equal(pathname, '/sign-in')
  assert.deepEqual(
    [...new URL(searchParams.get('next') ?? '', app.config.baseUrl).searchParams],
    [...new URL(link).searchParams],
  )
  // A cross-site form arrives without the session, and returns by GET.
  const posted = await createPlainBrowser(app).post('/oauth2/authorize', requestOf(url))
  assert.match(posted.location ?? '', /^\/sign-in\?next=%2Foauth2%2Fauthorize%3F/)
  assert.equal(await appOf(app, url), undefined)
  assert.ok(!documents.requested.includes('/first.json'))
})

test('people who decide about apps try an assistant at once, for seven days; a rejection ends that', async () => {
  const url = documents.publish('/trial.json')
  for (const person of [rita, olga]) {
    const page = await open(app, person, url)
    assert.match(page.text, /Not reviewed yet/)
  }
  const body = await expectOk(connect(app, rita, url))
  const appId = await idOf(app, url)
  const grant = await app.database
    .selectFrom('appGrant')
    .select(['expiresAt', 'sandbox'])
    .where('appId', '=', appId)
    .executeTakeFirstOrThrow()
  assert.deepEqual(grant, { expiresAt: new Date(clock.now().getTime() + 7 * 86_400_000), sandbox: false })
  assert.equal(titleOf(await open(app, carol, url)), waits)

  await expectOk(decide(olga, appId, 'rejected', [{ code: 'misleading' }]))
  const profile = await fetch(`${app.base}/api/user/profile`, {
    headers: { authorization: `Bearer ${body.access_token}` },
  })
  assert.equal(profile.status, 401)
  for (const person of [carol, rita]) {
    const page = await open(app, person, url)
    assert.deepEqual([page.status, titleOf(page)], [403, 'This app was not approved'])
  }
})

test('a document that changes after the approval waits as a new revision; what was approved stays in force', async () => {
  const app = await startApp({ clock, fetchDocument })
  const { rita, carol } = await meetDevelopers(app)
  const hour = { 'cache-control': 'max-age=3600' }
  const url = documents.publish('/changes.json', { client_name: 'Calm Assistant' }, hour)
  await open(app, carol, url)
  const appId = await idOf(app, url)
  await expectOk(decide(rita, appId, 'approved'))
  const changed = { client_name: 'Stormy Assistant', redirect_uris: ['https://app.test/stolen'] }
  documents.publish('/changes.json', changed, hour)

  // Within the hour nothing is fetched again.
  const requests = () => documents.requested.filter((path) => path === '/changes.json').length
  clock.advance(3_599_000)
  await open(app, carol, url)
  await app.mails()
  assert.equal(requests(), 1)
  clock.advance(1_000)
  await open(app, carol, url)
  await open(app, carol, url)
  const mails = await app.mails()
  assert.equal(mails.length, 2)
  for (const { text } of mails) {
    assert.match(text, /has changed\. What was approved stays in force until you decide/)
    assert.doesNotMatch(text, /no one can use it/)
  }
  assert.equal(requests(), 2)

  const page = await open(app, carol, url)
  assert.match(page.text, /Calm Assistant/)
  await expectOk(connect(app, carol, url))
  const stolen = await open(app, carol, url, { redirect_uri: 'https://app.test/stolen' })
  assert.deepEqual([stolen.status, stolen.location], [400, undefined])

  const review = await expectOk(rita.send('GET', `/api/oauth2/reviews/${appId}`))
  assert.deepEqual([review.revision, review.app.name, review.app.liveRevision], [2, 'Stormy Assistant', 1])
  assert.deepEqual(
    review.differences.map(({ field }: { field: string }) => field),
    ['name', 'callbackUrls'],
  )
  assert.equal(review.history.at(-1).by, '')
  await expectOk(decide(rita, appId, 'approved'))
  assert.match(
    (await open(app, carol, url, { redirect_uri: 'https://app.test/stolen', prompt: 'consent' })).text,
    /Stormy Assistant/,
  )
  assert.equal((await open(app, carol, url)).status, 400)
})

test('a change that is taken back withdraws its revision', async () => {
  const url = documents.publish('/back.json', { client_name: 'Steady Assistant' })
  await open(app, carol, url)
  const appId = await idOf(app, url)
  await expectOk(decide(rita, appId, 'approved'))
  for (const name of ['Fickle Assistant', 'Steady Assistant']) {
    documents.publish('/back.json', { client_name: name })
    clock.advance(3_600_000)
    await open(app, carol, url)
    await fetchAgain()
  }
  const { status, liveRevision, draftRevision } = (await appOf(app, url)) ?? {}
  assert.deepEqual([status, liveRevision, draftRevision], ['approved', 1, null])
})

test('while the document cannot be fetched, or is invalid, the stored copy is used', async () => {
  const url = documents.publish('/gone.json')
  await open(app, carol, url)
  await expectOk(decide(rita, await idOf(app, url), 'approved'))
  const failures = [
    { status: 500, body: '' },
    { body: '<html>' },
    { headers: { location: '/changes.json' }, status: 302, body: '' },
  ]
  for (const failure of failures) {
    documents.serve('/gone.json', failure)
    clock.advance(3_600_000)
    assert.equal((await open(app, carol, url)).status, 200)
    await fetchAgain()
    const requests = documents.requested.length
    // For five minutes it is left alone.
    clock.advance(299_000)
    await expectOk(connect(app, carol, url))
    await fetchAgain()
    assert.equal(documents.requested.length, requests)
  }
  const stored = await app.database
    .selectFrom('clientMetadataDocument')
    .select('failure')
    .where('appId', '=', await idOf(app, url))
    .executeTakeFirst()
  assert.match(stored?.failure ?? '', /redirects/)
})

test('a suspended assistant stops at once, also with the tokens that it has', async () => {
  const url = documents.publish('/stopped.json')
  await open(app, carol, url)
  const appId = await idOf(app, url)
  await expectOk(decide(rita, appId, 'approved'))
  const { body } = await connect(app, carol, url)
  await expectOk(olga.send('POST', `/api/oauth2/apps/${appId}/suspend`, {}))
  assert.equal(titleOf(await open(app, carol, url)), 'This app is suspended')
  const profile = () =>
    fetch(`${app.base}/api/user/profile`, { headers: { authorization: `Bearer ${body.access_token}` } })
  assert.equal((await profile()).status, 401)
  const refresh = { grant_type: 'refresh_token', refresh_token: body.refresh_token, client_id: url }
  assert.deepEqual((await postForm(app, tokenPath, refresh)).body.error, 'unauthorized_client')
  await expectOk(olga.send('POST', `/api/oauth2/apps/${appId}/resume`))
  assert.equal((await profile()).status, 200)
})

test('an assistant is listed for administrators by its host, and is no developer’s', async () => {
  const url = documents.publish('/listed.json', { client_name: 'Listed Assistant' })
  await open(app, carol, url)
  const appId = await idOf(app, url)
  const { apps } = await expectOk(olga.send('GET', `/api/admin/apps?q=${encodeURIComponent(host)}`))
  const listed = apps.find(({ _id }: { _id: string }) => _id === appId)
  assert.deepEqual([listed.registration, listed.clientHost, listed.owner], ['metadata_document', host, undefined])
  await expectOk(olga.send('GET', `/api/admin/apps/${appId}`))
  const { reviews } = await expectOk(rita.send('GET', '/api/oauth2/reviews'))
  assert.ok(reviews.some((review: { appId: string }) => review.appId === appId))
  await expectProblem(dan.send('GET', `/api/oauth2/apps/${appId}`), 'app_not_found')
  // Its name is no obstacle to a developer: anyone can publish a document with any name.
  await expectOk(dan.send('POST', '/api/oauth2/apps', calendarApp({ name: 'Listed Assistant' })), 201)
})

test('refuses URLs and documents with the cause, and makes no app of them', async () => {
  const appCount = async () =>
    (
      await app.database
        .selectFrom('app')
        .select(({ fn }) => fn.countAll<number>().as('count'))
        .executeTakeFirstOrThrow()
    ).count
  const before = await appCount()
  documents.serve('/html.json', { headers: { 'content-type': 'text/html' }, body: '<html>' })
  const other = documents.publish('/other.json', { client_id: 'https://claude.ai/oauth/client.json' })
  for (const [clientId, status, title, detail] of [
    [`https://${host}/`, 400, 'The address of this app can’t be used', 'client_id must have a path'],
    [`http://${host}/c`, 400, 'The address of this app can’t be used', 'client_id must begin with https://'],
    [`https://${host}/html.json`, 400, 'The description of this app can’t be used', 'not served as application/json'],
    [`https://${host}/none.json`, 400, 'The description of this app can’t be used', 'answers 404'],
    [other, 400, 'The description of this app can’t be used', 'client_id must be the address of the document'],
    ['https://inside.test/c', 400, 'The description of this app can’t be used', 'leads to a private address'],
  ] as const) {
    const page = await open(app, carol, clientId)
    assert.deepEqual([page.status, titleOf(page), page.location], [status, title, undefined])
    assert.ok(page.text.includes(detail), `${clientId}: ${page.text}`)
  }
  assert.equal(await appCount(), before)
})

test('a refused document is not fetched again for half a minute', async () => {
  documents.serve('/wrong.json', { body: '{}' })
  const url = `https://${host}/wrong.json`
  const requests = () => documents.requested.filter((path) => path === '/wrong.json').length
  for (let visit = 0; visit < 3; visit++) assert.equal((await open(app, carol, url)).status, 400)
  clock.advance(29_999)
  await open(app, carol, url)
  assert.equal(requests(), 1)
  clock.advance(1)
  documents.publish('/wrong.json')
  assert.equal(titleOf(await open(app, carol, url)), waits)
  assert.equal(requests(), 2)
})

test('people who use an assistant first at the same time cause one fetch, one app and one email each', async () => {
  const url = documents.publish('/crowd.json')
  const pages = await Promise.all(Array.from({ length: 8 }, () => open(app, carol, url)))
  for (const page of pages) assert.equal(titleOf(page), waits)
  assert.equal(documents.requested.filter((path) => path === '/crowd.json').length, 1)
  const appId = await idOf(app, url)
  const { mailed } = await app.database
    .selectFrom('appReview')
    .select(({ fn }) => fn.countAll<number>().as('mailed'))
    .where('appId', '=', appId)
    .executeTakeFirstOrThrow()
  assert.equal(mailed, 1)
})

test('a network has 20 first uses an hour; known assistants go on', async () => {
  const small = await startApp({ clock, fetchDocument, emails: 'dropped' })
  await signUp(small, 'Olga')
  const eve = await signUp(small, 'Eve')
  const browser = browserOf(small, eve)
  const visit = (path: string) => browser.get(linkOf(small, documents.publish(path)))
  for (let index = 0; index < 20; index++) assert.equal((await visit(`/many/${index}.json`)).status, 303)
  const beyond = await visit('/many/20.json')
  assert.deepEqual([beyond.status, beyond.headers.get('retry-after') !== null], [429, true])
  assert.ok(!documents.requested.includes('/many/20.json'))
  assert.equal((await visit('/many/0.json')).status, 303)
})

test('one site with seven accounts does not use up the first uses of other people', async () => {
  const environment = { TRUST_PROXY: '127.0.0.1' }
  const service = await startApp({ clock, fetchDocument, emails: 'dropped', environment })
  await signUp(service, 'Olga')
  const honest = await signUp(service, 'Carol')
  const accounts = await Promise.all(Array.from({ length: 7 }, (_, index) => signUp(service, `Eve${index}`)))
  const statuses: number[] = []
  for (let index = 0; index < 210; index++) {
    const [account = honest] = accounts.slice(index % 7)
    const url = index % 2 === 0 ? documents.publish(`/site/${index}.json`) : `https://${host}/site/none-${index}.json`
    const from = { 'x-forwarded-for': `2001:db8:1:${index % 10}::1` }
    statuses.push((await browserOf(service, account).get(linkOf(service, url), from)).status)
  }
  assert.equal(statuses.filter((status) => status !== 429).length, 20)
  // Neighbours under other prefixes are not held up, and neither are other networks.
  for (const [index, address] of ['192.0.2.1', '2001:db8:2::1'].entries()) {
    const url = documents.publish(`/honest/${index}.json`)
    const { status } = await browserOf(service, honest).get(linkOf(service, url), { 'x-forwarded-for': address })
    assert.equal(status, 303, address)
  }
})

test('documents that do not arrive hold up neither other people nor those who ask for the same document', async () => {
  const hanging = Promise.withResolvers<Awaited<ReturnType<typeof fetchDocument>>>()
  const asked: string[] = []
  const slow = (url: string, etag?: string | null) => {
    asked.push(url)
    return url.includes('hangs') ? hanging.promise : fetchDocument(url, etag)
  }
  const environment = { TRUST_PROXY: '127.0.0.1' }
  const service = await startApp({ clock, fetchDocument: slow, emails: 'dropped', environment })
  await signUp(service, 'Olga')
  const [eve, carol] = [await signUp(service, 'Eve'), await signUp(service, 'Carol')]
  const visit = (person: Person, url: string, address: string) =>
    browserOf(service, person).get(linkOf(service, url), { 'x-forwarded-for': address })
  const site = (index: number) => `https://s${index}.hangs.example/c.json`
  const flood = Array.from({ length: 12 }, (_, index) => visit(eve, site(index), '198.51.100.1'))
  const wanted = documents.publish('/wanted.json')
  try {
    while (asked.length < 4) await sleep(5)
    flood.push(visit(eve, wanted, '198.51.100.1'))
    await sleep(50)
    assert.equal((await visit(carol, wanted, '192.0.2.1')).status, 303)
    // A site has four at a time: the others of the flood wait for these.
    assert.equal(asked.length, 5)
  } finally {
    hanging.resolve({ kind: 'refused', cause: 'It did not answer.' })
    await Promise.all(flood)
  }
})

test('reviewers hear of a submission after other people have used up the emails of the day', async () => {
  const service = await startApp({ clock, fetchDocument })
  const people = await meetDevelopers(service)
  const reviewers = [people.olga.email, people.rita.email].sort()
  const submitted = async (person: Person, path: string) => {
    await open(service, person, documents.publish(path))
    return (await service.mails()).map(({ to }) => to).sort()
  }
  const eve = people.eve
  for (let index = 0; index < 3; index++) assert.deepEqual(await submitted(eve, `/mails/eve-${index}.json`), reviewers)
  assert.deepEqual(await submitted(eve, '/mails/eve-3.json'), [])
  // What one person submits takes three of the ten emails at most.
  assert.deepEqual(await submitted(people.carol, '/mails/carol.json'), reviewers)
  for (let index = 0; index < 6; index++) {
    const other = await signUp(service, `Mallory${index}`)
    assert.deepEqual(await submitted(other, `/mails/mallory-${index}.json`), reviewers)
  }
  assert.deepEqual(await submitted(people.dan, '/mails/dan.json'), [])

  // The first submission without an email of its own decides when one for all follows.
  const dueAt = async () => {
    const { rows } = await service.pool.query<{ dueInMs: number }>(
      `select extract(epoch from run_at - created_at)::float8 * 1000 as "dueInMs" from graphile_worker.jobs
       where task_identifier = 'mail-waiting-clients'`,
    )
    return rows.map(({ dueInMs }) => Math.round(dueInMs / 1000))
  }
  assert.deepEqual(await dueAt(), [3_600])
  await service.pool.query(
    `update graphile_worker._private_jobs set run_at = now()
     where task_id = (select id from graphile_worker._private_tasks where identifier = 'mail-waiting-clients')`,
  )
  const gathered = await service.mails()
  assert.deepEqual(gathered.map(({ to }) => to).sort(), reviewers)
  for (const { subject, text } of gathered) {
    assert.equal(subject, 'Assistants that wait for your review: 12')
    assert.match(text, /\/reviews\b/)
  }
  assert.deepEqual(await dueAt(), [])
})

for (const [policy, listed, other] of [
  ['off', 'Apps like this aren’t allowed here', 'Apps like this aren’t allowed here'],
  ['listed', `Allow ${host} to use your account?`, 'Apps like this aren’t allowed here'],
  ['reviewed', `Allow ${host} to use your account?`, waits],
  ['open', `Allow ${host} to use your account?`, `Allow ${host} to use your account?`],
] as const) {
  test(`AGENT_CLIENTS=${policy}`, async () => {
    const start = (hosts: string) =>
      startApp({
        clock,
        fetchDocument,
        emails: 'dropped',
        environment: { AGENT_CLIENTS: policy, AGENT_CLIENT_HOSTS: hosts },
      })
    for (const [hosts, title] of [
      [host, listed],
      ['elsewhere.example', other],
    ] as const) {
      const service = await start(hosts)
      const administrator = await signUp(service, 'Olga')
      const frank = await signUp(service, 'Frank')
      const url = documents.publish('/policy.json')
      assert.equal(titleOf(await open(service, frank, url)), title)
      if (title.startsWith('Allow')) {
        await expectOk(connect(service, frank, url))
        // What no reviewer has seen is in no queue, and its changes need no review either.
        assert.deepEqual((await expectOk(administrator.send('GET', '/api/oauth2/reviews'))).reviews, [])
      } else assert.equal((await appOf(service, url)) === undefined, title !== waits)
      await service.close()
    }
  })
}
