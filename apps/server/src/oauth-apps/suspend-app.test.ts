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
  submit,
} from '../../test/oauth/apps.ts'
import { signUp } from '../../test/people.ts'
import { startApp } from '../../test/start-app.ts'
import { findClient } from './client-store.ts'

const app = await startApp({ emails: 'dropped', environment: { TENANTS: 'globex.example=Globex' } })
const { olga, rita, dan, eve, carol } = await meetDevelopers(app)
const findLive = (client: string) => findClient(app.database, client)
let made = 0

const named = (changes: object = {}) =>
  calendarApp({ name: `Planner ${'abcdefghjkmnpqrstuvwxyz'[made++]}`, ...changes })

test('suspends an app in any state but a draft, and resuming restores that state', async () => {
  const saved = await submit(dan, { name: 'Only saved', draft: true })
  await refused(olga.send('POST', appPath(saved, '/suspend'), {}), 409, 'wrong_app_state')

  const waiting = await submit(dan, { name: 'Suspended waiting' })
  const rejected = await submit(dan, { name: 'Suspended rejected' })
  await done(decide(rita, rejected, 'rejected', misleading))
  const held = await submit(dan, { name: 'Suspended held' })
  await done(decide(rita, held, 'on_hold', misleading))
  const live = await approvedApp(dan, rita, { name: 'Suspended live' })
  const changed = await approvedApp(dan, rita, { name: 'Suspended changed' })
  await done(dan.send('PUT', appPath(changed), { ...changed, description: 'New', draft: true }))

  for (const mine of [waiting, rejected, held, live, changed]) {
    const before = await done(dan.send('GET', appPath(mine)))
    const reasons = [{ code: 'malicious_url', field: 'homepageUrl' }]
    const suspended = await done(olga.send('POST', appPath(mine, '/suspend'), { reasons }))
    assert.equal(suspended.status, 'suspended')
    await refused(olga.send('POST', appPath(mine, '/suspend'), {}), 409, 'wrong_app_state')
    await refused(decide(rita, mine, 'approved'), 409, 'nothing_to_decide')
    const seen = await done(dan.send('GET', appPath(mine)))
    assert.deepEqual([seen.status, seen.reasons], ['suspended', reasons])
    assert.equal((await findLive(mine.sandboxClientId))?.status, 'suspended')

    const resumed = await done(olga.send('POST', appPath(mine, '/resume')))
    assert.notEqual(resumed.status, 'suspended')
    const { modifiedOn, ...after } = await done(dan.send('GET', appPath(mine)))
    assert.deepEqual({ ...after, modifiedOn: before.modifiedOn }, before)
    await refused(olga.send('POST', appPath(mine, '/resume')), 409, 'wrong_app_state')
  }
})

test('allows only administrators to suspend and resume', async () => {
  const mine = await approvedApp(dan, rita, { name: 'Unstoppable' })
  for (const person of [dan, rita, eve, carol]) {
    await refused(person.send('POST', appPath(mine, '/suspend'), {}), 403, 'administrator_required')
    await refused(person.send('POST', appPath(mine, '/resume')), 403, 'administrator_required')
  }
})

test('a suspended app keeps its name reserved', async () => {
  const mine = await submit(dan, { name: 'Kept name' })
  await done(olga.send('POST', appPath(mine, '/suspend'), {}))
  await refused(eve.send('POST', '/api/oauth2/apps', calendarApp({ name: 'Kept name' })), 409, 'app_name_taken')
})

test('lets the operator suspend the app of any organisation, and an organisation’s administrator only its own', async () => {
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
