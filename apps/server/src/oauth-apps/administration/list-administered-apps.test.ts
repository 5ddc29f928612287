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
} from '../../../test/oauth/apps.ts'
import { codeFor } from '../../../test/oauth/token-client.ts'
import { type Person, signUp } from '../../../test/people.ts'
import { startApp } from '../../../test/start-app.ts'

const app = await startApp({ emails: 'dropped', environment: { TENANTS: 'globex.example=Globex' } })
const { olga, rita, dan, eve, carol } = await meetDevelopers(app)

// She stops apps, and reviews none.
await permit(olga, olga, { reviewer: false })

const list = async (person: Person, query = '') => done(person.send('GET', `/api/admin/apps?${query}`))
const find = async (q: string, person = olga) => (await list(person, `q=${encodeURIComponent(q)}`)).apps
const namesOf = (apps: { name: string }[]) => apps.map(({ name }) => name)

/** Somebody lets an app act for them, without its pages. */
const connect = (person: Person, { _id: appId }: { _id: string }, sandbox = false) =>
  codeFor(app, { appId, clientId: '', clientSecret: '', sandboxClientId: '', sandboxClientSecret: '' }, person, {
    sandbox,
  })

test('mallory, whose live app has a draft by another name, is found by both, with how many it reaches', async () => {
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
    owner: { _id: dan.profile._id, name: 'Dan', lname: 'Test', email: dan.email },
    connectedPeople: 2,
  }
  for (const words of ['CRM Planner', 'planner', 'zebra', ' ZEBRA tool ', planner.clientId, planner.sandboxClientId]) {
    assert.deepEqual(await find(words), [expected], words)
  }
  assert.ok((await find('dan@example')).some(({ _id }: { _id: string }) => _id === planner._id))
  assert.deepEqual(await find('CRM_Planner'), [])
  assert.deepEqual(await find(`${planner.clientId}x`), [])

  // Who disconnects it is counted no more, nor is what has run out.
  const { grants } = await done(eve.send('GET', '/api/oauth2/grants'))
  await done(eve.send('DELETE', `/api/oauth2/grants/${grants[0]._id}`))
  assert.equal((await find('zebra'))[0].connectedPeople, 1)
  await app.database
    .updateTable('appGrant')
    .set({ expiresAt: new Date(0) })
    .where('accountId', '=', carol.profile._id)
    .execute()
  assert.equal((await find('zebra'))[0].connectedPeople, 0)

  // A draft that is only saved is what the sandbox shows: it is found, too.
  await done(dan.send('PUT', appPath(planner), { ...calendarApp({ name: 'Quagga Tool' }), draft: true }))
  assert.deepEqual(namesOf(await find('quagga')), ['CRM Planner'])
  assert.equal((await find('quagga'))[0].status, 'draft')
})

test('suspended apps and the others are told apart; what is stopped is not live', async () => {
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

test('an app whose owner may offer none at the moment is not live either', async () => {
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

test('what was never submitted, and what was deleted, is not listed; a new one is by the name it waits under', async () => {
  await done(eve.send('POST', '/api/oauth2/apps', calendarApp({ name: 'Only saved', draft: true })), 201)
  assert.deepEqual(await find('only saved'), [])
  const waiting = await submit(eve, { name: 'Waits' })
  const [shown] = await find('waits')
  assert.deepEqual([shown.name, shown.draftName, shown.status, shown.isLive], ['Waits', null, 'under_review', false])
  await done(eve.send('DELETE', appPath(waiting)))
  assert.deepEqual(await find('waits'), [])
  await refused(olga.send('GET', `/api/admin/apps/${waiting._id}`), 404, 'app_not_found')
})

test('who runs the service sees the apps of all, who runs an organisation its own, and nobody else any', async () => {
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

test('the list comes in pages', async () => {
  const all = await list(olga, 'limit=200')
  assert.equal(all.totalCount, all.apps.length)
  const first = await list(olga, 'limit=2')
  assert.deepEqual([first.apps.length, first.moreAvailable, first.totalCount], [2, true, all.totalCount])
  const rest = await list(olga, `limit=200&after=${first.nextCursor}`)
  assert.deepEqual([...first.apps, ...rest.apps], all.apps)
  assert.deepEqual([rest.moreAvailable, rest.nextCursor], [false, null])
  await refused(olga.send('GET', '/api/admin/apps?after=x'), 400, 'invalid_request')
})
