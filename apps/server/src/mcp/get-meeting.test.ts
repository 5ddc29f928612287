import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assistantApp, assistantToken, connectAssistant } from '../../test/mcp/assistant.ts'
import { cancelPath, detailsPath, type Person, schedule, standUp } from '../../test/people.ts'
import { useApp } from '../../test/use-app.ts'

const { app, clock, olga, meet } = await useApp({
  start: '2027-03-22T08:00:00Z',
  emails: 'dropped',
  environment: { RATE_LIMITS: 'off', EMAIL_VERIFICATION: 'off' },
})
const registered = await assistantApp(app, olga)
const connect = async (person: Person) =>
  connectAssistant(app, await assistantToken(app, registered, person, { clock }))

/** Meet a host and two guests of a review on each Monday in Berlin. */
async function meetForReview() {
  const [alice, bob, carol] = await meet('Alice', 'Bob', 'Carol')
  const review = await schedule(
    alice,
    standUp({
      topic: 'Review',
      description: 'Bring numbers.',
      startTime: '2027-03-22T09:00:00+01:00',
      endTime: '2027-03-22T09:30:00+01:00',
      participants: [bob.email, carol.email, 'dan@elsewhere.example'],
      cohosts: [carol.email],
      repeatOptions: {
        repeat: 'weekly',
        daysOfWeek: [0, 1, 0, 0, 0, 0, 0],
        endDate: '2027-04-30T21:59:59Z',
        timeZone: 'Europe/Berlin',
      },
    }),
  )
  return { alice, bob, carol, review }
}

test('reads the next dates across the clock change: 09:00 stays, the offset changes', async () => {
  const { alice, review } = await meetForReview()
  const { result, sentence } = await (await connect(alice)).call('get_meeting', { meetingId: review._id, dates: 3 })
  const shown = result.dates.map(({ start, end, originalStart, status }: Date) => [
    start.weekday,
    start.local,
    end.local,
    start.offset,
    start.utc,
    originalStart,
    status,
  ])
  assert.deepEqual(shown, [
    ['Monday', '2027-03-22T09:00', '2027-03-22T09:30', '+01:00', ...twice('2027-03-22T08:00:00.000Z'), 'active'],
    ['Monday', '2027-03-29T09:00', '2027-03-29T09:30', '+02:00', ...twice('2027-03-29T07:00:00.000Z'), 'active'],
    ['Monday', '2027-04-05T09:00', '2027-04-05T09:30', '+02:00', ...twice('2027-04-05T07:00:00.000Z'), 'active'],
  ])
  assert.equal(sentence, '“Review” is next on Monday, 22 March 2027, 09:00–09:30 (Europe/Berlin, +01:00).')
  assert.deepEqual(result.repeatOptions, {
    repeat: 'weekly',
    interval: 1,
    daysOfWeek: ['monday'],
    endDate: '2027-04-30',
  })
  assert.deepEqual(result.description, { text: 'Bring numbers.', writtenBy: 'you' })
  assert.equal(JSON.stringify(result).includes(review.pin), false)
  assert.equal(JSON.stringify(result).includes('roomKey'), false)
})

test('shows another zone on request, and that of the profile where there is one', async () => {
  const { bob, review } = await meetForReview()
  const assistant = await connect(bob)
  const inTokyo = await assistant.done('get_meeting', { meetingId: review._id, dates: 1, timeZone: 'Asia/Tokyo' })
  assert.deepEqual([inTokyo.dates[0].start.local, inTokyo.timeZone], ['2027-03-22T17:00', 'Europe/Berlin'])
  await bob.send('PUT', '/api/my_profile', { timeZone: 'America/New_York' })
  const atHome = await (await connect(bob)).done('get_meeting', { meetingId: review._id, dates: 2 })
  assert.deepEqual(
    atHome.dates.map(({ start }: Date) => start.local),
    ['2027-03-22T04:00', '2027-03-29T03:00'],
  )
})

test('the host sees answers, guests their own, and texts of others are marked', async () => {
  const { alice, bob, carol, review } = await meetForReview()
  const respond = (body: object) => bob.send('POST', `${detailsPath(review)}/response`, body)
  await respond({ response: 'accepted' })
  await respond({ response: 'declined', occurrence: '2027-03-29T07:00:00Z' })
  const byAddress = (people: { email: string }[]) => Object.fromEntries(people.map((one) => [one.email, one]))
  const toHost = await (await connect(alice)).done('get_meeting', { meetingId: review._id })
  const seen = byAddress(toHost.participants)
  assert.deepEqual(seen['dan@elsewhere.example'], { email: 'dan@elsewhere.example' })
  assert.equal(Object(seen[bob.email]).response, 'accepted')
  assert.deepEqual([toHost.participantCount, toHost.cohosts], [3, [carol.email]])

  const toBob = await (await connect(bob)).done('get_meeting', { meetingId: review._id, dates: 2 })
  assert.deepEqual([toBob.role, toBob.topic], ['participant', { text: 'Review', writtenBy: 'others' }])
  assert.deepEqual(toBob.host, { name: { text: 'Alice Test', writtenBy: 'others' }, email: alice.email })
  assert.deepEqual(
    toBob.dates.map(({ response }: Date) => response),
    ['accepted', 'declined'],
  )
  assert.equal((await (await connect(carol)).done('get_meeting', { meetingId: review._id })).role, 'cohost')
})

test('a date with its own topic shows it; a cancelled date is left out, and a cancelled meeting says so', async () => {
  const { alice, review } = await meetForReview()
  const start = '2027-04-05T07:00:00.000Z'
  await alice.send('PUT', `${detailsPath(review)}/occurrences/${start}`, { topic: 'Review with guests' })
  await alice.send('POST', cancelPath(review), { cancel: 'current', occurrence: '2027-03-29T07:00:00Z' })
  const assistant = await connect(alice)
  const { dates } = await assistant.done('get_meeting', { meetingId: review._id, dates: 2 })
  assert.deepEqual(
    dates.map(({ start, status, topic }: Date) => [start.local, status, topic?.text]),
    [
      ['2027-03-22T09:00', 'active', undefined],
      ['2027-04-05T09:00', 'changed', 'Review with guests'],
    ],
  )
  const single = await schedule(alice, standUp({ topic: 'Once' }))
  const before = await assistant.call('get_meeting', { meetingId: single._id })
  assert.match(before.sentence, /^“Once” is on Monday, 7 January 2030, 09:00–09:30 \(Etc\/UTC, \+00:00\)\.$/)
  await alice.send('POST', cancelPath(single), { cancel: 'all' })
  const after = await assistant.call('get_meeting', { meetingId: single._id })
  assert.deepEqual([after.sentence, after.result.status], ['“Once” is cancelled.', 'cancelled'])
})

test('what Mallory may not see is not found', async () => {
  const [{ review }, [mallory]] = [await meetForReview(), await meet('Mallory')]
  const assistant = await connect(mallory)
  for (const meetingId of [review._id, 'nothing', '']) {
    assert.match(await assistant.refused('get_meeting', { meetingId }), /\(meeting_not_found, request /)
  }
})

type Moment = { weekday: string; local: string; offset: string; utc: string }
type Date = {
  start: Moment
  end: Moment
  originalStart: string
  status: string
  response?: string
  topic?: { text: string }
}
const twice = (text: string) => [text, text]
