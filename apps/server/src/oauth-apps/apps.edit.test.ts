import assert from 'node:assert/strict'
import { test } from 'node:test'
import { appPath, approvedApp, calendarApp, decide, misleading, reviewPath, submit } from '../../test/oauth/apps.ts'
import { useDevelopers } from '../../test/oauth/use-developers.ts'
import type { Person } from '../../test/people.ts'
import { expectOk, expectProblem } from '../../test/replies.ts'
import { findClient } from './client-store.ts'

const { app, olga, developers } = await useDevelopers({ emails: 'dropped' })

let made = 0

/** An app whose name differs from the others in more than one letter. */
const named = (changes: object = {}) => calendarApp({ name: `Planner ${++made} ${'x'.repeat(made)}`, ...changes })

const edit = (dan: Person, one: { _id: string }, fields: object) => expectOk(dan.send('PUT', appPath(one), fields))
const live = (dan: Person, one: { _id: string }) => expectOk(dan.send('GET', `${appPath(one)}?revision=live`))
const draft = (dan: Person, one: { _id: string }) => expectOk(dan.send('GET', `${appPath(one)}?revision=draft`))

test('keeps a live app unchanged while its new name, page and added callback wait', async () => {
  const [rita, dan] = await developers('Rita', 'Dan')
  const fields = named()
  const before = await approvedApp(dan, rita, fields)
  const callbackUrls = [...fields.callbackUrls, 'https://acme.example/third']
  const changes = { ...fields, name: 'Planner renamed', homepageUrl: 'https://acme.example/home', callbackUrls }
  const after = await edit(dan, before, changes)
  assert.deepEqual(
    [after.status, after.draftStatus, after.liveRevision, after.draftRevision, after.name, after.clientId],
    ['approved', 'under_review', 1, 2, 'Planner renamed', before.clientId],
  )
  const lives = await live(dan, before)
  assert.deepEqual(
    [lives.status, lives.name, lives.callbackUrls, lives.reasons],
    ['approved', fields.name, fields.callbackUrls, []],
  )

  await expectOk(decide(rita, before, 'rejected', misleading))
  assert.deepEqual([(await live(dan, before)).status, (await draft(dan, before)).draftStatus], ['approved', 'rejected'])
  assert.deepEqual((await draft(dan, before)).reasons, misleading)

  await expectOk(dan.send('POST', appPath(before, '/submit')))
  const approved = await expectOk(decide(rita, before, 'approved'))
  assert.deepEqual(
    [approved.status, approved.liveRevision, approved.draftRevision, approved.name, approved.callbackUrls],
    ['approved', 2, undefined, 'Planner renamed', callbackUrls],
  )
  assert.equal(approved.clientId, before.clientId)
})

test('applies removed callbacks and scopes, switches and the use case at once', async () => {
  const [rita, dan] = await developers('Rita', 'Dan')
  const fields = named()
  const before = await approvedApp(dan, rita, fields)
  const changes = {
    ...fields,
    callbackUrls: ['https://acme.example/other'],
    scopes: ['user:read'],
    useCase: 'other',
    requirePkce: true,
    sendIss: false,
  }
  const { status, draftRevision, ...after } = await edit(dan, before, changes)
  assert.deepEqual([status, draftRevision], ['approved', undefined])
  const { checks, modifiedOn, ...rest } = after
  assert.deepEqual(rest, { ...pick(before), ...changes })
})

const pick = ({ checks, modifiedOn, status, draftRevision, ...rest }: Record<string, unknown>) => rest

test('applies the removals of a mixed edit at once, and the rest after the review', async () => {
  const [rita, dan] = await developers('Rita', 'Dan')
  const fields = named()
  const before = await approvedApp(dan, rita, fields)
  const changes = { ...fields, callbackUrls: ['https://acme.example/callback', 'https://acme.example/new'] }
  const after = await edit(dan, before, changes)
  assert.deepEqual(
    [after.status, after.draftStatus, after.callbackUrls],
    ['approved', 'under_review', changes.callbackUrls],
  )
  assert.deepEqual((await live(dan, before)).callbackUrls, ['https://acme.example/callback'])
})

test('keeps an app approved after an edit without changes, and after one that withdraws a draft', async () => {
  const [rita, dan] = await developers('Rita', 'Dan')
  const fields = named()
  const before = await approvedApp(dan, rita, fields)
  assert.deepEqual(
    [(await edit(dan, before, fields)).status, (await edit(dan, before, fields)).draftRevision],
    ['approved', undefined],
  )
  await edit(dan, before, { ...fields, description: 'Something else' })
  const after = await edit(dan, before, fields)
  assert.deepEqual([after.status, after.draftRevision, after.liveRevision], ['approved', undefined, 1])
  const { history } = await expectOk(rita.send('GET', reviewPath(before)))
  assert.equal(history.at(-1).decision, 'withdrawn')
  await expectProblem(dan.send('POST', appPath(before, '/submit')), 'nothing_to_submit')
})

test('keeps fields that a request omits', async () => {
  const [rita, dan] = await developers('Rita', 'Dan')
  const fields = named({ requirePkce: true, sendIss: false })
  const before = await approvedApp(dan, rita, fields)
  const { description, requirePkce, sendIss, ...sent } = fields as ReturnType<typeof named> & Record<string, unknown>
  const after = await edit(dan, before, sent)
  assert.deepEqual([after.description, after.requirePkce, after.sendIss], [description, true, false])
})

test('keeps a saved change waiting until its submission', async () => {
  const [rita, dan] = await developers('Rita', 'Dan')
  const fields = named()
  const before = await approvedApp(dan, rita, fields)
  const saved = await edit(dan, before, { ...fields, description: 'Better', draft: true })
  assert.deepEqual([saved.status, saved.draftStatus, saved.draftRevision], ['approved', 'draft', 2])
  // A draft stays one until its developer submits it.
  const again = await edit(dan, before, { ...fields, description: 'Best' })
  assert.deepEqual([again.draftStatus, again.draftRevision, again.description], ['draft', 2, 'Best'])
  await expectProblem(decide(rita, before, 'approved'), 'nothing_to_decide')
  const seen = await expectOk(rita.send('GET', reviewPath(before)))
  assert.deepEqual([seen.revision, seen.app.status, seen.app.description], [1, 'approved', fields.description])

  const submitted = await edit(dan, before, { ...fields, description: 'Best', draft: false })
  assert.deepEqual([submitted.draftStatus, submitted.draftRevision], ['under_review', 2])
})

test('an edit under review gives reviewers a new revision, and outdates theirs', async () => {
  const [rita, dan] = await developers('Rita', 'Dan')
  const fields = named()
  const before = await submit(dan, fields)
  const after = await edit(dan, before, { ...fields, description: 'Second thoughts' })
  assert.deepEqual([after.status, after.draftRevision], ['under_review', 2])
  const outdated = rita.send('POST', reviewPath(before), { decision: 'approved', revision: 1 })
  await expectProblem(outdated, 'review_changed')
  await expectOk(rita.send('POST', reviewPath(before), { decision: 'approved', revision: 2 }))
  assert.equal((await live(dan, before)).description, 'Second thoughts')
})

test('saving an app under review withdraws it from review', async () => {
  const [rita, dan] = await developers('Rita', 'Dan')
  const fields = named()
  const before = await submit(dan, fields)
  assert.equal((await edit(dan, before, { ...fields, draft: true })).status, 'draft')
  await expectProblem(rita.send('GET', reviewPath(before)), 'review_not_found')
  await expectProblem(decide(rita, before, 'approved'), 'review_not_found')
  assert.equal((await edit(dan, before, { ...fields, draft: false })).status, 'under_review')
})

test('submits an edit of a rejected app; the reasons stay while it is only saved', async () => {
  const [rita, dan] = await developers('Rita', 'Dan')
  const fields = named()
  const before = await submit(dan, fields)
  await expectOk(decide(rita, before, 'rejected', misleading))
  const saved = await edit(dan, before, { ...fields, description: 'Fixed', draft: true })
  assert.deepEqual([saved.status, saved.reasons, saved.draftRevision], ['rejected', misleading, 2])
  // Reviewers still see the revision that they rejected.
  assert.equal((await expectOk(rita.send('GET', reviewPath(before)))).revision, 1)
  const submitted = await edit(dan, before, { ...fields, description: 'Fixed' })
  assert.deepEqual([submitted.status, submitted.reasons], ['under_review', []])
})

test('approves a held app as reviewed when its developer has saved another change', async () => {
  const [rita, dan] = await developers('Rita', 'Dan')
  const fields = named()
  const before = await submit(dan, fields)
  await expectOk(decide(rita, before, 'on_hold', misleading))
  await edit(dan, before, { ...fields, description: 'Unfinished', draft: true })
  await expectOk(decide(rita, before, 'approved'))
  const [now, next] = [await live(dan, before), await draft(dan, before)]
  assert.deepEqual([now.status, now.description], ['approved', fields.description])
  assert.deepEqual([next.draftStatus, next.description, next.draftRevision], ['draft', 'Unfinished', 2])
})

test('refuses to change or submit a suspended app', async () => {
  const [rita, dan] = await developers('Rita', 'Dan')
  const fields = named()
  const before = await approvedApp(dan, rita, fields)
  await expectOk(olga.send('POST', appPath(before, '/suspend'), {}))
  await expectProblem(dan.send('PUT', appPath(before), fields), 'wrong_app_state')
  await expectProblem(dan.send('POST', appPath(before, '/submit')), 'wrong_app_state')
})

test('requires a changed name to be distinguishable as well', async () => {
  const [rita, dan, eve] = await developers('Rita', 'Dan', 'Eve')
  const [mine, other] = [named(), named()]
  const before = await approvedApp(dan, rita, mine)
  await submit(eve, other)
  await expectProblem(dan.send('PUT', appPath(before), { ...mine, name: other.name }), 'app_name_taken')
  // Another developer may not take the name that an app has requested either.
  await edit(dan, before, { ...mine, name: 'Wanted next' })
  await expectProblem(eve.send('POST', '/api/oauth2/apps', calendarApp({ name: 'Wanted next' })), 'app_name_taken')
})

test('leaves the app as it was when a rule is broken', async () => {
  const [rita, dan] = await developers('Rita', 'Dan')
  const fields = named()
  const before = await approvedApp(dan, rita, fields)
  await expectProblem(dan.send('PUT', appPath(before), { ...fields, callbackUrls: ['https://[::1]/'] }), 'invalid_app')
  assert.deepEqual(pick(await live(dan, before)), pick(before))
})

test('neither of two simultaneous edits is lost unnoticed', async () => {
  const [rita, dan] = await developers('Rita', 'Dan')
  const fields = named()
  const before = await approvedApp(dan, rita, fields)
  const answers = await Promise.all(
    ['one', 'two', 'three'].map((description) => dan.send('PUT', appPath(before), { ...fields, description })),
  )
  const taken = answers.filter(({ status }) => status === 200)
  assert.ok(taken.length > 0)
  for (const { status, body } of answers) assert.ok(status === 200 || body.code === 'wrong_app_state', body.code)
  const now = await draft(dan, before)
  assert.ok(taken.some(({ body }) => body.description === now.description))
})

test('stores notes for reviewers without a review, and keeps the reply to their reasons in the history', async () => {
  const [rita, dan] = await developers('Rita', 'Dan')
  const fields = named()
  const before = await approvedApp(dan, rita, fields)
  const expected = {
    reviewNotes: ' Sign in as test@acme.example. ',
    scopeReasons: { 'user:read': 'To greet people', 'meeting:read': ' ' },
  }
  const noted = await edit(dan, before, { ...fields, ...expected })
  assert.deepEqual([noted.status, noted.draftRevision], ['approved', undefined])
  assert.deepEqual(noted.reviewNotes, 'Sign in as test@acme.example.')
  assert.deepEqual(noted.scopeReasons, { 'user:read': 'To greet people' })
  // Omitted fields stay.
  const changed = await edit(dan, before, { ...fields, description: 'Better' })
  assert.deepEqual([changed.reviewNotes, changed.scopeReasons], [noted.reviewNotes, noted.scopeReasons])

  await expectOk(decide(rita, before, 'on_hold', misleading))
  const answered = await expectOk(
    dan.send('POST', appPath(before, '/submit'), { answer: ' It is one: see the home page. ' }),
  )
  assert.deepEqual([answered.status, answered.draftStatus, answered.reasons], ['approved', 'under_review', []])
  await expectOk(decide(rita, before, 'rejected', misleading))
  await edit(dan, before, { ...fields, description: 'Clearer', answer: 'I have changed the words.' })
  const { history, app: shown } = await expectOk(rita.send('GET', reviewPath(before)))
  assert.deepEqual(
    history
      .filter(({ answer }: { answer?: string }) => answer !== undefined)
      .map(({ answer }: { answer: string }) => answer),
    ['It is one: see the home page.', 'I have changed the words.'],
  )
  assert.equal(shown.reviewNotes, noted.reviewNotes)
})

test('limits each note for reviewers, and refuses it by its own field', async () => {
  const [dan] = await developers('Dan')
  const fields = named()
  const before = await submit(dan, fields)
  const wrong = {
    reviewNotes: 'x'.repeat(2_001),
    scopeReasons: { 'user:read': 'x'.repeat(501) },
    answer: 'x'.repeat(2_001),
  }
  const { errors } = await expectProblem(dan.send('PUT', appPath(before), { ...fields, ...wrong }), 'invalid_app')
  assert.deepEqual(
    errors.map(({ path, code }: { path: string; code: string }) => `${path} ${code}`),
    ['/reviewNotes too_long', '/answer too_long', '/scopeReasons/user:read too_long'],
  )
  const longest = { reviewNotes: 'x'.repeat(2_000), scopeReasons: { 'user:read': 'x'.repeat(500) } }
  assert.equal((await edit(dan, before, { ...fields, ...longest })).reviewNotes.length, 2_000)
})

const pocket = (changes: object = {}) => ({
  name: 'Pocket',
  clientType: 'native',
  callbackUrls: ['com.acme.pocket:/callback', 'http://127.0.0.1/callback'],
  ...changes,
})

test('a native app has no secrets and always uses PKCE', async () => {
  const [rita, dan] = await developers('Rita', 'Dan')
  const saved = await approvedApp(dan, rita, pocket({ requirePkce: false }))
  assert.deepEqual([saved.clientType, saved.requirePkce], ['native', true])
  for (const sandbox of [false, true]) {
    await expectProblem(dan.send('POST', appPath(saved, '/secrets'), { name: 'x', sandbox }), 'public_client')
  }
  assert.deepEqual(await expectOk(dan.send('GET', appPath(saved, '/secrets'))), { secrets: [] })
  for (const id of [saved.clientId, saved.sandboxClientId]) {
    const client = await findClient(app.database, id)
    assert.deepEqual([client?.clientType, client?.revision.requirePkce], ['native', true])
  }
})

test('a page without a server may be registered; its callbacks are https or localhost', async () => {
  const [dan] = await developers('Dan')
  const callbackUrls = ['https://acme.example/app/', 'http://localhost:5173/']
  const page = await submit(dan, { name: 'Acme Page', clientType: 'single_page', callbackUrls })
  assert.deepEqual([page.clientType, page.callbackUrls], ['single_page', callbackUrls])
  const wrong = { name: 'Acme Other', clientType: 'single_page', callbackUrls: ['http://acme.example/', 'a.b:/c'] }
  const refusedPage = dan.send('POST', '/api/oauth2/apps', { ...page, ...wrong })
  await expectProblem(refusedPage, 'invalid_app', ['/callbackUrls/0 not_https', '/callbackUrls/1 not_http'])
})

test('an app on a server cannot register the callbacks of a native app', async () => {
  const [dan] = await developers('Dan')
  const server = await submit(dan, { name: 'Server' })
  const changes = { ...pocket({ name: 'Other' }), clientType: 'confidential' }
  await expectProblem(dan.send('POST', '/api/oauth2/apps', { ...server, ...changes }), 'invalid_app', [
    '/callbackUrls/0 not_http',
    '/callbackUrls/1 ip_host',
  ])
})

test('a saved app may change its type, a submitted one never again', async () => {
  const [dan] = await developers('Dan')
  const { _id, ...saved } = await submit(dan, { name: 'Undecided', draft: true })
  const edit = (changes: object) => dan.send('PUT', appPath({ _id }), { ...saved, ...changes })
  const secretsPath = appPath({ _id }, '/secrets')
  await expectOk(dan.send('POST', secretsPath, { name: 'early', sandbox: true }), 201)
  const native = await expectOk(edit({ clientType: 'native', draft: true }))
  assert.deepEqual(await expectOk(dan.send('GET', secretsPath)), { secrets: [] })
  assert.deepEqual([native.clientType, native.requirePkce], ['native', true])
  const single = await expectOk(edit({ clientType: 'single_page', draft: true }))
  assert.equal(single.clientType, 'single_page')

  await expectOk(dan.send('POST', appPath({ _id }, '/submit')))
  for (const clientType of ['native', 'confidential']) {
    await expectProblem(edit({ clientType }), 'invalid_app', ['/clientType fixed'])
  }
  // Withdrawn, it is a draft again, but its sandbox was open.
  const { clientType: _, ...without } = saved
  assert.equal(
    (await expectOk(dan.send('PUT', appPath({ _id }), { ...without, draft: true }))).clientType,
    'single_page',
  )
  await expectProblem(edit({ clientType: 'native' }), 'invalid_app', ['/clientType fixed'])
})

test('reviewers read where a new app runs', async () => {
  const [rita, dan] = await developers('Rita', 'Dan')
  const waiting = await submit(dan, pocket({ name: 'Waiting Pocket' }))
  const { app: read, differences } = await expectOk(rita.send('GET', reviewPath(waiting)))
  assert.equal(read.clientType, 'native')
  assert.deepEqual(
    differences.find(({ field }: { field: string }) => field === 'clientType'),
    { field: 'clientType', before: [], after: ['native'] },
  )
})
