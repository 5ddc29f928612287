import assert from 'node:assert/strict'
import { test } from 'node:test'
import { countTypes, lastEvent, readEvents } from '../../test/event-reader.ts'
import {
  appPath,
  approvedApp,
  calendarApp,
  decide,
  done,
  meetDevelopers,
  misleading,
  submit,
} from '../../test/oauth/apps.ts'
import { codeFor } from '../../test/oauth/token-client.ts'
import { password } from '../../test/people.ts'
import { createClock, startApp } from '../../test/start-app.ts'

const clock = createClock('2030-01-01T08:00:00Z')
const app = await startApp({ emails: 'dropped', clock })
const { olga, rita, dan, eve, carol } = await meetDevelopers(app)

test('app.rejected, .on_hold, .approved and .suspended: the owner reads the decisions, and others do not', async () => {
  const planner = await submit(dan, { name: 'Planner' })
  for (const [decision, reasons] of [
    ['on_hold', misleading],
    ['rejected', misleading],
  ] as const) {
    await done(decide(rita, planner, decision, reasons))
    const { data, subject, sequence } = await lastEvent(app, dan, `app.${decision}`)
    assert.deepEqual(
      [data, subject, sequence],
      [{ userId: dan.profile._id, appId: planner._id, name: 'Planner' }, planner._id, null],
    )
    await done(dan.send('POST', appPath(planner, '/submit')), 200)
  }
  await done(decide(rita, planner, 'approved'))
  await lastEvent(app, dan, 'app.approved')
  await done(olga.send('POST', appPath(planner, '/suspend'), {}))
  await lastEvent(app, dan, 'app.suspended')
  await done(olga.send('POST', appPath(planner, '/resume'), {}))
  await lastEvent(app, dan, 'app.approved')
  for (const other of [olga, rita, eve]) assert.deepEqual(await countTypes(app, other), {})
})

test('secret.expiring: once for each secret, two weeks before it expires, without the secret', async () => {
  const planner = await submit(dan, { name: 'Short-lived' })
  const days = (count: number) => new Date(clock.now().getTime() + count * 24 * 60 * 60 * 1000).toISOString()
  const make = (name: string, expiresOn?: string) =>
    done(dan.send('POST', appPath(planner, '/secrets'), { name, sandbox: true, ...(expiresOn && { expiresOn }) }), 201)
  const { _id: secretId, secret } = await make('Soon', days(15))
  const { _id: retired } = await make('Retired', days(15))
  await done(dan.send('DELETE', appPath(planner, `/secrets/${retired}`)))
  await make('For ever')
  const { nextCursor } = await readEvents(app, dan)
  const report = async () => {
    await app.taskList['report-expiring-secrets']?.({}, { job: { id: 1 } })
    return (await readEvents(app, dan, `after=${nextCursor}`)).events
  }
  clock.advance(24 * 60 * 60 * 1000 - 1)
  assert.deepEqual(await report(), [])
  clock.advance(1)
  await report()
  const [event, ...others] = await report()
  assert.deepEqual(others, [])
  assert.equal(event?.type, 'secret.expiring')
  assert.deepEqual(event?.data, {
    userId: dan.profile._id,
    appId: planner._id,
    name: 'Short-lived',
    secretId,
    secretName: 'Soon',
    sandbox: true,
    expiresOn: days(14),
  })
  assert.equal(JSON.stringify(event).includes(secret), false)
})

test('grant.changed and .revoked: the app gives up a scope, and is deleted', async () => {
  const planner = await approvedApp(dan, rita, { name: 'Given up' })
  const granted = { appId: planner._id, clientId: '', clientSecret: '', sandboxClientId: '', sandboxClientSecret: '' }
  await codeFor(app, granted, carol, { scopes: ['user:read', 'meeting:read'], clock })
  await done(dan.send('PUT', appPath(planner), calendarApp({ name: 'Given up', scopes: ['user:read'] })))
  assert.deepEqual((await lastEvent(app, carol, 'grant.changed')).data.scopes, ['user:read'])
  await done(dan.send('DELETE', appPath(planner)))
  const { data } = await lastEvent(app, carol, 'grant.revoked')
  assert.deepEqual([data.appId, data.userId, data.scopes], [planner._id, carol.profile._id, []])
})

test('the deletion of an account suspends its apps, and revokes its grants', async () => {
  const planner = await approvedApp(eve, rita, { name: 'Of Eve' })
  const granted = { appId: planner._id, clientId: '', clientSecret: '', sandboxClientId: '', sandboxClientSecret: '' }
  await codeFor(app, granted, eve, { scopes: ['user:read'], clock })
  await done(eve.send('POST', '/api/my_profile/delete', { currentPassword: password, meetings: 'cancel' }))
  // The account cannot sign in to read them; until it is erased, they can be delivered.
  const rows = await app.database
    .selectFrom('event')
    .select('type')
    .where('accountId', '=', eve.profile._id)
    .orderBy('number')
    .execute()
  assert.deepEqual(rows.map(({ type }) => type).slice(-2), ['grant.revoked', 'app.suspended'])
})
