import assert from 'node:assert/strict'
import { test } from 'node:test'
import { meetingColours } from '@parley/contract'
import { detailsPath, meetPeople, type Person, schedule, sendRequest, standUp } from '../../../test/people.ts'
import { expectOk, expectProblem } from '../../../test/replies.ts'
import { startApp } from '../../../test/start-app.ts'

const app = await startApp({ emails: 'dropped' })
const { alice, bob, carol, mallory } = await meetPeople(app)

type Meeting = { _id: string; svcMeetId: string; pin: string; startTime: string }

const choose = (person: Person, meeting: { _id: string }, colour: string) =>
  person.send('PUT', `${detailsPath(meeting)}/colour`, { colour })

/** The colour on the page, in the calendar and in the list, which are the same. */
async function colourTo(person: Person, { _id, startTime }: Pick<Meeting, '_id' | 'startTime'>): Promise<string> {
  const [read] = (await expectOk(person.send('GET', detailsPath({ _id })))) as unknown as { colour: string }[]
  const from = new Date(startTime)
  const toDate = new Date(from.getTime() + 50 * 24 * 60 * 60_000).toISOString()
  const range = new URLSearchParams({ fromDate: startTime, toDate })
  const { occurrences } = await expectOk(person.send('GET', `/api/meeting/calendar/me?${range}`))
  const { dates } = await expectOk(person.send('GET', '/api/meeting/agenda?limit=100'))
  const { meetings } = await expectOk(person.send('GET', '/api/start-page'))
  const colours = [...occurrences, ...dates, ...meetings.ahead.dates]
    .filter(({ meetingId }: { meetingId: string }) => meetingId === _id)
    .map(({ colour }: { colour: string }) => colour)
  assert.ok(colours.length > 2)
  assert.deepEqual(new Set(colours), new Set([read?.colour]))
  return read?.colour ?? ''
}

const otherThan = (colour: string) => meetingColours.filter((one) => one !== colour)

test('the host and a guest each have a colour of their own, and nothing else of the meeting changes', async () => {
  const meeting = await schedule(alice)
  const before = await expectOk(alice.send('GET', detailsPath(meeting)))
  const first = await colourTo(alice, meeting)
  assert.equal(await colourTo(bob, meeting), first)
  const [ofAlice = '', ofBob = ''] = otherThan(first)
  assert.deepEqual(await expectOk(choose(alice, meeting, ofAlice)), { colour: ofAlice })
  assert.equal(await colourTo(bob, meeting), first)
  await expectOk(choose(bob, meeting, ofBob))
  assert.deepEqual([await colourTo(alice, meeting), await colourTo(bob, meeting)], [ofAlice, ofBob])
  // The last choice counts.
  await expectOk(choose(alice, meeting, ofBob))
  await expectOk(choose(alice, meeting, first))
  assert.deepEqual(await expectOk(alice.send('GET', detailsPath(meeting))), before)
})

test('a person who has added the meeting by its link chooses a colour as well', async () => {
  const meeting = await schedule(alice)
  await expectProblem(choose(carol, meeting, 'red'), 'meeting_not_found')
  await expectOk(carol.send('POST', `/api/meeting/add/${meeting.svcMeetId}`, { pin: meeting.pin }))
  await expectOk(choose(carol, meeting, 'red'))
  assert.equal(await colourTo(carol, meeting), 'red')
})

test('refuses other colours, unknown meetings, other people and scripts', async () => {
  const meeting = await schedule(alice)
  for (const colour of ['', 'Red', 'magenta', null, 7]) {
    const answer = await alice.send('PUT', `${detailsPath(meeting)}/colour`, { colour })
    await expectProblem(answer, 'invalid_request')
  }
  for (const _id of ['nonsense', '00000000-0000-7000-8000-000000000000']) {
    await expectProblem(choose(alice, { _id }, 'red'), 'meeting_not_found')
  }
  await expectProblem(choose(mallory, meeting, 'red'), 'meeting_not_found')
  const path = `${detailsPath(meeting)}/colour`
  await expectProblem(sendRequest(app, 'PUT', path, { colour: 'red' }), 'unauthorized')
  const script = (await alice.send('POST', '/api/auth/tokens', { name: 'Script', scopes: ['meeting:update'] })).body
  await expectProblem(
    sendRequest(app, 'PUT', path, { colour: 'red' }, { authorization: script.token }),
    'session_required',
  )
})

const mondays = () =>
  standUp({
    startTime: '2030-01-07T09:00:00Z',
    endTime: '2030-01-07T09:30:00Z',
    participants: [bob.email],
    repeatOptions: { repeat: 'weekly', interval: 1, daysOfWeek: [0, 1, 0, 0, 0, 0, 0], timeZone: 'UTC' },
  })

const split = (meeting: { _id: string }, occurrence: string): Promise<Meeting> =>
  expectOk(alice.send('POST', `${detailsPath(meeting)}/split?sendUpdates=none`, { occurrence })) as Promise<Meeting>

test('both parts of a split series have one colour, and each part a new one when it is chosen later', async () => {
  const meeting = await schedule(alice, mondays())
  const colour = await colourTo(alice, meeting)
  const second = await split(meeting, '2030-02-04T09:00:00Z')
  const third = await split(second, '2030-03-04T09:00:00Z')
  // A part between two others.
  const between = await split(meeting, '2030-01-21T09:00:00Z')
  for (const part of [meeting, between, second, third]) {
    assert.deepEqual([await colourTo(alice, part), await colourTo(bob, part)], [colour, colour])
  }
  const [other = ''] = otherThan(colour)
  await expectOk(choose(alice, third, other))
  assert.deepEqual([await colourTo(alice, second), await colourTo(alice, third)], [colour, other])
})

test('a chosen colour goes with the part that is split off, for each person', async () => {
  const meeting = await schedule(alice, mondays())
  const first = await colourTo(alice, meeting)
  const [ofAlice = '', ofBob = ''] = otherThan(first)
  await expectOk(choose(alice, meeting, ofAlice))
  await expectOk(choose(bob, meeting, ofBob))
  const part = await split(meeting, '2030-02-04T09:00:00Z')
  assert.deepEqual([await colourTo(alice, part), await colourTo(bob, part)], [ofAlice, ofBob])
})
