import assert from 'node:assert/strict'
import { test } from 'node:test'
import { cancelPath, detailsPath, type Person, schedule, standUp, weekdays } from '../../../test/people.ts'
import { expectProblem } from '../../../test/replies.ts'
import { useApp } from '../../../test/use-app.ts'

const { meet } = await useApp({ emails: 'dropped', environment: { RATE_LIMITS: 'off' }, start: '2030-01-01T00:00:00Z' })

const ask = (person: Person, start: string, end: string) =>
  person.send('GET', `/api/meeting/conflicts?start=${start}&end=${end}`)

type Conflict = { topic: string; startTime: string; role: string }
const linesOf = async (person: Person, start: string, end: string) =>
  (await ask(person, start, end)).body.conflicts.map(
    ({ topic, startTime, role }: Conflict) => `${startTime.slice(5, 16)} ${topic} ${role}`,
  )
const at = (startTime: string, endTime: string) => ({ startTime, endTime })

test('lists hosted meetings and invitations that overlap, single ones and dates of series, in order', async () => {
  const [alice, bob, carol, mallory] = await meet('Alice', 'Bob', 'Carol', 'Mallory')
  const noon = at('2030-01-08T12:00:00Z', '2030-01-08T13:00:00Z')
  const lunch = await schedule(alice, standUp({ topic: 'Lunch', ...noon, participants: [] }))
  await schedule(alice, weekdays({ topic: 'Daily', participants: [] }))
  await schedule(bob, standUp({ topic: 'Demo', ...noon, participants: [], cohosts: [alice.email] }))
  await schedule(bob, standUp({ topic: 'Visit', ...noon, participants: [alice.email, carol.email] }))
  await schedule(carol, standUp({ topic: 'Not hers', ...noon, participants: [] }))
  const tuesday = await linesOf(alice, '2030-01-08T09:00:00Z', '2030-01-08T18:00:00Z')
  assert.deepEqual(tuesday[0], '01-08T09:00 Daily host')
  const atNoon = ['01-08T12:00 Demo cohost', '01-08T12:00 Lunch host', '01-08T12:00 Visit participant']
  assert.deepEqual(tuesday.slice(1).toSorted(), atNoon)

  const { conflicts, moreAvailable } = (await ask(alice, '2030-01-08T12:00:00Z', '2030-01-08T12:01:00Z')).body
  assert.equal(moreAvailable, false)
  assert.deepEqual(
    conflicts.find(({ topic }: Conflict) => topic === 'Lunch'),
    {
      meetingId: lunch._id,
      svcMeetId: lunch.svcMeetId,
      topic: 'Lunch',
      recur: false,
      role: 'host',
      ...{
        startTime: '2030-01-08T12:00:00.000Z',
        endTime: '2030-01-08T13:00:00.000Z',
        originalStartTime: '2030-01-08T12:00:00.000Z',
        status: 'active',
      },
    },
  )
  assert.deepEqual((await ask(mallory, '2030-01-08T00:00:00Z', '2030-01-09T00:00:00Z')).body, {
    conflicts: [],
    moreAvailable: false,
  })
})

test('a meeting that ends at the start or starts at the end of the interval does not overlap', async () => {
  const [bob] = await meet('Bob')
  await schedule(
    bob,
    standUp({ topic: 'Edge', ...at('2030-02-05T09:00:00Z', '2030-02-05T10:00:00Z'), participants: [] }),
  )
  const lines = (start: string, end: string) => linesOf(bob, `2030-02-05T${start}Z`, `2030-02-05T${end}Z`)
  assert.deepEqual(await lines('08:00:00', '09:00:00'), [])
  assert.deepEqual(await lines('08:00:00', '09:00:01'), ['02-05T09:00 Edge host'])
  assert.deepEqual(await lines('10:00:00', '11:00:00'), [])
  assert.deepEqual(await lines('09:59:59', '11:00:00'), ['02-05T09:00 Edge host'])
})

test('leaves out what was declined, cancelled, or only added by its link', async () => {
  const [alice, bob, carol] = await meet('Alice', 'Bob', 'Carol')
  const march = (changes: object) =>
    weekdays({
      ...at('2030-03-04T09:00:00Z', '2030-03-04T10:00:00Z'),
      repeatOptions: { repeat: 'daily', count: 3 },
      ...changes,
    })
  const declined = await schedule(alice, march({ topic: 'Declined', participants: [carol.email] }))
  const maybe = await schedule(alice, march({ topic: 'Maybe', participants: [carol.email] }))
  const cancelled = await schedule(carol, march({ topic: 'Cancelled', participants: [] }))
  const skipped = await schedule(carol, march({ topic: 'Skipped', participants: [] }))
  const added = await schedule(bob, march({ topic: 'Added', participants: [] }))
  await carol.send('POST', `/api/meeting/add/${added.svcMeetId}`, { pin: added.pin })
  await carol.send('POST', `${detailsPath(declined)}/response`, { response: 'declined' })
  await carol.send('POST', `${detailsPath(maybe)}/response`, { response: 'tentative' })
  await carol.send('POST', cancelPath(cancelled), { cancel: 'all' })
  await carol.send('POST', cancelPath(skipped), { cancel: 'current', occurrence: '2030-03-05T09:00:00Z' })
  const days = (await linesOf(carol, '2030-03-05T00:00:00Z', '2030-03-07T00:00:00Z')).toSorted()
  assert.deepEqual(days, ['03-05T09:00 Maybe participant', '03-06T09:00 Maybe participant', '03-06T09:00 Skipped host'])
})

test('answers at most 50 dates of at most 31 days', async () => {
  const [mallory] = await meet('Mallory')
  const hourly = {
    ...at('2030-05-01T00:00:00Z', '2030-05-01T01:00:00Z'),
    repeatOptions: { repeat: 'daily', count: 25 },
  }
  await schedule(mallory, standUp({ ...hourly, participants: [] }))
  await schedule(mallory, standUp({ ...hourly, participants: [] }))
  const inMay = async () => (await ask(mallory, '2030-05-01T00:00:00Z', '2030-06-01T00:00:00Z')).body
  assert.deepEqual([(await inMay()).conflicts.length, (await inMay()).moreAvailable], [50, false])
  await schedule(mallory, standUp({ ...hourly, repeatOptions: { repeat: 'none' }, participants: [] }))
  assert.deepEqual([(await inMay()).conflicts.length, (await inMay()).moreAvailable], [50, true])

  const start = '2030-05-01T00:00:00Z'
  await expectProblem(ask(mallory, start, '2030-06-01T00:00:01Z'), 'invalid_request', ['/end too_long'])
  await expectProblem(ask(mallory, start, start), 'invalid_request', ['/end not_after_start'])
  await expectProblem(mallory.send('GET', '/api/meeting/conflicts?start=2030-05-01T00:00:00Z'), 'invalid_request')
})

test('says that there may be more where over a thousand dates were declined, which it does not read all', async () => {
  const [bob, carol] = await meet('Bob', 'Carol')
  const daily = { ...at('2030-07-01T00:00:00Z', '2030-07-01T01:00:00Z'), repeatOptions: { repeat: 'daily', count: 25 } }
  const invite = async () => schedule(bob, standUp({ ...daily, participants: [carol.email] }))
  const inJuly = async () => (await ask(carol, '2030-07-01T00:00:00Z', '2030-08-01T00:00:00Z')).body
  const meetings = await Promise.all(Array.from({ length: 39 }, invite))
  for (const meeting of meetings) await carol.send('POST', `${detailsPath(meeting)}/response`, { response: 'declined' })
  assert.deepEqual(await inJuly(), { conflicts: [], moreAvailable: false })
  await carol.send('POST', `${detailsPath(await invite())}/response`, { response: 'declined' })
  assert.deepEqual(await inJuly(), { conflicts: [], moreAvailable: true })
})

test('a date counts by its own answer, whatever was answered for the series', async () => {
  const [alice, mallory] = await meet('Alice', 'Mallory')
  const meeting = await schedule(alice, weekdays({ topic: 'Weekly', participants: [mallory.email] }))
  const respond = (response: string, occurrence?: string) =>
    mallory.send('POST', `${detailsPath(meeting)}/response`, { response, occurrence })
  const days = () => linesOf(mallory, '2030-01-07T00:00:00Z', '2030-01-10T00:00:00Z')
  const [monday, tuesday, wednesday] = [7, 8, 9].map((day) => `01-0${day}T09:00 Weekly participant`)
  await respond('declined', '2030-01-08T09:00:00Z')
  assert.deepEqual(await days(), [monday, wednesday])
  await respond('declined')
  await respond('tentative', '2030-01-08T09:00:00Z')
  assert.deepEqual(await days(), [tuesday])
})
