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
  permit,
  refused,
  reviewPath,
  submit,
} from '../../../test/oauth/apps.ts'
import { type Person, password, sendRequest, signUp, violationsOf } from '../../../test/people.ts'
import { startApp } from '../../../test/start-app.ts'

const app = await startApp({ letters: 'dropped', environment: { TENANTS: 'globex.example=Globex' } })
const { olga, rita, dan, eve, carol } = await meetDevelopers(app)

let made = 0
const named = (changes: object = {}) =>
  calendarApp({ name: `Planner ${'abcdefghjkmnpqrstuvwxyz'[made++]}`, ...changes })

test('an approved app gets its client id, once and for all', async () => {
  const before = await submit(dan, named())
  assert.equal(before.clientId, undefined)
  const after = await done(decide(rita, before, 'approved'))
  assert.deepEqual([after.status, after.liveRevision, after.draftRevision], ['approved', 1, undefined])
  assert.match(after.clientId, /^app_[A-Za-z0-9]{24}$/)
  const { entries } = await done(olga.send('GET', '/api/admin/audit-log?action=app.approved&limit=1'))
  assert.deepEqual([entries[0].about, entries[0].operator], [before.name, false], 'the log names the app')
  const read = await done(dan.send('GET', appPath(before)))
  assert.deepEqual([read.status, read.clientId], ['approved', after.clientId])
})

test('a rejected or held app shows its developer why', async () => {
  const before = await submit(dan, named())
  const reasons = [
    { code: 'invalid_url', field: 'callbackUrls' },
    { code: 'other', text: 'The logo is ours.' },
  ]
  for (const decision of ['on_hold', 'rejected']) {
    await done(decide(rita, before, decision, reasons))
    const { status, reasons: shownReasons, clientId } = await done(dan.send('GET', appPath(before)))
    assert.deepEqual([status, shownReasons, clientId], [decision, reasons, undefined])
    const { apps } = await done(dan.send('GET', '/api/oauth2/apps'))
    assert.deepEqual(apps.find(({ _id }: { _id: string }) => _id === before._id).reasons, reasons)
  }
})

test('a decision without a reason, or with too many, is 400', async () => {
  const before = await submit(dan, named())
  const violationsWith = async (decision: string, reasons?: object[]) => {
    const answer = await decide(rita, before, decision, reasons)
    assert.equal(answer.status, 400)
    return violationsOf(answer)
  }
  for (const decision of ['rejected', 'on_hold']) {
    assert.deepEqual(await violationsWith(decision), ['/reasons too_few'])
    assert.deepEqual(await violationsWith(decision, []), ['/reasons too_few'])
    assert.deepEqual(await violationsWith(decision, [{ code: 'other' }]), ['/reasons/0/text required'])
    assert.deepEqual(await violationsWith(decision, [{ code: 'ugly' }]), ['/reasons/0/code not_allowed'])
    assert.deepEqual(await violationsWith(decision, Array(21).fill(misleading[0])), ['/reasons too_many'])
  }
  assert.deepEqual(await violationsWith('maybe', misleading), ['/decision not_allowed'])
  assert.equal((await done(dan.send('GET', appPath(before)))).status, 'under_review')
})

test('a reviewer sees what is new, what was checked and what was decided before', async () => {
  const fields = named()
  const before = await submit(dan, fields)
  const first = await done(rita.send('GET', reviewPath(before)))
  assert.deepEqual([first.revision, first.owner.email, first.app._id], [1, dan.email, before._id])
  assert.deepEqual(first.checks, before.checks)
  assert.ok(first.differences.every(({ before: none }: { before: string[] }) => none.length === 0))
  assert.deepEqual(first.differences.length, 11)

  await done(decide(olga, before, 'rejected', misleading))
  await done(dan.send('POST', appPath(before, '/submit')))
  await done(decide(rita, before, 'approved'))
  await done(dan.send('PUT', appPath(before), { ...fields, scopes: [...fields.scopes, 'meeting:create'] }))

  const { differences, history, revision, app: shown } = await done(rita.send('GET', reviewPath(before)))
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

test('of reviewers who decide at the same time, one does', async () => {
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
    const { history } = await done(rita.send('GET', reviewPath(before)))
    assert.equal(history.length, 2)
  }
})

test('nobody approves unseen what was changed after they read it, and who reads again can', async () => {
  const fields = named()
  const before = await submit(dan, fields)
  assert.equal((await done(rita.send('GET', reviewPath(before)))).revision, 1)
  await done(dan.send('PUT', appPath(before), { ...fields, homepageUrl: 'https://acme.example/other' }))
  await refused(decide(rita, before, 'approved'), 409, 'review_changed')
  assert.equal((await done(dan.send('GET', appPath(before)))).status, 'under_review')
  assert.equal((await done(rita.send('GET', reviewPath(before)))).revision, 2)
  const after = await done(decide(rita, before, 'approved'))
  assert.deepEqual([after.liveRevision, after.homepageUrl], [2, 'https://acme.example/other'])
})

test('another picture is a change, the same one submitted again is none', async () => {
  const before = await submit(dan, named())
  const read = () => done(rita.send('GET', reviewPath(before)))
  const setLogo = (bytes: string) =>
    app.database
      .insertInto('appLogo')
      .values({ appId: before._id, revision: 1, mediaType: 'image/png', bytes: Buffer.from(bytes) })
      .onConflict((conflict) => conflict.columns(['appId', 'revision']).doUpdateSet({ bytes: Buffer.from(bytes) }))
      .execute()
  for (const logo of ['a clock', 'a bank']) {
    await read()
    await setLogo(logo)
    await refused(decide(rita, before, 'approved'), 409, 'review_changed')
  }
  await read()
  await setLogo('a bank')
  await done(decide(rita, before, 'approved'))
})

test('a change does not keep a reviewer from refusing, nor from approving what they never opened', async () => {
  const fields = named()
  const before = await submit(dan, fields)
  await done(rita.send('GET', reviewPath(before)))
  await done(dan.send('PUT', appPath(before), { ...fields, description: 'Second thoughts' }))
  await done(decide(rita, before, 'on_hold', misleading))
  await done(decide(olga, before, 'approved'))
})

test('what is decided is decided', async () => {
  const before = await approvedApp(dan, rita, named())
  for (const decision of ['approved', 'rejected', 'on_hold']) {
    await refused(decide(rita, before, decision, misleading), 409, 'nothing_to_decide')
  }
})

test('nobody decides about their own app while somebody else can', async () => {
  const hers = await submit(rita, named())
  await refused(decide(rita, hers, 'approved'), 403, 'own_app')
  await done(decide(olga, hers, 'approved'))

  const his = await submit(rita, named())
  await permit(olga, olga, { reviewer: false })
  await done(decide(rita, his, 'approved'))
  await permit(olga, olga, { reviewer: true })
})

test('a disabled reviewer is nobody else', async () => {
  const alone = await startApp({ letters: 'dropped' })
  const people = await meetDevelopers(alone)
  const hers = await submit(people.olga, named())
  await refused(decide(people.olga, hers, 'approved'), 403, 'own_app')
  await permit(people.olga, people.rita, { disabled: true })
  await done(decide(people.olga, hers, 'approved'))
})

test('only reviewers review', async () => {
  const before = await submit(dan, named())
  for (const person of [dan, eve, carol]) {
    await refused(person.send('GET', '/api/oauth2/reviews'), 403, 'reviewer_required')
    await refused(person.send('GET', reviewPath(before)), 403, 'reviewer_required')
    await refused(decide(person, before, 'approved'), 403, 'reviewer_required')
  }
  await refused(rita.send('GET', '/api/oauth2/reviews/no-such-app'), 404, 'review_not_found')
})

test('mallory, whose own organisation made her its only reviewer, approves nothing: not her app, not another one', async () => {
  const mallory = await signUp(app, 'Mallory', 'mallory@globex.example')
  const rights = { reviewer: true, administrator: true, oauthEnabled: true }
  await app.database.updateTable('account').set(rights).where('email', '=', mallory.email).execute()
  const hers = await submit(mallory, named())
  const his = await submit(dan, named())
  await refused(decide(mallory, hers, 'approved'), 403, 'reviewer_required')
  await refused(decide(mallory, his, 'approved'), 403, 'reviewer_required')
  await refused(mallory.send('GET', reviewPath(hers)), 403, 'reviewer_required')
  await refused(mallory.send('GET', '/api/oauth2/reviews?status=all'), 403, 'reviewer_required')
  assert.equal((await done(mallory.send('GET', appPath(hers)))).status, 'under_review')
  // Nor does she read that she could.
  assert.deepEqual((await done(mallory.send('GET', '/api/my_profile'))).roleIds, ['administrator'])
  assert.deepEqual((await done(rita.send('GET', '/api/my_profile'))).roleIds, ['reviewer'])
  const signedIn = await done(sendRequest(app, 'POST', '/api/auth/sign-in', { email: mallory.email, password }))
  assert.deepEqual(signedIn.user.roleIds, ['administrator'])

  // The reviewers of the organisation that runs the service find both, and decide.
  const { reviews } = await done(rita.send('GET', '/api/oauth2/reviews?status=all&limit=200'))
  const waiting = reviews.map(({ appId }: { appId: string }) => appId)
  assert.ok(waiting.includes(hers._id) && waiting.includes(his._id))
  assert.equal((await done(rita.send('GET', reviewPath(hers)))).owner.email, mallory.email)
  await done(decide(rita, hers, 'rejected', misleading))
})

test('an organisation that does not run the service is given no reviewers; who had the role loses it', async () => {
  const helga = await signUp(app, 'Helga', 'helga@globex.example')
  const hank = await signUp(app, 'Hank', 'hank@globex.example')
  await app.database.updateTable('account').set({ administrator: true }).where('email', '=', helga.email).execute()
  await app.database.updateTable('account').set({ reviewer: true }).where('email', '=', hank.email).execute()
  const account = ({ profile }: Person) => `/api/admin/accounts/${profile._id}`
  await refused(helga.send('PUT', account(helga), { reviewer: true }), 409, 'reviewers_elsewhere')
  assert.equal((await done(helga.send('PUT', account(hank), { oauthEnabled: true }))).reviewer, true)
  assert.equal((await done(helga.send('PUT', account(hank), { reviewer: false }))).reviewer, false)
})

test('a review says whether its reader may decide about it', async () => {
  const hers = await submit(rita, named())
  const mayDecide = async (person: Person) => (await done(person.send('GET', reviewPath(hers)))).mayDecide
  assert.deepEqual([await mayDecide(rita), await mayDecide(olga)], [false, true])
  await permit(olga, olga, { reviewer: false })
  assert.equal(await mayDecide(rita), true)
  await permit(olga, olga, { reviewer: true })
})

test('who runs the service stops the app of any organisation, and who runs an organisation only its own', async () => {
  const gina = await signUp(app, 'Gina', 'gina@globex.example')
  const rights = { reviewer: true, administrator: true, oauthEnabled: true }
  await app.database.updateTable('account').set(rights).where('email', '=', gina.email).execute()
  const hers = await submit(gina, named())
  await done(olga.send('POST', appPath(hers, '/suspend'), { reasons: misleading }))
  assert.equal((await done(gina.send('GET', appPath(hers)))).status, 'suspended')
  assert.equal((await done(olga.send('POST', appPath(hers, '/resume')))).status, 'under_review')
  await done(gina.send('POST', appPath(hers, '/suspend'), {}))

  const his = await submit(dan, named())
  await refused(gina.send('POST', appPath(his, '/suspend'), {}), 404, 'app_not_found')
  await refused(gina.send('POST', appPath(his, '/resume')), 404, 'app_not_found')
})

test('the queue has the longest waiting first, in pages', async () => {
  const queue = await startApp({ letters: 'dropped' })
  const people = await meetDevelopers(queue)
  const names = ['First in line', 'Second of all', 'Third and last']
  const apps = []
  for (const name of names) apps.push(await submit(people.dan, { name }))
  await submit(people.dan, { name: 'Only saved', draft: true })
  const held = await submit(people.dan, { name: 'Held back' })
  await done(decide(people.rita, held, 'on_hold', misleading))
  await approvedApp(people.dan, people.rita, { name: 'Long live' })

  const list = async (query: string) => {
    const body = await done(people.rita.send('GET', `/api/oauth2/reviews?${query}`))
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

  const first = await list('limit=2')
  assert.deepEqual([first.names, first.moreAvailable], [names.slice(0, 2), true])
  const rest = await list(`limit=2&after=${first.nextCursor}`)
  assert.deepEqual([rest.names, rest.moreAvailable, rest.nextCursor], [names.slice(2), false, null])
  await refused(people.rita.send('GET', '/api/oauth2/reviews?after=x'), 400, 'invalid_request')

  // Who submits again goes to the end.
  await done(people.dan.send('POST', appPath(held, '/submit')))
  assert.deepEqual((await list('')).names, [...names, 'Held back'])
  assert.equal(apps.length, 3)
})

test('each decision is in the audit log, and in what the developer reads', async () => {
  const before = await submit(dan, named())
  await done(decide(rita, before, 'on_hold', misleading))
  const entries = await app.database.selectFrom('auditEntry').selectAll().orderBy('id').execute()
  const [entry] = entries.filter(({ action }) => action === 'app.held').slice(-1)
  assert.deepEqual(
    [entry?.actorId, entry?.subjectId, entry?.detail],
    [rita.profile._id, dan.profile._id, { appId: before._id, revision: 1, reasons: misleading }],
  )
  const { events } = await done(dan.send('GET', appPath(before, '/events')))
  assert.deepEqual(
    events.map(({ kind, cause }: { kind: string; cause: string }) => [kind, cause]),
    [
      ['app_on_hold', 'Revision 1 was put on hold.'],
      ['app_submitted', 'Revision 1 was submitted for review.'],
    ],
  )
})
