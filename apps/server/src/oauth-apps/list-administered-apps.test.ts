import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  appPath,
  approvedApp,
  calendarApp,
  done,
  meetDevelopers,
  permit,
  refused,
  submit,
} from '../../test/oauth/apps.ts'
import { codeFor } from '../../test/oauth/token-client.ts'
import { type Person, signUp } from '../../test/people.ts'
import { startApp } from '../../test/start-app.ts'

const app = await startApp({ emails: 'dropped', environment: { TENANTS: 'globex.example=Globex' } })
const { olga, rita, dan, eve, carol } = await meetDevelopers(app)

// An administrator suspends apps, but does not review them.
await permit(olga, olga, { reviewer: false })

const list = async (person: Person, query = '') => done(person.send('GET', `/api/admin/apps?${query}`))
const find = async (q: string, person = olga) => (await list(person, `q=${encodeURIComponent(q)}`)).apps
const namesOf = (apps: { name: string }[]) => apps.map(({ name }) => name)

/** Grant an app access for a person, without the pages. */
const connect = (person: Person, { _id: appId }: { _id: string }, sandbox = false) =>
  codeFor(app, { appId, clientId: '', clientSecret: '', sandboxClientId: '', sandboxClientSecret: '' }, person, {
    sandbox,
  })

test('mallory’s live app with a draft of another name is found by both names, with the number of its users', async () => {
  const planner = await approvedApp(dan, rita, { name: 'CRM Planner' })
  await connect(carol, planner)
  await connect(eve, planner)
  await connect(dan, planner, true)
  await done(dan.send('PUT', appPath(planner), calendarApp({ name: 'Zebra Tool' })))
  const expected = {
    _id: planner._id,
    name: 'CRM Planner',
    draftName: 'Zebra Tool',
    status: 'under_review',
    isLive: true,
    registration: 'portal',
    owner: { _id: dan.profile._id, name: 'Dan', lname: 'Test', email: dan.email },
    connectedPeople: 2,
  }
  for (const words of ['CRM Planner', 'planner', 'zebra', ' ZEBRA tool ', planner.clientId, planner.sandboxClientId]) {
    assert.deepEqual(await find(words), [expected], words)
  }
  assert.ok((await find('dan@example')).some(({ _id }: { _id: string }) => _id === planner._id))
  assert.deepEqual(await find('CRM_Planner'), [])
  assert.deepEqual(await find(`${planner.clientId}x`), [])

  // Users who disconnect the app are not counted any more, nor are expired grants.
  const { grants } = await done(eve.send('GET', '/api/oauth2/grants'))
  await done(eve.send('DELETE', `/api/oauth2/grants/${grants[0]._id}`))
  assert.equal((await find('zebra'))[0].connectedPeople, 1)
  await app.database
    .updateTable('appGrant')
    .set({ expiresAt: new Date(0) })
    .where('accountId', '=', carol.profile._id)
    .execute()
  assert.equal((await find('zebra'))[0].connectedPeople, 0)

  // A draft that is only saved is visible in the sandbox, and found, too.
  await done(dan.send('PUT', appPath(planner), { ...calendarApp({ name: 'Quagga Tool' }), draft: true }))
  assert.deepEqual(namesOf(await find('quagga')), ['CRM Planner'])
  assert.equal((await find('quagga'))[0].status, 'draft')
})

test('distinguishes suspended apps from others; a suspended app is not live', async () => {
  const stopped = await approvedApp(dan, rita, { name: 'To be stopped' })
  const isListed = async (query: string) =>
    (await list(olga, query)).apps.some(({ _id }: { _id: string }) => _id === stopped._id)
  assert.deepEqual([await isListed('suspended=false'), await isListed('suspended=true')], [true, false])
  await done(olga.send('POST', appPath(stopped, '/suspend'), {}))
  assert.deepEqual([await isListed('suspended=false'), await isListed('suspended=true')], [false, true])
  assert.equal(await isListed(''), true)
  const [shown] = await find('to be stopped')
  assert.deepEqual(
    [shown.status, shown.isLive, shown.name, shown.draftName],
    ['suspended', false, 'To be stopped', null],
  )
  await done(olga.send('POST', appPath(stopped, '/resume')))
  assert.equal((await find('to be stopped'))[0].isLive, true)
})

test('an app whose owner may not offer apps at the moment is not live either', async () => {
  const gone = await signUp(app, 'Gone')
  await permit(olga, gone, { oauthEnabled: true })
  await approvedApp(gone, rita, { name: 'Ownerless' })
  const isLive = async () => (await find('ownerless'))[0].isLive
  assert.equal(await isLive(), true)
  await permit(olga, gone, { oauthEnabled: false })
  assert.equal(await isLive(), false)
  await permit(olga, gone, { oauthEnabled: true, disabled: true })
  assert.equal(await isLive(), false)
})

test('omits never submitted and deleted apps; lists a new one by the name under review', async () => {
  await done(eve.send('POST', '/api/oauth2/apps', calendarApp({ name: 'Only saved', draft: true })), 201)
  assert.deepEqual(await find('only saved'), [])
  const waiting = await submit(eve, { name: 'Waits' })
  const [shown] = await find('waits')
  assert.deepEqual([shown.name, shown.draftName, shown.status, shown.isLive], ['Waits', null, 'under_review', false])
  await done(eve.send('DELETE', appPath(waiting)))
  assert.deepEqual(await find('waits'), [])
  await refused(olga.send('GET', `/api/admin/apps/${waiting._id}`), 404, 'app_not_found')
})

test('shows the operator the apps of all, an organisation’s administrator its own, and other people none', async () => {
  const gina = await signUp(app, 'Gina', 'gina@globex.example')
  const rights = { administrator: true, oauthEnabled: true }
  await app.database.updateTable('account').set(rights).where('email', '=', gina.email).execute()
  const hers = await submit(gina, { name: 'Globex Tool' })
  const his = await submit(dan, { name: 'Not of Globex' })
  assert.deepEqual(namesOf((await list(gina)).apps), ['Globex Tool'])
  assert.deepEqual(namesOf(await find('globex')).toSorted(), ['Globex Tool', 'Not of Globex'])
  await done(gina.send('GET', `/api/admin/apps/${hers._id}`))
  await refused(gina.send('GET', `/api/admin/apps/${his._id}`), 404, 'app_not_found')
  for (const person of [rita, dan]) await refused(person.send('GET', '/api/admin/apps'), 403, 'administrator_required')
})

test('pages through the list', async () => {
  const all = await list(olga, 'limit=200')
  assert.equal(all.totalCount, all.apps.length)
  const first = await list(olga, 'limit=2')
  assert.deepEqual([first.apps.length, first.moreAvailable, first.totalCount], [2, true, all.totalCount])
  const rest = await list(olga, `limit=200&after=${first.nextCursor}`)
  assert.deepEqual([...first.apps, ...rest.apps], all.apps)
  assert.deepEqual([rest.moreAvailable, rest.nextCursor], [false, null])
  await refused(olga.send('GET', '/api/admin/apps?after=x'), 400, 'invalid_request')
})
