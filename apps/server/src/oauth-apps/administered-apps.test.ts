import assert from 'node:assert/strict'
import { test } from 'node:test'
import { appPath, approvedApp, calendarApp, decide, misleading, permit, submit } from '../../test/oauth/apps.ts'
import { codeFor } from '../../test/oauth/token-client.ts'
import { useDevelopers } from '../../test/oauth/use-developers.ts'
import { type Person, sendRequest, signUp } from '../../test/people.ts'
import { expectOk, expectProblem } from '../../test/replies.ts'
import { writeCursor } from '../platform/database/cursor.ts'
import { findClient } from './client-store.ts'

const { app, clock, olga, developers, meet } = await useDevelopers({
  emails: 'dropped',
  start: '2030-01-07T09:00:00Z',
  environment: { TENANTS: 'globex.example=Globex,initech.example=Initech' },
})

let made = 0

/** An app whose name differs from the others in more than one letter. */
const named = (changes: object = {}) => calendarApp({ name: `Diary ${++made} ${'x'.repeat(made)}`, ...changes })

// An administrator suspends apps, and does not have to be a reviewer.
await permit(olga, olga, { reviewer: false })

const findLive = (client: string) => findClient(app.database, client)
const list = async (person: Person, query = '') => expectOk(person.send('GET', `/api/admin/apps?${query}`))
const find = async (q: string, person = olga) => (await list(person, `q=${encodeURIComponent(q)}`)).apps
const namesOf = (apps: { name: string }[]) => apps.map(({ name }) => name)

/** Grant an app access for a person, without the pages. */
const connect = (person: Person, { _id: appId }: { _id: string }, sandbox = false) =>
  codeFor(app, { appId, clientId: '', clientSecret: '', sandboxClientId: '', sandboxClientSecret: '' }, person, {
    sandbox,
    clock,
  })

test('mallory’s live app with a draft of another name is found by both names, with the number of its users', async () => {
  const [rita, dan, eve] = await developers('Rita', 'Dan', 'Eve')
  const [carol] = await meet('Carol')
  const planner = await approvedApp(dan, rita, { name: 'CRM Planner' })
  await connect(carol, planner)
  await connect(eve, planner)
  await connect(dan, planner, true)
  await expectOk(dan.send('PUT', appPath(planner), calendarApp({ name: 'Zebra Tool' })))
  const { modifiedOn } = await expectOk(dan.send('GET', appPath(planner)))
  const expected = {
    _id: planner._id,
    name: 'CRM Planner',
    draftName: 'Zebra Tool',
    status: 'under_review',
    isLive: true,
    registration: 'portal',
    owner: { _id: dan.profile._id, name: 'Dan', lname: 'Test', email: dan.email },
    connectedPeople: 2,
    modifiedOn,
  }
  for (const words of ['CRM Planner', 'planner', 'zebra', ' ZEBRA tool ', planner.clientId, planner.sandboxClientId]) {
    assert.deepEqual(await find(words), [expected], words)
  }
  assert.ok((await find(dan.email)).some(({ _id }: { _id: string }) => _id === planner._id))
  assert.deepEqual(await find('CRM_Planner'), [])
  assert.deepEqual(await find(`${planner.clientId}x`), [])

  // Users who disconnect the app are not counted any more, nor are expired grants.
  const { grants } = await expectOk(eve.send('GET', '/api/oauth2/grants'))
  await expectOk(eve.send('DELETE', `/api/oauth2/grants/${grants[0]._id}`))
  assert.equal((await find('zebra'))[0].connectedPeople, 1)
  await app.database
    .updateTable('appGrant')
    .set({ expiresAt: new Date(0) })
    .where('accountId', '=', carol.profile._id)
    .execute()
  assert.equal((await find('zebra'))[0].connectedPeople, 0)

  // A draft that is only saved is visible in the sandbox, and found, too.
  await expectOk(dan.send('PUT', appPath(planner), { ...calendarApp({ name: 'Quagga Tool' }), draft: true }))
  assert.deepEqual(namesOf(await find('quagga')), ['CRM Planner'])
  assert.equal((await find('quagga'))[0].status, 'draft')
})

test('distinguishes suspended apps from others; a suspended app is not live', async () => {
  const [rita, dan] = await developers('Rita', 'Dan')
  const stopped = await approvedApp(dan, rita, { name: 'To be stopped' })
  const isListed = async (query: string) =>
    (await list(olga, query)).apps.some(({ _id }: { _id: string }) => _id === stopped._id)
  assert.deepEqual([await isListed('suspended=false'), await isListed('suspended=true')], [true, false])
  await expectOk(olga.send('POST', appPath(stopped, '/suspend'), {}))
  assert.deepEqual([await isListed('suspended=false'), await isListed('suspended=true')], [false, true])
  assert.equal(await isListed(''), true)
  const [shown] = await find('to be stopped')
  assert.deepEqual(
    [shown.status, shown.isLive, shown.name, shown.draftName],
    ['suspended', false, 'To be stopped', null],
  )
  await expectOk(olga.send('POST', appPath(stopped, '/resume')))
  assert.equal((await find('to be stopped'))[0].isLive, true)
})

test('an app whose owner may not offer apps at the moment is not live either', async () => {
  const [rita] = await developers('Rita')
  const [gone] = await developers('Gone')
  await approvedApp(gone, rita, { name: 'Ownerless' })
  const isLive = async () => (await find('ownerless'))[0].isLive
  assert.equal(await isLive(), true)
  await permit(olga, gone, { oauthEnabled: false })
  assert.equal(await isLive(), false)
  await permit(olga, gone, { oauthEnabled: true, disabled: true })
  assert.equal(await isLive(), false)
})

test('omits never submitted and deleted apps; lists a new one by the name under review', async () => {
  const [eve] = await developers('Eve')
  await expectOk(eve.send('POST', '/api/oauth2/apps', calendarApp({ name: 'Only saved', draft: true })), 201)
  assert.deepEqual(await find('only saved'), [])
  const waiting = await submit(eve, { name: 'Waits' })
  const [shown] = await find('waits')
  assert.deepEqual([shown.name, shown.draftName, shown.status, shown.isLive], ['Waits', null, 'under_review', false])
  await expectOk(eve.send('DELETE', appPath(waiting)))
  assert.deepEqual(await find('waits'), [])
  await expectProblem(olga.send('GET', `/api/admin/apps/${waiting._id}`), 'app_not_found')
})

test('shows the operator the apps of all, an organisation’s administrator its own, and other people none', async () => {
  const [rita, dan] = await developers('Rita', 'Dan')
  const gina = await signUp(app, 'Gina', 'gina@globex.example')
  const rights = { administrator: true, oauthEnabled: true }
  await app.database.updateTable('account').set(rights).where('email', '=', gina.email).execute()
  const hers = await submit(gina, { name: 'Globex Tool' })
  const his = await submit(dan, { name: 'Not of Globex' })
  assert.deepEqual(namesOf((await list(gina)).apps), ['Globex Tool'])
  assert.deepEqual(namesOf(await find('globex')).toSorted(), ['Globex Tool', 'Not of Globex'])
  await expectOk(gina.send('GET', `/api/admin/apps/${hers._id}`))
  await expectProblem(gina.send('GET', `/api/admin/apps/${his._id}`), 'app_not_found')
  for (const person of [rita, dan]) await expectProblem(person.send('GET', '/api/admin/apps'), 'administrator_required')
})

test('pages through the list', async () => {
  const [dan] = await developers('Dan')
  for (const name of ['First of pages', 'Second on a page', 'Third of the list']) await submit(dan, { name })
  const all = await list(olga, 'limit=200')
  assert.equal(all.totalCount, all.apps.length)
  const first = await list(olga, 'limit=2')
  assert.deepEqual([first.apps.length, first.moreAvailable, first.totalCount], [2, true, all.totalCount])
  const rest = await list(olga, `limit=200&after=${first.nextCursor}`)
  assert.deepEqual([...first.apps, ...rest.apps], all.apps)
  assert.deepEqual([rest.moreAvailable, rest.nextCursor], [false, null])
  const deleted = writeCursor({ at: clock.now(), id: '00000000-0000-7000-8000-000000000000' })
  assert.deepEqual((await list(olga, `limit=200&after=${deleted}`)).apps, all.apps)
  await expectProblem(olga.send('GET', '/api/admin/apps?after=x'), 'invalid_request')
})

test('sorts by name, owner, status and last change in both directions, across pages', async () => {
  const [rita, dan] = await developers('Rita', 'Dan')
  const gina = await signUp(app, 'Gina', 'gina-sorts@initech.example')
  const hans = await signUp(app, 'Hans', 'hans-sorts@initech.example')
  await app.database
    .updateTable('account')
    .set({ administrator: true, oauthEnabled: true })
    .where('email', 'in', [gina.email, hans.email])
    .execute()
  const submitAt = async (person: Person, name: string) => {
    clock.advance(1_000)
    return submit(person, { name })
  }
  const held = await submitAt(hans, 'Éclair of Hans')
  await submitAt(gina, 'zebra of Gina')
  const rejected = await submitAt(gina, 'Eagle of Gina')
  await submitAt(hans, 'Falcon of Hans')
  await submitAt(dan, 'Not of Initech')
  clock.advance(1_000)
  await expectOk(decide(rita, rejected, 'rejected', misleading))
  clock.advance(1_000)
  await expectOk(decide(rita, held, 'on_hold', misleading))

  const onPages = async (query: string, limit: number) => {
    const found: string[] = []
    for (let after = ''; ; ) {
      const { apps, nextCursor } = await list(gina, `limit=${limit}&${query}${after}`)
      found.push(...namesOf(apps).map((name) => name.split(' ')[0] ?? ''))
      if (nextCursor === null) return found
      after = `&after=${nextCursor}`
    }
  }
  const expected = {
    createdOn: ['Éclair', 'zebra', 'Eagle', 'Falcon'],
    name: ['Eagle', 'Éclair', 'Falcon', 'zebra'],
    owner: ['zebra', 'Eagle', 'Éclair', 'Falcon'],
    status: ['zebra', 'Falcon', 'Éclair', 'Eagle'],
    modifiedOn: ['zebra', 'Falcon', 'Eagle', 'Éclair'],
  }
  for (const [sort, names] of Object.entries(expected)) {
    for (const limit of [1, 3, 50]) {
      assert.deepEqual(await onPages(`sort=${sort}`, limit), names, `${sort} by ${limit}`)
      assert.deepEqual(await onPages(`sort=${sort}&order=desc`, limit), names.toReversed(), `${sort} back by ${limit}`)
    }
  }

  // The last app of a page may change before the next page is read.
  const first = await list(gina, 'sort=modifiedOn&limit=1')
  const byStatus = await list(gina, 'sort=status&limit=1')
  const [changed] = first.apps
  assert.equal(byStatus.apps[0]?._id, changed._id)
  clock.advance(1_000)
  await expectOk(olga.send('POST', appPath(changed, '/suspend'), {}))
  const rest = await list(gina, `sort=modifiedOn&after=${first.nextCursor}`)
  assert.deepEqual(
    namesOf(rest.apps).map((name) => name.split(' ')[0]),
    ['Falcon', 'Eagle', 'Éclair', 'zebra'],
  )
  const others = await list(gina, `sort=status&after=${byStatus.nextCursor}`)
  assert.deepEqual(
    namesOf(others.apps).map((name) => name.split(' ')[0]),
    ['Falcon', 'Éclair', 'Eagle', 'zebra'],
  )
  // It may be deleted, too.
  const byName = await list(gina, 'sort=name&limit=2')
  const byOwner = await list(gina, 'sort=owner&limit=2')
  assert.equal(byName.apps[1]?._id, held._id)
  await expectOk(hans.send('DELETE', `/api/oauth2/apps/${held._id}`))
  await expectOk(gina.send('DELETE', `/api/oauth2/apps/${rejected._id}`))
  const namesAfter = async (query: string) => namesOf((await list(gina, query)).apps).map((name) => name.split(' ')[0])
  assert.deepEqual(await namesAfter(`sort=name&after=${byName.nextCursor}`), ['Falcon', 'zebra'])
  assert.deepEqual(await namesAfter(`sort=owner&after=${byOwner.nextCursor}`), ['Falcon'])
  await expectProblem(gina.send('GET', '/api/admin/apps?sort=client&order=up'), 'invalid_request', [
    '/order not_allowed',
    '/sort not_allowed',
  ])
})

test('shows the live and the pending revision, and the decisions', async () => {
  const [rita, dan] = await developers('Rita', 'Dan')
  const registered = await approvedApp(dan, rita, { name: 'Two faces' })
  await expectOk(
    dan.send('PUT', appPath(registered), calendarApp({ name: 'Other face', description: 'Something else' })),
  )
  await expectOk(decide(rita, registered, 'rejected', misleading))
  const details = await expectOk(olga.send('GET', `/api/admin/apps/${registered._id}`))
  assert.deepEqual([details.name, details.draftName, details.isLive], ['Two faces', 'Other face', true])
  assert.deepEqual([details.live.name, details.live.status], ['Two faces', 'approved'])
  assert.deepEqual(
    [details.draft.name, details.draft.status, details.draft.draftStatus],
    ['Other face', 'approved', 'rejected'],
  )
  assert.deepEqual(
    details.history.map(({ decision, by }: { decision: string; by: string }) => `${decision} ${by}`),
    ['submitted Dan Test', 'approved Rita Test', 'submitted Dan Test', 'rejected Rita Test'],
  )
  for (const id of ['x', '00000000-0000-7000-8000-000000000000']) {
    await expectProblem(olga.send('GET', `/api/admin/apps/${id}`), 'app_not_found')
  }
})

test('suspends an app in any state but a draft, and resuming restores that state', async () => {
  const [rita, dan] = await developers('Rita', 'Dan')
  const saved = await submit(dan, { name: 'Only saved', draft: true })
  await expectProblem(olga.send('POST', appPath(saved, '/suspend'), {}), 'wrong_app_state')

  const waiting = await submit(dan, { name: 'Suspended waiting' })
  const rejected = await submit(dan, { name: 'Suspended rejected' })
  await expectOk(decide(rita, rejected, 'rejected', misleading))
  const held = await submit(dan, { name: 'Suspended held' })
  await expectOk(decide(rita, held, 'on_hold', misleading))
  const live = await approvedApp(dan, rita, { name: 'Suspended live' })
  const changed = await approvedApp(dan, rita, { name: 'Suspended changed' })
  await expectOk(dan.send('PUT', appPath(changed), { ...changed, description: 'New', draft: true }))

  for (const mine of [waiting, rejected, held, live, changed]) {
    const before = await expectOk(dan.send('GET', appPath(mine)))
    const reasons = [{ code: 'malicious_url', field: 'homepageUrl' }]
    const suspended = await expectOk(olga.send('POST', appPath(mine, '/suspend'), { reasons }))
    assert.equal(suspended.status, 'suspended')
    await expectProblem(olga.send('POST', appPath(mine, '/suspend'), {}), 'wrong_app_state')
    await expectProblem(decide(rita, mine, 'approved'), 'nothing_to_decide')
    const seen = await expectOk(dan.send('GET', appPath(mine)))
    assert.deepEqual([seen.status, seen.reasons], ['suspended', reasons])
    assert.equal((await findLive(mine.sandboxClientId))?.status, 'suspended')

    const resumed = await expectOk(olga.send('POST', appPath(mine, '/resume')))
    assert.notEqual(resumed.status, 'suspended')
    const { modifiedOn, ...after } = await expectOk(dan.send('GET', appPath(mine)))
    assert.deepEqual({ ...after, modifiedOn: before.modifiedOn }, before)
    await expectProblem(olga.send('POST', appPath(mine, '/resume')), 'wrong_app_state')
  }
})

test('a suspended app keeps its name reserved', async () => {
  const [dan, eve] = await developers('Dan', 'Eve')
  const mine = await submit(dan, { name: 'Kept name' })
  await expectOk(olga.send('POST', appPath(mine, '/suspend'), {}))
  await expectProblem(eve.send('POST', '/api/oauth2/apps', calendarApp({ name: 'Kept name' })), 'app_name_taken')
})

test('lets the operator suspend the app of any organisation, and an organisation’s administrator only its own', async () => {
  const [dan] = await developers('Dan')
  const gina = await signUp(app, 'Gina', 'gina@initech.example')
  const rights = { reviewer: true, administrator: true, oauthEnabled: true }
  await app.database.updateTable('account').set(rights).where('email', '=', gina.email).execute()
  const hers = await submit(gina, named())
  await expectOk(olga.send('POST', appPath(hers, '/suspend'), { reasons: misleading }))
  assert.equal((await expectOk(gina.send('GET', appPath(hers)))).status, 'suspended')
  assert.equal((await expectOk(olga.send('POST', appPath(hers, '/resume')))).status, 'under_review')
  await expectOk(gina.send('POST', appPath(hers, '/suspend'), {}))

  const his = await submit(dan, named())
  await expectProblem(gina.send('POST', appPath(his, '/suspend'), {}), 'app_not_found')
  await expectProblem(gina.send('POST', appPath(his, '/resume')), 'app_not_found')
})

test('Olga resumes Dan’s app: it is live again, and the logs say who resumed it', async () => {
  const [rita, dan] = await developers('Rita', 'Dan')
  const mine = await approvedApp(dan, rita, { name: 'Back again' })
  await expectOk(olga.send('POST', appPath(mine, '/suspend'), { reasons: misleading }))
  clock.advance(1_000)
  const resumed = await expectOk(olga.send('POST', appPath(mine, '/resume')))
  assert.deepEqual([resumed.name, resumed.status, resumed.clientId], ['Back again', 'approved', mine.clientId])
  const { status, reasons, modifiedOn } = await expectOk(dan.send('GET', appPath(mine)))
  assert.deepEqual([status, reasons, modifiedOn], ['approved', [], '2030-01-07T09:00:01.000Z'])

  const { events } = await expectOk(dan.send('GET', appPath(mine, '/events?limit=1')))
  assert.deepEqual(
    [events[0].kind, events[0].cause],
    ['app_resumed', 'An administrator has resumed the app; what it held works again.'],
  )
  const { entries } = await expectOk(olga.send('GET', '/api/admin/audit-log?action=app.resumed'))
  const ofDan = entries.filter(({ subject }: { subject: { email: string } }) => subject.email === dan.email)
  assert.deepEqual(
    ofDan.map(({ actor }: { actor: { email: string } }) => actor.email),
    [olga.email],
  )
  const { history } = await expectOk(olga.send('GET', `/api/admin/apps/${mine._id}`))
  assert.equal(history.at(-1).decision, 'resumed')
})

test('resumes only a suspended app, and one of two simultaneous requests', async () => {
  const [dan] = await developers('Dan')
  const mine = await submit(dan, { name: 'Never stopped' })
  await expectProblem(olga.send('POST', appPath(mine, '/resume')), 'wrong_app_state')
  await expectOk(olga.send('POST', appPath(mine, '/suspend'), {}))
  const both = await Promise.all([1, 2].map(() => olga.send('POST', appPath(mine, '/resume'))))
  assert.deepEqual(both.map(({ status }) => status).toSorted(), [200, 409])
})

test('refuses its developer and reviewers, and answers not found for an unknown app', async () => {
  const [rita, dan, eve] = await developers('Rita', 'Dan', 'Eve')
  const mine = await submit(dan, { name: 'Stays stopped' })
  await expectOk(olga.send('POST', appPath(mine, '/suspend'), {}))
  for (const person of [dan, eve, rita]) {
    await expectProblem(person.send('POST', appPath(mine, '/resume')), 'administrator_required')
  }
  await expectProblem(sendRequest(app, 'POST', appPath(mine, '/resume')), 'unauthorized')
  for (const _id of ['nonsense', '%00', '00000000-0000-7000-8000-000000000000']) {
    await expectProblem(olga.send('POST', appPath({ _id }, '/resume')), 'app_not_found')
  }
  assert.equal((await expectOk(dan.send('GET', appPath(mine)))).status, 'suspended')
})
