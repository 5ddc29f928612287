import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  appPath,
  approvedApp,
  calendarApp,
  decide,
  done,
  meetDevelopers,
  misleading,
  refused,
  reviewPath,
  submit,
} from '../../test/oauth/apps.ts'
import { startApp } from '../../test/start-app.ts'

const app = await startApp({ emails: 'dropped' })
const { olga, rita, dan, eve } = await meetDevelopers(app)
let made = 0

/** A unique name for each test. */
const named = (changes: object = {}) =>
  calendarApp({ name: `Planner ${'abcdefghjkmnpqrstuvwxyz'[made++]} by Dan`, ...changes })

const edit = (one: { _id: string }, fields: object) => done(dan.send('PUT', appPath(one), fields))
const live = (one: { _id: string }) => done(dan.send('GET', `${appPath(one)}?revision=live`))
const draft = (one: { _id: string }) => done(dan.send('GET', `${appPath(one)}?revision=draft`))

test('keeps a live app unchanged while its new name, page and added callback wait', async () => {
  const fields = named()
  const before = await approvedApp(dan, rita, fields)
  const callbackUrls = [...fields.callbackUrls, 'https://acme.example/third']
  const changes = { ...fields, name: 'Planner renamed', homepageUrl: 'https://acme.example/home', callbackUrls }
  const after = await edit(before, changes)
  assert.deepEqual(
    [after.status, after.draftStatus, after.liveRevision, after.draftRevision, after.name, after.clientId],
    ['approved', 'under_review', 1, 2, 'Planner renamed', before.clientId],
  )
  const lives = await live(before)
  assert.deepEqual(
    [lives.status, lives.name, lives.callbackUrls, lives.reasons],
    ['approved', fields.name, fields.callbackUrls, []],
  )

  await done(decide(rita, before, 'rejected', misleading))
  assert.deepEqual([(await live(before)).status, (await draft(before)).draftStatus], ['approved', 'rejected'])
  assert.deepEqual((await draft(before)).reasons, misleading)

  await done(dan.send('POST', appPath(before, '/submit')))
  const approved = await done(decide(rita, before, 'approved'))
  assert.deepEqual(
    [approved.status, approved.liveRevision, approved.draftRevision, approved.name, approved.callbackUrls],
    ['approved', 2, undefined, 'Planner renamed', callbackUrls],
  )
  assert.equal(approved.clientId, before.clientId)
})

test('applies removed callbacks and scopes, switches and the use case at once', async () => {
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
  const { status, draftRevision, ...after } = await edit(before, changes)
  assert.deepEqual([status, draftRevision], ['approved', undefined])
  const { checks, modifiedOn, ...rest } = after
  assert.deepEqual(rest, { ...pick(before), ...changes })
})

const pick = ({ checks, modifiedOn, status, draftRevision, ...rest }: Record<string, unknown>) => rest

test('applies the removals of a mixed edit at once, and the rest after the review', async () => {
  const fields = named()
  const before = await approvedApp(dan, rita, fields)
  const changes = { ...fields, callbackUrls: ['https://acme.example/callback', 'https://acme.example/new'] }
  const after = await edit(before, changes)
  assert.deepEqual(
    [after.status, after.draftStatus, after.callbackUrls],
    ['approved', 'under_review', changes.callbackUrls],
  )
  assert.deepEqual((await live(before)).callbackUrls, ['https://acme.example/callback'])
})

test('keeps an app approved after an edit without changes, and after one that withdraws a draft', async () => {
  const fields = named()
  const before = await approvedApp(dan, rita, fields)
  assert.deepEqual(
    [(await edit(before, fields)).status, (await edit(before, fields)).draftRevision],
    ['approved', undefined],
  )
  await edit(before, { ...fields, description: 'Something else' })
  const after = await edit(before, fields)
  assert.deepEqual([after.status, after.draftRevision, after.liveRevision], ['approved', undefined, 1])
  const { history } = await done(rita.send('GET', reviewPath(before)))
  assert.equal(history.at(-1).decision, 'withdrawn')
  await refused(dan.send('POST', appPath(before, '/submit')), 409, 'nothing_to_submit')
})

test('keeps fields that a request omits', async () => {
  const fields = named({ requirePkce: true, sendIss: false })
  const before = await approvedApp(dan, rita, fields)
  const { description, requirePkce, sendIss, ...sent } = fields as ReturnType<typeof named> & Record<string, unknown>
  const after = await edit(before, sent)
  assert.deepEqual([after.description, after.requirePkce, after.sendIss], [description, true, false])
})

test('keeps a saved change waiting until its submission', async () => {
  const fields = named()
  const before = await approvedApp(dan, rita, fields)
  const saved = await edit(before, { ...fields, description: 'Better', draft: true })
  assert.deepEqual([saved.status, saved.draftStatus, saved.draftRevision], ['approved', 'draft', 2])
  // A draft stays one until its developer submits it.
  const again = await edit(before, { ...fields, description: 'Best' })
  assert.deepEqual([again.draftStatus, again.draftRevision, again.description], ['draft', 2, 'Best'])
  await refused(decide(rita, before, 'approved'), 409, 'nothing_to_decide')
  const seen = await done(rita.send('GET', reviewPath(before)))
  assert.deepEqual([seen.revision, seen.app.status, seen.app.description], [1, 'approved', fields.description])

  const submitted = await edit(before, { ...fields, description: 'Best', draft: false })
  assert.deepEqual([submitted.draftStatus, submitted.draftRevision], ['under_review', 2])
})

test('an edit under review gives reviewers a new revision, and outdates theirs', async () => {
  const fields = named()
  const before = await submit(dan, fields)
  const after = await edit(before, { ...fields, description: 'Second thoughts' })
  assert.deepEqual([after.status, after.draftRevision], ['under_review', 2])
  const outdated = rita.send('POST', reviewPath(before), { decision: 'approved', revision: 1 })
  await refused(outdated, 409, 'review_changed')
  await done(rita.send('POST', reviewPath(before), { decision: 'approved', revision: 2 }))
  assert.equal((await live(before)).description, 'Second thoughts')
})

test('saving an app under review withdraws it from review', async () => {
  const fields = named()
  const before = await submit(dan, fields)
  assert.equal((await edit(before, { ...fields, draft: true })).status, 'draft')
  await refused(rita.send('GET', reviewPath(before)), 404, 'review_not_found')
  await refused(decide(rita, before, 'approved'), 404, 'review_not_found')
  assert.equal((await edit(before, { ...fields, draft: false })).status, 'under_review')
})

test('submits an edit of a rejected app; the reasons stay while it is only saved', async () => {
  const fields = named()
  const before = await submit(dan, fields)
  await done(decide(rita, before, 'rejected', misleading))
  const saved = await edit(before, { ...fields, description: 'Fixed', draft: true })
  assert.deepEqual([saved.status, saved.reasons, saved.draftRevision], ['rejected', misleading, 2])
  // Reviewers still see the revision that they rejected.
  assert.equal((await done(rita.send('GET', reviewPath(before)))).revision, 1)
  const submitted = await edit(before, { ...fields, description: 'Fixed' })
  assert.deepEqual([submitted.status, submitted.reasons], ['under_review', []])
})

test('approves a held app as reviewed when its developer has saved another change', async () => {
  const fields = named()
  const before = await submit(dan, fields)
  await done(decide(rita, before, 'on_hold', misleading))
  await edit(before, { ...fields, description: 'Unfinished', draft: true })
  await done(decide(rita, before, 'approved'))
  const [now, next] = [await live(before), await draft(before)]
  assert.deepEqual([now.status, now.description], ['approved', fields.description])
  assert.deepEqual([next.draftStatus, next.description, next.draftRevision], ['draft', 'Unfinished', 2])
})

test('refuses to change or submit a suspended app', async () => {
  const fields = named()
  const before = await approvedApp(dan, rita, fields)
  await done(olga.send('POST', appPath(before, '/suspend'), {}))
  await refused(dan.send('PUT', appPath(before), fields), 409, 'wrong_app_state')
  await refused(dan.send('POST', appPath(before, '/submit')), 409, 'wrong_app_state')
})

test('requires a changed name to be distinguishable as well', async () => {
  const [mine, other] = [named(), named()]
  const before = await approvedApp(dan, rita, mine)
  await submit(eve, other)
  await refused(dan.send('PUT', appPath(before), { ...mine, name: other.name }), 409, 'app_name_taken')
  // Another developer may not take the name that an app has requested either.
  await edit(before, { ...mine, name: 'Wanted next' })
  await refused(eve.send('POST', '/api/oauth2/apps', calendarApp({ name: 'Wanted next' })), 409, 'app_name_taken')
})

test('leaves the app as it was when a rule is broken', async () => {
  const fields = named()
  const before = await approvedApp(dan, rita, fields)
  await refused(dan.send('PUT', appPath(before), { ...fields, callbackUrls: ['https://[::1]/'] }), 422, 'invalid_app')
  assert.deepEqual(pick(await live(before)), pick(before))
})

test('neither of two simultaneous edits is lost unnoticed', async () => {
  const fields = named()
  const before = await approvedApp(dan, rita, fields)
  const answers = await Promise.all(
    ['one', 'two', 'three'].map((description) => dan.send('PUT', appPath(before), { ...fields, description })),
  )
  const taken = answers.filter(({ status }) => status === 200)
  assert.ok(taken.length > 0)
  for (const { status, body } of answers) assert.ok(status === 200 || body.code === 'wrong_app_state', body.code)
  const now = await draft(before)
  assert.ok(taken.some(({ body }) => body.description === now.description))
})

test('stores notes for reviewers without a review, and keeps the reply to their reasons in the history', async () => {
  const fields = named()
  const before = await approvedApp(dan, rita, fields)
  const expected = {
    reviewNotes: ' Sign in as test@acme.example. ',
    scopeReasons: { 'user:read': 'To greet people', 'meeting:read': ' ' },
  }
  const noted = await edit(before, { ...fields, ...expected })
  assert.deepEqual([noted.status, noted.draftRevision], ['approved', undefined])
  assert.deepEqual(noted.reviewNotes, 'Sign in as test@acme.example.')
  assert.deepEqual(noted.scopeReasons, { 'user:read': 'To greet people' })
  // Omitted fields stay.
  const changed = await edit(before, { ...fields, description: 'Better' })
  assert.deepEqual([changed.reviewNotes, changed.scopeReasons], [noted.reviewNotes, noted.scopeReasons])

  await done(decide(rita, before, 'on_hold', misleading))
  const answered = await done(
    dan.send('POST', appPath(before, '/submit'), { answer: ' It is one: see the home page. ' }),
  )
  assert.deepEqual([answered.status, answered.draftStatus, answered.reasons], ['approved', 'under_review', []])
  await done(decide(rita, before, 'rejected', misleading))
  await edit(before, { ...fields, description: 'Clearer', answer: 'I have changed the words.' })
  const { history, app: shown } = await done(rita.send('GET', reviewPath(before)))
  assert.deepEqual(
    history
      .filter(({ answer }: { answer?: string }) => answer !== undefined)
      .map(({ answer }: { answer: string }) => answer),
    ['It is one: see the home page.', 'I have changed the words.'],
  )
  assert.equal(shown.reviewNotes, noted.reviewNotes)
})

test('limits each note for reviewers, and refuses it by its own field', async () => {
  const fields = named()
  const before = await submit(dan, fields)
  const wrong = {
    reviewNotes: 'x'.repeat(2_001),
    scopeReasons: { 'user:read': 'x'.repeat(501) },
    answer: 'x'.repeat(2_001),
  }
  const { errors } = await refused(dan.send('PUT', appPath(before), { ...fields, ...wrong }), 422, 'invalid_app')
  assert.deepEqual(
    errors.map(({ path, code }: { path: string; code: string }) => `${path} ${code}`),
    ['/reviewNotes too_long', '/answer too_long', '/scopeReasons/user:read too_long'],
  )
  const longest = { reviewNotes: 'x'.repeat(2_000), scopeReasons: { 'user:read': 'x'.repeat(500) } }
  assert.equal((await edit(before, { ...fields, ...longest })).reviewNotes.length, 2_000)
})
