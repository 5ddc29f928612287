import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { appPath, submit } from '../../../test/oauth/apps.ts'
import { useDevelopers } from '../../../test/oauth/use-developers.ts'
import { expectOk, expectProblem } from '../../../test/replies.ts'
import { secureRandom } from '../../platform/random.ts'
import { addRefusalsToLines, deleteOldAppEvents, recordAppEvent } from './app-event-store.ts'

const { app, clock, developers } = await useDevelopers({ emails: 'dropped' })

test('lists events newest first, in pages', async () => {
  const [dan] = await developers('Dan')
  const mine = await submit(dan, { name: 'Eventful' })
  const { database } = app
  const event = { appId: mine._id, kind: 'token_refused', sandbox: true, requestId: 'r', random: secureRandom }
  for (let count = 1; count <= 5; count++) {
    await recordAppEvent(database, {
      ...event,
      cause: `Refusal ${count}`,
      now: new Date(clock.now().getTime() + count),
    })
  }
  const page = async (query: string) => {
    const body = await expectOk(dan.send('GET', appPath(mine, `/events?${query}`)))
    return { ...body, causes: body.events.map(({ cause }: { cause: string }) => cause) }
  }
  const first = await page('limit=2')
  assert.deepEqual([first.causes, first.moreAvailable], [['Refusal 5', 'Refusal 4'], true])
  const { _id, createdOn, lastOccurredOn, ...entry } = first.events[0]
  assert.equal(createdOn, lastOccurredOn)
  const expected = { kind: 'token_refused', cause: 'Refusal 5', occurrences: 1, sandbox: true, requestId: 'r' }
  assert.deepEqual(entry, expected)
  const rest = await page(`limit=200&after=${first.nextCursor}`)
  const submitted = 'Revision 1 was submitted for review.'
  assert.deepEqual(rest.causes, ['Refusal 3', 'Refusal 2', 'Refusal 1', submitted])
  assert.deepEqual([rest.moreAvailable, rest.nextCursor], [false, null])
  await expectProblem(dan.send('GET', appPath(mine, '/events?after=x')), 'invalid_request')
})

test('filters by kind, environment, request, text and time, behind any number of other events', async () => {
  const [dan] = await developers('Dan')
  const mine = await submit(dan, { name: 'Filtered' })
  const at = (hour: number) => new Date(Date.UTC(2040, 0, 1, hour))
  const record = (kind: string, cause: string, hour: number, more = {}) =>
    recordAppEvent(app.database, {
      appId: mine._id,
      kind,
      cause,
      sandbox: false,
      requestId: `request-${hour}`,
      now: at(hour),
      random: secureRandom,
      ...more,
    })
  await record('app_on_hold', 'A reviewer waits for 100%_sure.', 1)
  await record('consent_given', 'A user allowed user:read.', 2, { sandbox: true })
  for (let count = 0; count < 60; count++) await record('token_refused', 'The code has expired.', 3)
  const found = async (query: string) => {
    const { events } = await expectOk(dan.send('GET', appPath(mine, `/events?${query}`)))
    return events.map(({ kind }: { kind: string }) => kind)
  }
  assert.deepEqual(await found('kind=app_submitted,%20app_on_hold,app_approved'), ['app_on_hold', 'app_submitted'])
  assert.deepEqual(await found('sandbox=true'), ['consent_given'])
  assert.deepEqual(await found('sandbox=false&kind=consent_given'), [])
  assert.deepEqual(await found('requestId=request-1'), ['app_on_hold'])
  assert.deepEqual(await found('search=request-2'), ['consent_given'])
  assert.deepEqual(await found('search=%20A%20USER%20'), ['consent_given'])
  assert.deepEqual(await found(`search=${encodeURIComponent('100%_s')}`), ['app_on_hold'])
  assert.deepEqual(await found(`search=${encodeURIComponent('1%s')}`), [])
  assert.equal((await found('search=&limit=200')).length, 63)
  assert.deepEqual(await found(`fromDate=${at(1).toISOString()}&toDate=${at(2).toISOString()}`), ['app_on_hold'])
  assert.deepEqual(await found(`toDate=${at(1).toISOString()}`), ['app_submitted'])
  for (const wrong of ['kind=app_born', 'kind=', 'fromDate=yesterday', 'sandbox=perhaps']) {
    await expectProblem(dan.send('GET', appPath(mine, `/events?${wrong}`)), 'invalid_request')
  }
})

test('a line of several refusals is found by its newest requests and by each of its times', async () => {
  const [dan] = await developers('Dan')
  const mine = await submit(dan, { name: 'Shared' })
  const ids = Array.from({ length: 30 }, (_, index) => `shared-${index}`)
  const [first, last] = [new Date('2041-01-01T10:00:00Z'), new Date('2041-01-01T10:30:00Z')]
  const line = { appId: mine._id, sandbox: false, kind: 'client_refused', cause: 'Wrong.', hour: first }
  const counted = (requestIds: string[], now: Date) => ({ ...line, requestIds, count: 15, first: now, last: now })
  await addRefusalsToLines(app.database, [counted(ids.slice(0, 15).toReversed(), first)], secureRandom)
  await addRefusalsToLines(app.database, [counted(ids.slice(15).toReversed(), last)], secureRandom)
  const found = async (query: string) => (await expectOk(dan.send('GET', appPath(mine, `/events?${query}`)))).events
  const [shared] = await found('kind=client_refused')
  const { occurrences, createdOn, lastOccurredOn, requestId } = shared
  assert.deepEqual([occurrences, requestId], [30, 'shared-29'])
  assert.deepEqual([new Date(createdOn), new Date(lastOccurredOn)], [first, last])
  assert.equal((await found('requestId=shared-10')).length, 1)
  assert.equal((await found('requestId=shared-9')).length, 0)
  assert.equal((await found('fromDate=2041-01-01T10:30:00Z')).length, 1)
  assert.equal((await found('kind=client_refused&toDate=2041-01-01T10:00:01Z')).length, 1)
  assert.equal((await found('kind=client_refused&toDate=2041-01-01T10:00:00Z')).length, 0)
})

test('keeps events for 90 days, and the newest 2,000 of each app and kind', async () => {
  const [dan] = await developers('Dan')
  const [mine, other] = [await submit(dan, { name: 'Flooded' }), await submit(dan, { name: 'Quiet one' })]
  const now = new Date(clock.now().getTime() + 1_000)
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
  const [dan] = await developers('Dan')
  const mine = await submit(dan, { name: 'Besieged' })
  const now = new Date(clock.now().getTime() + 1_000)
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
