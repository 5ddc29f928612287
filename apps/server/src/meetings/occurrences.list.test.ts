import assert from 'node:assert/strict'
import { test } from 'node:test'
import { cancelPath, detailsPath, meetUsers, type Person, schedule, standUp, weekdays } from '../../test/people.ts'
import { expectOk, expectProblem } from '../../test/replies.ts'
import { useApp } from '../../test/use-app.ts'

const { app, clock } = await useApp({ start: '2030-01-01T00:00:00Z', emails: 'dropped' })
const { alice, bob, mallory } = await meetUsers(app)

type Shown = { startTime: string; status: string }

async function list(person: Person, meeting: { _id: string }, query = '') {
  const body = await expectOk(person.send('GET', `${detailsPath(meeting)}/occurrences${query}`))
  return {
    days: body.occurrences.map((shown: Shown) => shown.startTime.slice(5, 10)),
    states: body.occurrences.map((shown: Shown) => shown.status),
    moreAvailable: body.moreAvailable,
  }
}

test('lists a year from now on, in order, and says whether more follow', async () => {
  const meeting = await schedule(alice, weekdays())
  const all = await list(bob, meeting)
  assert.equal(all.days.length, 15)
  assert.equal(all.moreAvailable, false)
  const some = await list(bob, meeting, '?limit=14')
  assert.deepEqual([some.days.length, some.days.at(-1), some.moreAvailable], [14, '01-24', true])
  assert.equal((await list(bob, meeting, '?limit=15')).moreAvailable, false)
})

test('a range includes dates that overlap it', async () => {
  const meeting = await schedule(alice, weekdays())
  const range = (from: string, to: string) => list(alice, meeting, `?from=${from}&to=${to}`)
  assert.deepEqual((await range('2030-01-08T09:29:59Z', '2030-01-10T09:00:00Z')).days, ['01-08', '01-09'])
  assert.deepEqual((await range('2030-01-08T09:30:00Z', '2030-01-10T09:00:01Z')).days, ['01-09', '01-10'])
})

test('lists at most a thousand dates of an open series, over any range', async () => {
  const meeting = await schedule(alice, weekdays({ repeatOptions: { repeat: 'daily', timeZone: 'BST' } }))
  const year = await list(alice, meeting, '?limit=1000')
  assert.deepEqual([year.days.length, year.moreAvailable], [360, false])
  const long = await list(alice, meeting, '?limit=1000&to=2999-01-01T00:00:00Z')
  assert.deepEqual([long.days.length, long.moreAvailable], [1000, true])
})

test('shows skipped dates with status=all only', async () => {
  const meeting = await schedule(alice, weekdays())
  await alice.send('POST', cancelPath(meeting), { cancel: 'current' })
  assert.equal((await list(bob, meeting)).days[0], '01-08')
  const all = await list(bob, meeting, '?status=all&limit=2')
  assert.deepEqual(
    [all.days, all.states],
    [
      ['01-07', '01-08'],
      ['cancelled', 'active'],
    ],
  )
})

test('each date has the start that names it and its status, cancelled ones as well', async () => {
  const meeting = await schedule(alice, weekdays())
  const path = `${detailsPath(meeting)}/occurrences`
  const onDay = (day: string) => `${path}/${encodeURIComponent(`2030-01-${day}T09:00:00Z`)}`
  await alice.send('PUT', onDay('08'), { startTime: '2030-01-08T11:00:00Z' })
  await alice.send('PUT', onDay('09'), { startTime: '2030-01-09T11:00:00Z' })
  for (const day of ['07', '09'])
    await alice.send('POST', cancelPath(meeting), { cancel: 'current', occurrence: `2030-01-${day}T09:00:00Z` })
  const shown = async (query: string) =>
    (await bob.send('GET', `${path}?${query}`)).body.occurrences.map(
      ({ originalStartTime, startTime, status }: Shown & { originalStartTime: string }) =>
        `${originalStartTime.slice(5, 16)} at ${startTime.slice(11, 16)} ${status}`,
    )
  assert.deepEqual(await shown('status=all&limit=4'), [
    '01-07T09:00 at 09:00 cancelled',
    '01-08T09:00 at 11:00 changed',
    '01-09T09:00 at 11:00 cancelled',
    '01-10T09:00 at 09:00 active',
  ])
  assert.deepEqual(await shown('limit=2'), ['01-08T09:00 at 11:00 changed', '01-10T09:00 at 09:00 active'])
})

test('keeps past and running dates of a cancelled series, and no date of a cancelled single meeting', async () => {
  const series = await schedule(alice, weekdays())
  const single = await schedule(alice, standUp())
  clock.set('2030-01-08T09:10:00Z')
  await alice.send('POST', cancelPath(series), { cancel: 'all' })
  await alice.send('POST', cancelPath(single), { cancel: 'all' })
  const from = '?from=2030-01-01T00:00:00Z'
  assert.deepEqual((await list(bob, series, from)).days, ['01-07', '01-08'])
  const all = await list(bob, series, `${from}&status=all&limit=3`)
  assert.deepEqual(all.states, ['active', 'active', 'cancelled'])
  assert.deepEqual((await list(bob, single, from)).days, [])
  assert.deepEqual((await list(bob, single, `${from}&status=all`)).days, [])
})

test('refuses unsupported ranges, and strangers', async () => {
  const meeting = await schedule(alice, weekdays())
  const path = `${detailsPath(meeting)}/occurrences`
  const expectViolations = (query: string, violations: readonly string[]) =>
    expectProblem(alice.send('GET', `${path}${query}`), 'invalid_request', violations)
  await expectViolations('?limit=0&status=some&from=today', [
    '/from bad_format',
    '/limit too_small',
    '/status not_allowed',
  ])
  await expectViolations('?from=today&to=1', ['/from bad_format', '/to bad_format'])
  await expectViolations('?limit=1001', ['/limit too_large'])
  await expectViolations('?from=2030-01-02T00:00:00Z&to=2030-01-02T00:00:00Z', ['/to not_after_start'])
  await expectViolations('?to=2029-12-31T00:00:00Z', ['/to not_after_start'])
  await expectProblem(mallory.send('GET', path), 'meeting_not_found')
})
