import assert from 'node:assert/strict'
import { test } from 'node:test'
import { signUp, standUp } from '../../test/people.ts'
import { expectOk, expectProblem } from '../../test/replies.ts'
import { startApp } from '../../test/start-app.ts'

const app = await startApp()
const alice = await signUp(app, 'Alice')
await alice.send('PUT', '/api/my_profile', { timeZone: 'Europe/Berlin' })
const preview = (body: object) => alice.send('POST', '/api/meeting/preview', body)
const times = { startTime: '2030-03-19T08:00:00Z', endTime: '2030-03-19T08:30:00Z' }
const tuesdays = { repeat: 'weekly', daysOfWeek: [0, 0, 1, 0, 0, 0, 0] }

test('shows the next dates of a rule with their UTC offsets, and where the offset changes between them', async () => {
  const body = await expectOk(preview({ ...times, repeatOptions: tuesdays, limit: 3 }))
  assert.deepEqual(body, {
    timeZoneIana: 'Europe/Berlin',
    endDate: null,
    occurrences: [
      ['2030-03-19T08:00', '08:30', '2030-03-19', '+01:00'],
      ['2030-03-26T08:00', '08:30', '2030-03-26', '+01:00'],
      ['2030-04-02T07:00', '07:30', '2030-04-02', '+02:00'],
    ].map(([start, end, day, utcOffset]) => ({
      startTime: `${start}:00.000Z`,
      endTime: `${day}T${end}:00.000Z`,
      originalStartTime: `${start}:00.000Z`,
      localStart: `${day}T09:00:00`,
      utcOffset,
      status: 'active',
    })),
    moreAvailable: true,
    shifts: [{ startTime: '2030-04-02T07:00:00.000Z', before: '+01:00', after: '+02:00' }],
    warnings: [],
    restoredOccurrences: [],
    removedOccurrences: [],
    droppedCancellations: [],
  })
  assert.equal((await preview({ ...times, repeatOptions: tuesdays })).body.occurrences.length, 10)
})

test('writes offsets west of Greenwich, of half an hour, and with seconds', async () => {
  const offsetIn = async (timeZone: string, year = '2030') => {
    const [startTime, endTime] = [`${year}-03-19T08:00:00Z`, `${year}-03-19T08:30:00Z`]
    const { body } = await preview({ startTime, endTime, repeatOptions: { repeat: 'none', timeZone } })
    return body.occurrences[0].utcOffset
  }
  assert.equal(await offsetIn('America/St_Johns'), '-02:30')
  assert.equal(await offsetIn('IST'), '+05:30')
  assert.equal(await offsetIn('UTC'), '+00:00')
  assert.equal(await offsetIn('Africa/Monrovia', '1960'), '-00:44:30')
})

test('reports the same violations as scheduling', async () => {
  const wrong: object[] = [
    {},
    { ...times, endTime: times.startTime, repeatOptions: { repeat: 'weekly', timeZone: 'Nowhere' } },
    { ...times, repeatOptions: { repeat: 'monthly', dateInMonth: 32 } },
    { ...times, repeatOptions: { ...tuesdays, interval: 100, endDate: '2030-01-01T00:00:00Z' } },
    { startTime: 'soon', endTime: 5, repeatOptions: { repeat: 'yearly' } },
    { ...times, repeatOptions: { ...tuesdays, daysOfWeek: [0, 0, 0, 1, 0, 0, 0], endDate: '2030-03-19T09:00:00Z' } },
  ]
  for (const body of wrong) {
    const { startTime: _, endTime: __, repeatOptions: ___, ...rest } = standUp()
    const created = await expectProblem(alice.send('POST', '/api/meeting', { ...rest, ...body }), 'invalid_request')
    assert.ok(created.errors.length > 0)
    assert.deepEqual((await expectProblem(preview(body), 'invalid_request')).errors, created.errors)
  }
  await expectProblem(preview({ ...times, repeatOptions: tuesdays, limit: 101 }), 'invalid_request', [
    '/limit too_large',
  ])
})

test('stores nothing', async () => {
  const carol = await signUp(app, 'Carol')
  await expectOk(carol.send('POST', '/api/meeting/preview', { ...times, repeatOptions: tuesdays }))
  assert.equal((await carol.send('GET', '/api/meeting/me')).body.totalCount, 0)
})

test('answers a count as the end that would be stored', async () => {
  const repeatOptions = { ...tuesdays, count: 3 }
  const { body } = await preview({ ...times, repeatOptions })
  assert.equal(body.endDate, '2030-04-02T21:59:59.000Z')
  assert.deepEqual([body.occurrences.length, body.moreAvailable], [3, false])
  const meeting = standUp({ ...times, repeatOptions: { ...repeatOptions, timeZone: 'Europe/Berlin' } })
  const created = await alice.send('POST', '/api/meeting?sendUpdates=none', meeting)
  assert.equal(created.body.meetingDetails.repeatOptions.endDate, body.endDate)
})
