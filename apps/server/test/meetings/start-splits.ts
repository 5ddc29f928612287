import { beforeEach } from 'node:test'
import { detailsPath, meetPeople, type Person, weekdays } from '../people.ts'
import { expectOk } from '../replies.ts'
import { createClock, startApp } from '../start-app.ts'

export type Meeting = { _id: string }
/** The date before which a series is split. */
export const third = '2030-01-21T09:00:00Z'
export const quietly = { query: '?sendUpdates=none' }

export const weekly = (changes: object) => ({
  repeat: 'weekly',
  daysOfWeek: [0, 1, 0, 0, 0, 0, 0],
  timeZone: 'Europe/London',
  ...changes,
})

/** A service at midnight on 1 January 2030, where Alice hosts series, Bob is invited, and series are split. */
export async function startSplits() {
  const start = '2030-01-01T00:00:00Z'
  const clock = createClock(start)
  const app = await startApp({ clock, environment: { RATE_LIMITS: 'off' } })
  const people = await meetPeople(app)
  const { alice, bob } = people
  beforeEach(() => clock.set(start))

  /** Mondays at 09:00 in London, for half an hour, from 7 January 2030. */
  const mondays = (changes: object = {}) =>
    weekdays({
      startTime: '2030-01-07T09:00:00Z',
      endTime: '2030-01-07T09:30:00Z',
      repeatOptions: weekly({}),
      participants: [bob.email, 'dan@elsewhere.example'],
      ...changes,
    })
  const split = (
    meeting: Meeting,
    body: object = {},
    {
      person = alice,
      query = '',
      headers = {},
    }: { person?: Person; query?: string; headers?: Record<string, string> } = {},
  ) => person.send('POST', `${detailsPath(meeting)}/split${query}`, { occurrence: third, ...body }, headers)

  async function splitUp(meeting: Meeting, body: object = {}, options: Parameters<typeof split>[2] = quietly) {
    return expectOk(split(meeting, body, options))
  }
  const read = async (meeting: Meeting, person: Person = alice) => {
    const body = await expectOk(person.send('GET', detailsPath(meeting)))
    return body[0]
  }
  const occurrencesOf = async (meeting: Meeting, query = 'limit=4&status=all') =>
    (await alice.send('GET', `${detailsPath(meeting)}/occurrences?${query}`)).body.occurrences.map(
      ({ startTime, endTime, status, topic }: Record<string, string>) =>
        `${startTime?.slice(5, 16)}–${endTime?.slice(11, 16)} ${status}${topic === undefined ? '' : ` ${topic}`}`,
    )
  /** Schedule such a series, to which only Bob is invited, without a mail. */
  async function quiet(body: object = {}) {
    const made = await expectOk(
      alice.send('POST', '/api/meeting?sendUpdates=none', mondays({ participants: [bob.email], ...body })),
    )
    return made.meetingDetails
  }

  return { app, clock, ...people, mondays, split, splitUp, read, occurrencesOf, quiet }
}
