import assert from 'node:assert/strict'
import { test } from 'node:test'
import { appPath, approvedApp, done, meetDevelopers, refused } from '../../test/oauth/apps.ts'
import { insertGrant, revocationCauseOf } from '../../test/oauth/grants.ts'
import { startApp } from '../../test/start-app.ts'
import { findClient } from './client-store.ts'

const app = await startApp({ emails: 'dropped' })
const { olga, rita, dan, carol } = await meetDevelopers(app)
const findLive = (client: string) => findClient(app.database, client)

test('deletes an app with its grants and secrets', async () => {
  const mine = await approvedApp(dan, rita, { name: 'To be deleted' })
  const { secret: _, _id: secretId } = await done(dan.send('POST', appPath(mine, '/secrets'), { name: 'one' }), 201)
  const grantId = await insertGrant(app, carol, mine, { sandbox: false })
  await done(dan.send('DELETE', appPath(mine)))
  for (const rest of ['', '/secrets', '/events']) {
    await refused(dan.send('GET', appPath(mine, rest)), 404, 'app_not_found')
  }
  await refused(dan.send('DELETE', appPath(mine)), 404, 'app_not_found')
  await refused(rita.send('GET', `/api/oauth2/reviews/${mine._id}`), 404, 'review_not_found')
  await refused(olga.send('POST', appPath(mine, '/suspend'), {}), 404, 'app_not_found')
  assert.equal(await findLive(mine.clientId), undefined)
  assert.equal(await findLive(mine.sandboxClientId), undefined)
  assert.equal(await revocationCauseOf(app, grantId), 'app_deleted')
  const row = await app.database
    .selectFrom('appSecret')
    .select('retiredAt')
    .where('id', '=', secretId)
    .executeTakeFirst()
  assert.notEqual(row?.retiredAt, null)
})
