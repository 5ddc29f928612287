import assert from 'node:assert/strict'
import { test } from 'node:test'
import { appPath, done, meetDevelopers, refused, submit } from '../../../test/oauth/apps.ts'
import { startApp } from '../../../test/start-app.ts'
import { secureRandom } from '../../platform/random.ts'
import { addRefusalsToLines, recordAppEvent } from './app-event-store.ts'

const app = await startApp({ emails: 'dropped' })
const { dan } = await meetDevelopers(app)

test('lists events newest first, in pages', async () => {
  const mine = await submit(dan, { name: 'Eventful' })
  const { database } = app
  const event = { appId: mine._id, kind: 'token_refused', sandbox: true, requestId: 'r', random: secureRandom }
  for (let count = 1; count <= 5; count++) {
    await recordAppEvent(database, { ...event, cause: `Refusal ${count}`, now: new Date() })
  }
  const page = async (query: string) => {
    const body = await done(dan.send('GET', appPath(mine, `/events?${query}`)))
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
  await refused(dan.send('GET', appPath(mine, '/events?after=x')), 400, 'invalid_request')
})

test('filters by kind, environment, request, text and time, behind any number of other events', async () => {
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
    const { events } = await done(dan.send('GET', appPath(mine, `/events?${query}`)))
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
    await refused(dan.send('GET', appPath(mine, `/events?${wrong}`)), 400, 'invalid_request')
  }
})

test('a line of several refusals is found by its newest requests and by each of its times', async () => {
  const mine = await submit(dan, { name: 'Shared' })
  const ids = Array.from({ length: 30 }, (_, index) => `shared-${index}`)
  const [first, last] = [new Date('2041-01-01T10:00:00Z'), new Date('2041-01-01T10:30:00Z')]
  const line = { appId: mine._id, sandbox: false, kind: 'client_refused', cause: 'Wrong.', hour: first }
  const counted = (requestIds: string[], now: Date) => ({ ...line, requestIds, count: 15, first: now, last: now })
  await addRefusalsToLines(app.database, [counted(ids.slice(0, 15).toReversed(), first)], secureRandom)
  await addRefusalsToLines(app.database, [counted(ids.slice(15).toReversed(), last)], secureRandom)
  const found = async (query: string) => (await done(dan.send('GET', appPath(mine, `/events?${query}`)))).events
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
