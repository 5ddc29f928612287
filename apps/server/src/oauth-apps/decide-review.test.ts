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
} from '../../test/oauth/apps.ts'
import { type Person, password, sendRequest, signUp, violationsOf } from '../../test/people.ts'
import { startApp } from '../../test/start-app.ts'

const app = await startApp({ emails: 'dropped', environment: { TENANTS: 'globex.example=Globex' } })
const { olga, rita, dan, eve, carol } = await meetDevelopers(app)
let made = 0

const named = (changes: object = {}) =>
  calendarApp({ name: `Planner ${'abcdefghjkmnpqrstuvwxyz'[made++]}`, ...changes })

test('gives an approved app its client id, once and permanently', async () => {
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

test('shows the developer the reasons of a rejection or a hold', async () => {
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

test('answers a decision without a reason, or with too many, with 400', async () => {
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

test('accepts one of several simultaneous decisions', async () => {
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

test('refuses an approval of a revision that changed after it was read, until the reviewer reads it again', async () => {
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

test('treats another image as a change, and the same one submitted again as none', async () => {
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

test('a change prevents neither a rejection, nor an approval of an app that was never opened', async () => {
  const fields = named()
  const before = await submit(dan, fields)
  await done(rita.send('GET', reviewPath(before)))
  await done(dan.send('PUT', appPath(before), { ...fields, description: 'Second thoughts' }))
  await done(decide(rita, before, 'on_hold', misleading))
  await done(decide(olga, before, 'approved'))
})

test('refuses a second decision', async () => {
  const before = await approvedApp(dan, rita, named())
  for (const decision of ['approved', 'rejected', 'on_hold']) {
    await refused(decide(rita, before, decision, misleading), 409, 'nothing_to_decide')
  }
})

test('refuses a decision about the own app while another reviewer exists', async () => {
  const hers = await submit(rita, named())
  await refused(decide(rita, hers, 'approved'), 403, 'own_app')
  await done(decide(olga, hers, 'approved'))

  const his = await submit(rita, named())
  await permit(olga, olga, { reviewer: false })
  await done(decide(rita, his, 'approved'))
  await permit(olga, olga, { reviewer: true })
})

test('does not count a disabled reviewer as another reviewer', async () => {
  const alone = await startApp({ emails: 'dropped' })
  const people = await meetDevelopers(alone)
  const hers = await submit(people.olga, named())
  await refused(decide(people.olga, hers, 'approved'), 403, 'own_app')
  await permit(people.olga, people.rita, { disabled: true })
  await done(decide(people.olga, hers, 'approved'))
})

test('allows only reviewers to review', async () => {
  const before = await submit(dan, named())
  for (const person of [dan, eve, carol]) {
    await refused(person.send('GET', '/api/oauth2/reviews'), 403, 'reviewer_required')
    await refused(person.send('GET', reviewPath(before)), 403, 'reviewer_required')
    await refused(decide(person, before, 'approved'), 403, 'reviewer_required')
  }
  await refused(rita.send('GET', '/api/oauth2/reviews/no-such-app'), 404, 'review_not_found')
})

test('mallory, made its only reviewer by her own organisation, can approve neither her app nor another one', async () => {
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
  // The reply does not say that she could, either.
  assert.deepEqual((await done(mallory.send('GET', '/api/my_profile'))).roleIds, ['administrator'])
  assert.deepEqual((await done(rita.send('GET', '/api/my_profile'))).roleIds, ['reviewer'])
  const signedIn = await done(sendRequest(app, 'POST', '/api/auth/sign-in', { email: mallory.email, password }))
  assert.deepEqual(signedIn.user.roleIds, ['administrator'])

  // The reviewers of the operator's organisation find both, and decide.
  const { reviews } = await done(rita.send('GET', '/api/oauth2/reviews?status=all&limit=200'))
  const waiting = reviews.map(({ appId }: { appId: string }) => appId)
  assert.ok(waiting.includes(hers._id) && waiting.includes(his._id))
  assert.equal((await done(rita.send('GET', reviewPath(hers)))).owner.email, mallory.email)
  await done(decide(rita, hers, 'rejected', misleading))
})

test('gives no reviewers to an organisation that does not run the service, and removes the role from earlier ones', async () => {
  const helga = await signUp(app, 'Helga', 'helga@globex.example')
  const hank = await signUp(app, 'Hank', 'hank@globex.example')
  await app.database.updateTable('account').set({ administrator: true }).where('email', '=', helga.email).execute()
  await app.database.updateTable('account').set({ reviewer: true }).where('email', '=', hank.email).execute()
  const account = ({ profile }: Person) => `/api/admin/accounts/${profile._id}`
  await refused(helga.send('PUT', account(helga), { reviewer: true }), 409, 'reviewers_elsewhere')
  assert.equal((await done(helga.send('PUT', account(hank), { oauthEnabled: true }))).reviewer, true)
  assert.equal((await done(helga.send('PUT', account(hank), { reviewer: false }))).reviewer, false)
})

test('records each decision in the audit log and for the developer', async () => {
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
