import assert from 'node:assert/strict'
import { test } from 'node:test'
import { appPath, approvedApp, done, meetDevelopers, refused } from '../../../test/oauth/apps.ts'
import type { Person } from '../../../test/people.ts'
import { startApp } from '../../../test/start-app.ts'
import { secureRandom } from '../../platform/random.ts'
import { findClient } from '../credentials/client-store.ts'

const app = await startApp({ emails: 'dropped' })
const { olga, rita, dan, carol } = await meetDevelopers(app)
const findLive = (client: string) => findClient(app.database, client)

test('deletes an app with its grants and secrets', async () => {
  const mine = await approvedApp(dan, rita, { name: 'To be deleted' })
  const { secret: _, _id: secretId } = await done(dan.send('POST', appPath(mine, '/secrets'), { name: 'one' }), 201)
  const grantId = await grant(carol, mine, false)
  await done(dan.send('DELETE', appPath(mine)))
  for (const rest of ['', '/secrets', '/events']) {
    await refused(dan.send('GET', appPath(mine, rest)), 404, 'app_not_found')
  }
  await refused(dan.send('DELETE', appPath(mine)), 404, 'app_not_found')
  await refused(rita.send('GET', `/api/oauth2/reviews/${mine._id}`), 404, 'review_not_found')
  await refused(olga.send('POST', appPath(mine, '/suspend'), {}), 404, 'app_not_found')
  assert.equal(await findLive(mine.clientId), undefined)
  assert.equal(await findLive(mine.sandboxClientId), undefined)
  assert.equal(await revokedBecause(grantId), 'app_deleted')
  const row = await app.database
    .selectFrom('appSecret')
    .select('retiredAt')
    .where('id', '=', secretId)
    .executeTakeFirst()
  assert.notEqual(row?.retiredAt, null)
})

async function grant(person: Person, to: { _id: string }, sandbox: boolean): Promise<string> {
  const now = new Date()
  const id = secureRandom.uuid(now)
  const times = { createdAt: now, modifiedAt: now, lastUsedAt: null, expiresAt: new Date(now.getTime() + 60_000) }
  await app.database
    .insertInto('appGrant')
    .values({
      id,
      accountId: person.profile._id,
      appId: to._id,
      sandbox,
      scopes: ['user:read'],
      ...times,
      revokedAt: null,
      revokedBecause: null,
    })
    .execute()
  return id
}

async function revokedBecause(grantId: string) {
  const row = await app.database.selectFrom('appGrant').selectAll().where('id', '=', grantId).executeTakeFirstOrThrow()
  assert.equal(row.revokedAt === null, row.revokedBecause === null)
  return row.revokedBecause
}
