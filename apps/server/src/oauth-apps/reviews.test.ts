import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  appPath,
  approvedApp,
  calendarApp,
  decide,
  meetDevelopers,
  misleading,
  permit,
  reviewPath,
  submit,
} from '../../test/oauth/apps.ts'
import { useDevelopers } from '../../test/oauth/use-developers.ts'
import { type Person, password, sendRequest, signUp } from '../../test/people.ts'
import { expectOk, expectProblem } from '../../test/replies.ts'
import { createClock, startApp } from '../../test/start-app.ts'

const { app, olga, developers } = await useDevelopers({
  emails: 'dropped',
  environment: { TENANTS: 'globex.example=Globex' },
})

let made = 0

/** An app whose name differs from the others in more than one letter. */
const named = (changes: object = {}) => calendarApp({ name: `Planner ${++made} ${'x'.repeat(made)}`, ...changes })

test('lists the longest waiting app first, in pages', async () => {
  const clock = createClock('2029-12-03T09:00:00Z')
  const { rita, dan } = await meetDevelopers(await startApp({ emails: 'dropped', clock }))
  const names = ['First in line', 'Second of all', 'Third and last']
  for (const name of names) {
    await submit(dan, { name })
    clock.advance(1_000)
  }
  await submit(dan, { name: 'Only saved', draft: true })
  const held = await submit(dan, { name: 'Held back' })
  await expectOk(decide(rita, held, 'on_hold', misleading))
  await approvedApp(dan, rita, { name: 'Long live' })

  const list = async (query: string) => {
    const body = await expectOk(rita.send('GET', `/api/oauth2/reviews?${query}`))
    return { ...body, names: body.reviews.map(({ name }: { name: string }) => name) }
  }
  assert.deepEqual((await list('')).names, names)
  assert.deepEqual((await list('status=on_hold')).names, ['Held back'])
  const all = await list('status=all')
  assert.deepEqual(all.names, [...names, 'Held back', 'Long live'])
  assert.deepEqual(
    all.reviews.map(({ status, isNew }: { status: string; isNew: boolean }) => `${status} ${isNew}`),
    [...Array(3).fill('under_review true'), 'on_hold true', 'approved false'],
  )

  assert.deepEqual([all.totalCount, (await list('limit=1')).totalCount], [5, 3])
  const first = await list('limit=2')
  assert.deepEqual([first.names, first.moreAvailable], [names.slice(0, 2), true])
  const rest = await list(`limit=2&after=${first.nextCursor}`)
  assert.deepEqual([rest.names, rest.moreAvailable, rest.nextCursor], [names.slice(2), false, null])
  await expectProblem(rita.send('GET', '/api/oauth2/reviews?after=x'), 'invalid_request')

  // A resubmitted app goes to the end.
  clock.advance(1_000)
  await expectOk(dan.send('POST', appPath(held, '/submit')))
  assert.deepEqual((await list('')).names, [...names, 'Held back'])
})

test('sorts the queue by name, by kind and by the time of waiting in both directions, across pages', async () => {
  const clock = createClock('2029-12-03T09:00:00Z')
  const { rita, dan } = await meetDevelopers(await startApp({ emails: 'dropped', clock }))
  const live = await approvedApp(dan, rita, { name: 'Zebra with a change' })
  const made = []
  for (const name of ['mango at first', 'Äpfel are second', 'Banana is third']) {
    clock.advance(1_000)
    made.push(await submit(dan, { name }))
  }
  clock.advance(1_000)
  await expectOk(dan.send('PUT', appPath(live), calendarApp({ name: 'Zebra with a change', description: 'New' })))

  const pageOf = async (query: string) => {
    const { reviews, nextCursor } = await expectOk(rita.send('GET', `/api/oauth2/reviews?${query}`))
    return { names: reviews.map(({ name }: { name: string }) => name.split(' ')[0] ?? ''), nextCursor }
  }
  const onPages = async (query: string, limit: number) => {
    const found: string[] = []
    for (let after = ''; ; ) {
      const { names, nextCursor } = await pageOf(`limit=${limit}&${query}${after}`)
      found.push(...names)
      if (nextCursor === null) return found
      after = `&after=${nextCursor}`
    }
  }
  const expected = {
    submittedOn: ['mango', 'Äpfel', 'Banana', 'Zebra'],
    name: ['Äpfel', 'Banana', 'mango', 'Zebra'],
    kind: ['mango', 'Äpfel', 'Banana', 'Zebra'],
  }
  for (const [sort, names] of Object.entries(expected)) {
    for (const limit of [1, 3, 50]) {
      assert.deepEqual(await onPages(`sort=${sort}`, limit), names, `${sort} by ${limit}`)
      assert.deepEqual(await onPages(`sort=${sort}&order=desc`, limit), names.toReversed(), `${sort} back by ${limit}`)
    }
  }

  // The last app of a page may be decided about before the next page is read.
  const [mango, apple] = made
  assert.ok(mango !== undefined && apple !== undefined)
  const byKind = await pageOf('sort=kind&limit=1')
  const byName = await pageOf('sort=name&limit=1')
  await expectOk(decide(rita, mango, 'approved'))
  await expectOk(decide(rita, apple, 'rejected', misleading))
  assert.deepEqual((await pageOf(`sort=kind&after=${byKind.nextCursor}`)).names, ['Banana', 'Zebra'])
  assert.deepEqual((await pageOf(`sort=name&after=${byName.nextCursor}`)).names, ['Banana', 'Zebra'])
  await expectProblem(rita.send('GET', '/api/oauth2/reviews?sort=owner&order=up'), 'invalid_request', [
    '/order not_allowed',
    '/sort not_allowed',
  ])
})

test('shows a reviewer the changes, the checks and the earlier decisions', async () => {
  const [rita, dan] = await developers('Rita', 'Dan')
  const fields = named()
  const before = await submit(dan, fields)
  const first = await expectOk(rita.send('GET', reviewPath(before)))
  assert.deepEqual([first.revision, first.owner.email, first.app._id], [1, dan.email, before._id])
  assert.deepEqual(first.checks, before.checks)
  assert.ok(first.differences.every(({ before: none }: { before: string[] }) => none.length === 0))
  assert.deepEqual(first.differences.length, 13)

  await expectOk(decide(olga, before, 'rejected', misleading))
  await expectOk(dan.send('POST', appPath(before, '/submit')))
  await expectOk(decide(rita, before, 'approved'))
  await expectOk(dan.send('PUT', appPath(before), { ...fields, scopes: [...fields.scopes, 'meeting:create'] }))

  const { differences, history, revision, app: shown } = await expectOk(rita.send('GET', reviewPath(before)))
  assert.deepEqual([revision, shown.status, shown.draftStatus], [2, 'approved', 'under_review'])
  const scopes = ['user:read', 'meeting:read']
  assert.deepEqual(differences, [{ field: 'scopes', before: scopes, after: [...scopes, 'meeting:create'] }])
  assert.deepEqual(
    history.map((line: { revision: number; decision: string; by: string }) => [line.revision, line.decision, line.by]),
    [
      [1, 'submitted', 'Dan Test'],
      [1, 'rejected', 'Olga Test'],
      [1, 'submitted', 'Dan Test'],
      [1, 'approved', 'Rita Test'],
      [2, 'submitted', 'Dan Test'],
    ],
  )
  assert.deepEqual(history[1].reasons, misleading)
})

test('says whether its reader may decide about it', async () => {
  const { olga, rita } = await meetDevelopers(await startApp({ emails: 'dropped' }))
  const hers = await submit(rita, named())
  const mayDecide = async (person: Person) => (await expectOk(person.send('GET', reviewPath(hers)))).mayDecide
  assert.deepEqual([await mayDecide(rita), await mayDecide(olga)], [false, true])
  await permit(olga, olga, { reviewer: false })
  assert.equal(await mayDecide(rita), true)
})

test('gives an approved app its client id, once and permanently', async () => {
  const [rita, dan] = await developers('Rita', 'Dan')
  const before = await submit(dan, named())
  assert.equal(before.clientId, undefined)
  const after = await expectOk(decide(rita, before, 'approved'))
  assert.deepEqual([after.status, after.liveRevision, after.draftRevision], ['approved', 1, undefined])
  assert.match(after.clientId, /^app_[A-Za-z0-9]{24}$/)
  const { entries } = await expectOk(olga.send('GET', '/api/admin/audit-log?action=app.approved'))
  const entry = entries.find(({ about }: { about: string }) => about === before.name)
  assert.equal(entry?.operator, false, 'the log names the app')
  const read = await expectOk(dan.send('GET', appPath(before)))
  assert.deepEqual([read.status, read.clientId], ['approved', after.clientId])
})

test('shows the developer the reasons of a rejection or a hold', async () => {
  const [rita, dan] = await developers('Rita', 'Dan')
  const before = await submit(dan, named())
  const reasons = [
    { code: 'invalid_url', field: 'callbackUrls' },
    { code: 'other', text: 'The logo is ours.' },
  ]
  for (const decision of ['on_hold', 'rejected']) {
    await expectOk(decide(rita, before, decision, reasons))
    const { status, reasons: shownReasons, clientId } = await expectOk(dan.send('GET', appPath(before)))
    assert.deepEqual([status, shownReasons, clientId], [decision, reasons, undefined])
    const { apps } = await expectOk(dan.send('GET', '/api/oauth2/apps'))
    assert.deepEqual(apps.find(({ _id }: { _id: string }) => _id === before._id).reasons, reasons)
  }
})

test('answers a decision without a reason, or with too many, with 400', async () => {
  const [rita, dan] = await developers('Rita', 'Dan')
  const before = await submit(dan, named())
  const refuse = (violations: string[], decision: string, reasons?: object[]) =>
    expectProblem(decide(rita, before, decision, reasons), 'invalid_request', violations)
  for (const decision of ['rejected', 'on_hold']) {
    await refuse(['/reasons too_few'], decision)
    await refuse(['/reasons too_few'], decision, [])
    await refuse(['/reasons/0/text required'], decision, [{ code: 'other' }])
    await refuse(['/reasons/0/code not_allowed'], decision, [{ code: 'ugly' }])
    await refuse(['/reasons too_many'], decision, Array(21).fill(misleading[0]))
  }
  await refuse(['/decision not_allowed'], 'maybe', misleading)
  assert.equal((await expectOk(dan.send('GET', appPath(before)))).status, 'under_review')
})

test('accepts one of several simultaneous decisions', async () => {
  const [rita, dan] = await developers('Rita', 'Dan')
  for (const decisions of [
    ['approved', 'approved'],
    ['approved', 'rejected'],
    ['rejected', 'rejected'],
    ['on_hold', 'on_hold'],
  ] as const) {
    const before = await submit(dan, named())
    const answers = await Promise.all([
      decide(rita, before, decisions[0], misleading),
      decide(olga, before, decisions[1], misleading),
    ])
    assert.deepEqual(answers.map(({ status, body }) => body.code ?? status).toSorted(), [200, 'nothing_to_decide'])
    const { history } = await expectOk(rita.send('GET', reviewPath(before)))
    assert.equal(history.length, 2)
  }
})

test('refuses an approval of a revision that changed after it was read, until the reviewer reads it again', async () => {
  const [rita, dan] = await developers('Rita', 'Dan')
  const fields = named()
  const before = await submit(dan, fields)
  assert.equal((await expectOk(rita.send('GET', reviewPath(before)))).revision, 1)
  await expectOk(dan.send('PUT', appPath(before), { ...fields, homepageUrl: 'https://acme.example/other' }))
  await expectProblem(decide(rita, before, 'approved'), 'review_changed')
  assert.equal((await expectOk(dan.send('GET', appPath(before)))).status, 'under_review')
  assert.equal((await expectOk(rita.send('GET', reviewPath(before)))).revision, 2)
  const after = await expectOk(decide(rita, before, 'approved'))
  assert.deepEqual([after.liveRevision, after.homepageUrl], [2, 'https://acme.example/other'])
})

test('treats another image as a change, and the same one submitted again as none', async () => {
  const [rita, dan] = await developers('Rita', 'Dan')
  const before = await submit(dan, named())
  const read = () => expectOk(rita.send('GET', reviewPath(before)))
  const setLogo = (bytes: string) =>
    app.database
      .insertInto('appLogo')
      .values({ appId: before._id, revision: 1, mediaType: 'image/png', bytes: Buffer.from(bytes) })
      .onConflict((conflict) => conflict.columns(['appId', 'revision']).doUpdateSet({ bytes: Buffer.from(bytes) }))
      .execute()
  for (const logo of ['a clock', 'a bank']) {
    await read()
    await setLogo(logo)
    await expectProblem(decide(rita, before, 'approved'), 'review_changed')
  }
  await read()
  await setLogo('a bank')
  await expectOk(decide(rita, before, 'approved'))
})

test('a change prevents neither a rejection, nor an approval of an app that was never opened', async () => {
  const [rita, dan] = await developers('Rita', 'Dan')
  const fields = named()
  const before = await submit(dan, fields)
  await expectOk(rita.send('GET', reviewPath(before)))
  await expectOk(dan.send('PUT', appPath(before), { ...fields, description: 'Second thoughts' }))
  await expectOk(decide(rita, before, 'on_hold', misleading))
  await expectOk(decide(olga, before, 'approved'))
})

test('refuses a second decision', async () => {
  const [rita, dan] = await developers('Rita', 'Dan')
  const before = await approvedApp(dan, rita, named())
  for (const decision of ['approved', 'rejected', 'on_hold']) {
    await expectProblem(decide(rita, before, decision, misleading), 'nothing_to_decide')
  }
})

test('refuses a decision about the own app while another reviewer exists', async () => {
  const { olga, rita } = await meetDevelopers(await startApp({ emails: 'dropped' }))
  const hers = await submit(rita, named())
  await expectProblem(decide(rita, hers, 'approved'), 'own_app')
  await expectOk(decide(olga, hers, 'approved'))

  const his = await submit(rita, named())
  await permit(olga, olga, { reviewer: false })
  await expectOk(decide(rita, his, 'approved'))
})

test('does not count a disabled reviewer as another reviewer', async () => {
  const alone = await startApp({ emails: 'dropped' })
  const people = await meetDevelopers(alone)
  const hers = await submit(people.olga, named())
  await expectProblem(decide(people.olga, hers, 'approved'), 'own_app')
  await permit(people.olga, people.rita, { disabled: true })
  await expectOk(decide(people.olga, hers, 'approved'))
})

test('mallory, made its only reviewer by her own organisation, can approve neither her app nor another one', async () => {
  const [rita, dan] = await developers('Rita', 'Dan')
  const mallory = await signUp(app, 'Mallory', 'mallory@globex.example')
  const rights = { reviewer: true, administrator: true, oauthEnabled: true }
  await app.database.updateTable('account').set(rights).where('email', '=', mallory.email).execute()
  const hers = await submit(mallory, named())
  const his = await submit(dan, named())
  await expectProblem(decide(mallory, hers, 'approved'), 'reviewer_required')
  await expectProblem(decide(mallory, his, 'approved'), 'reviewer_required')
  await expectProblem(mallory.send('GET', reviewPath(hers)), 'reviewer_required')
  await expectProblem(mallory.send('GET', '/api/oauth2/reviews?status=all'), 'reviewer_required')
  assert.equal((await expectOk(mallory.send('GET', appPath(hers)))).status, 'under_review')
  // The reply does not say that she could, either.
  assert.deepEqual((await expectOk(mallory.send('GET', '/api/my_profile'))).roleIds, ['administrator'])
  assert.deepEqual((await expectOk(rita.send('GET', '/api/my_profile'))).roleIds, ['reviewer'])
  const signedIn = await expectOk(sendRequest(app, 'POST', '/api/auth/sign-in', { email: mallory.email, password }))
  assert.deepEqual(signedIn.user.roleIds, ['administrator'])

  // The reviewers of the operator's organisation find both, and decide.
  const { reviews } = await expectOk(rita.send('GET', '/api/oauth2/reviews?status=all&limit=200'))
  const waiting = reviews.map(({ appId }: { appId: string }) => appId)
  assert.ok(waiting.includes(hers._id) && waiting.includes(his._id))
  assert.equal((await expectOk(rita.send('GET', reviewPath(hers)))).owner.email, mallory.email)
  await expectOk(decide(rita, hers, 'rejected', misleading))
})

test('gives no reviewers to an organisation that does not run the service, and removes the role from earlier ones', async () => {
  const helga = await signUp(app, 'Helga', 'helga@globex.example')
  const hank = await signUp(app, 'Hank', 'hank@globex.example')
  await app.database.updateTable('account').set({ administrator: true }).where('email', '=', helga.email).execute()
  await app.database.updateTable('account').set({ reviewer: true }).where('email', '=', hank.email).execute()
  const account = ({ profile }: Person) => `/api/admin/accounts/${profile._id}`
  await expectProblem(helga.send('PUT', account(helga), { reviewer: true }), 'reviewers_elsewhere')
  assert.equal((await expectOk(helga.send('PUT', account(hank), { oauthEnabled: true }))).reviewer, true)
  assert.equal((await expectOk(helga.send('PUT', account(hank), { reviewer: false }))).reviewer, false)
})

test('records each decision in the audit log and for the developer', async () => {
  const [rita, dan] = await developers('Rita', 'Dan')
  const before = await submit(dan, named())
  await expectOk(decide(rita, before, 'on_hold', misleading))
  const [entry] = await app.database
    .selectFrom('auditEntry')
    .selectAll()
    .where('action', '=', 'app.held')
    .where('actorId', '=', rita.profile._id)
    .execute()
  assert.deepEqual(
    [entry?.actorId, entry?.subjectId, entry?.detail],
    [rita.profile._id, dan.profile._id, { appId: before._id, revision: 1, reasons: misleading }],
  )
  const { events } = await expectOk(dan.send('GET', appPath(before, '/events')))
  assert.deepEqual(
    events.map(({ kind, cause }: { kind: string; cause: string }) => [kind, cause]),
    [
      ['app_on_hold', 'Revision 1 was put on hold.'],
      ['app_submitted', 'Revision 1 was submitted for review.'],
    ],
  )
})
