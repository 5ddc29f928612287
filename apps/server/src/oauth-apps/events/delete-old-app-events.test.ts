import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { meetDevelopers, submit } from '../../../test/oauth/apps.ts'
import { startApp } from '../../../test/start-app.ts'
import { secureRandom } from '../../platform/random.ts'
import { deleteOldAppEvents } from './app-event-store.ts'

const app = await startApp({ emails: 'dropped' })
const { dan } = await meetDevelopers(app)

test('keeps events for 90 days, and the newest 2,000 of each app and kind', async () => {
  const [mine, other] = [await submit(dan, { name: 'Flooded' }), await submit(dan, { name: 'Quiet one' })]
  const now = new Date()
  const row = (appId: string, at: Date, cause: string, kind = 'token_refused', sharedHour: Date | null = null) => ({
    id: secureRandom.uuid(at),
    appId,
    kind,
    cause,
    sandbox: false,
    requestId: '',
    createdAt: at,
    lastOccurredAt: at,
    sharedHour,
  })
  const days = (count: number) => new Date(now.getTime() - count * 24 * 60 * 60 * 1000)
  const insert = (rows: ReturnType<typeof row>[]) => app.database.insertInto('appEvent').values(rows).execute()
  await insert([row(other._id, days(90), 'too old'), row(other._id, days(89), 'not yet')])
  await insert([row(mine._id, days(2), 'what really went wrong')])
  for (let batch = 0; batch < 2; batch++) {
    const flood = Array.from({ length: 1_000 }, (_, index) => `${batch} ${index}`)
    await insert(flood.map((cause) => row(mine._id, now, cause, 'client_refused')))
  }
  assert.equal(await deleteOldAppEvents(app.database, now), 1)
  await insert([row(mine._id, now, 'one too many', 'client_refused')])
  assert.equal(await deleteOldAppEvents(app.database, now), 1)
  const causes = async (appId: string) => {
    const rows = await app.database
      .selectFrom('appEvent')
      .select('cause')
      .where('appId', '=', appId)
      .orderBy('id')
      .execute()
    return rows.map(({ cause }) => cause)
  }
  const submitted = 'Revision 1 was submitted for review.'
  assert.deepEqual(await causes(other._id), ['not yet', submitted])
  const left = await causes(mine._id)
  assert.deepEqual([left.length, ...left.slice(0, 3)], [2_002, 'what really went wrong', submitted, '0 1'])
  assert.deepEqual(left.at(-1), 'one too many')
})

test('lines that strangers cause displace only lines of their own kind', async () => {
  const mine = await submit(dan, { name: 'Besieged' })
  const now = new Date()
  const insert = (kind: string, count: number, shared: boolean, at: Date) =>
    app.database
      .insertInto('appEvent')
      .values(
        Array.from({ length: count }, (_, index) => ({
          id: secureRandom.uuid(at),
          appId: mine._id,
          kind,
          cause: `${shared ? 'Shared' : 'Own'} ${index}`,
          sandbox: false,
          requestId: '',
          createdAt: at,
          lastOccurredAt: at,
          sharedHour: shared ? now : null,
        })),
      )
      .execute()
  await insert('token_refused', 1, false, new Date(now.getTime() - 60_000))
  for (let batch = 0; batch < 2; batch++) {
    await insert('token_refused', 1_000, true, new Date(now.getTime() + batch))
    await app.database
      .updateTable('appEvent')
      .set({ cause: sql`cause || ' again'` })
      .where('sharedHour', 'is not', null)
      .execute()
  }
  await insert('token_refused', 1, true, new Date(now.getTime() + 2))
  assert.equal(await deleteOldAppEvents(app.database, now), 1)
  const kept = await app.database
    .selectFrom('appEvent')
    .select('cause')
    .where('appId', '=', mine._id)
    .where('sharedHour', 'is', null)
    .orderBy('id')
    .execute()
  assert.deepEqual(
    kept.map(({ cause }) => cause),
    ['Own 0', 'Revision 1 was submitted for review.'],
  )
})
