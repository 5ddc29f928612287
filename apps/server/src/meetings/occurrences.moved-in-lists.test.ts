import assert from 'node:assert/strict'
import { test } from 'node:test'
import { detailsPath, meetPeople, type Person, schedule, standUp, weekdays } from '../../test/people.ts'
import { expectOk } from '../../test/replies.ts'
import { createClock, startApp } from '../../test/start-app.ts'

const clock = createClock('2030-01-01T00:00:00Z')
const app = await startApp({ clock, environment: { RATE_LIMITS: 'off' }, emails: 'dropped' })
const { alice, bob } = await meetPeople(app)

/** Mondays at 09:00 in London, for half an hour, from 7 January 2030: that on the 14th is moved to the 16th. */
const repeatOptions = { repeat: 'weekly', daysOfWeek: [0, 1, 0, 0, 0, 0, 0], timeZone: 'Europe/London' }
const mondays = await schedule(alice, weekdays({ topic: 'Mondays', repeatOptions }))
const path = `${detailsPath(mondays)}/occurrences/2030-01-14T09:00:00Z`
await expectOk(alice.send('PUT', path, { startTime: '2030-01-16T12:00:00Z' }))
const fifteenth = { startTime: '2030-01-15T09:00:00Z', endTime: '2030-01-15T09:30:00Z' }
await schedule(alice, standUp({ topic: 'Fifteenth', ...fifteenth }))

const rangeOf = (from: string, to: string) => `fromDate=2030-01-${from}T00:00:00Z&toDate=2030-01-${to}T00:00:00Z`
type Listed = { topic: string; nextOccurrence: { startTime: string } }
const list = async (person: Person, query: string) =>
  (await person.send('GET', `/api/meeting/me?past=false&${query}`)).body.meetingDetails.map(
    ({ topic, nextOccurrence }: Listed) => `${topic} ${nextOccurrence.startTime.slice(8, 16)}`,
  )

test('a range lists a series by its next date, also when that was moved to after the range', async () => {
  clock.set('2030-01-10T00:00:00Z')
  for (const person of [alice, bob]) {
    assert.deepEqual(await list(person, rangeOf('07', '08')), ['Mondays 16T12:00'])
    const both = ['Fifteenth 15T09:00', 'Mondays 16T12:00']
    assert.deepEqual(await list(person, rangeOf('07', '16')), both, 'and not as of the 14th')
    assert.deepEqual(await list(person, `${rangeOf('07', '16')}&order=desc`), both.toReversed())
    assert.deepEqual(await list(person, 'toDate=2030-01-08T00:00:00Z'), ['Mondays 16T12:00'])
    const first = await person.send('GET', `/api/meeting/me?past=false&${rangeOf('07', '16')}&limit=1`)
    const rest = await list(person, `${rangeOf('07', '16')}&after=${first.body.nextCursor}`)
    assert.deepEqual(rest, ['Mondays 16T12:00'], 'a cursor goes by the moved date as well')
  }
})

test('a range has a series on the day to which its date was moved, and not on the day from which', async () => {
  clock.set('2030-01-10T00:00:00Z')
  for (const person of [alice, bob]) {
    assert.deepEqual(await list(person, rangeOf('14', '15')), [])
    assert.deepEqual(await list(person, rangeOf('16', '17')), ['Mondays 16T12:00'])
    const calendar = async (range: string) =>
      (await person.send('GET', `/api/meeting/calendar/me?${range}`)).body.occurrences.map(
        ({ topic, startTime }: { topic: string; startTime: string }) => `${topic} ${startTime.slice(8, 16)}`,
      )
    assert.deepEqual(await calendar(rangeOf('07', '16')), ['Mondays 07T09:00', 'Fifteenth 15T09:00'])
    assert.deepEqual(await calendar(rangeOf('16', '22')), ['Mondays 16T12:00', 'Mondays 21T09:00'])
  }
})
