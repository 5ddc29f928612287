import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readCalendar } from '../../../../test/calendar-readers/read-with-ical-js.ts'
import { cancelPath, detailsPath, meetPeople, type Person, schedule, signUp, standUp } from '../../test/people.ts'
import { createClock, publicAddress, startApp } from '../../test/start-app.ts'
import { encryptSecrets, newMeetingSecrets } from '../meetings/meeting-secrets.ts'
import { secureRandom } from '../platform/random.ts'

const clock = createClock('2030-03-01T12:00:00Z')
const app = await startApp({ clock, emails: 'dropped', environment: { EMAIL_VERIFICATION: 'off' } })
const { alice, bob, carol } = await meetPeople(app)

async function makeFeed(person: Person): Promise<string> {
  const { body } = await person.send('POST', '/api/calendar/feed')
  return app.base + body.url.slice(publicAddress.length)
}

async function readFeed(address: string) {
  const response = await fetch(address)
  assert.equal(response.status, 200)
  const text = (await response.text()).replaceAll('\r\n ', '')
  const { events, component } = readCalendar(text)
  return {
    text,
    topics: events.map(({ summary }) => summary),
    description: component.getFirstPropertyValue('description'),
  }
}

/** A single meeting of half an hour. */
const single = (topic: string, startTime: string) =>
  standUp({
    topic,
    startTime,
    endTime: new Date(Date.parse(startTime) + 1_800_000).toISOString(),
    participants: [],
  })
const weekly = (topic: string, startTime: string, daysOfWeek: number[]) => ({
  ...single(topic, startTime),
  repeatOptions: { repeat: 'weekly', daysOfWeek, timeZone: 'GMT' },
})

/** Create this many past copies of a single meeting, each n minutes earlier than the first. */
let codes = 2_000_000_000
async function addPast(meeting: { _id: string }, count: number) {
  const { rows } = await app.pool.query('select * from meeting where id = $1', [meeting._id])
  const ids = Array.from({ length: count }, () => secureRandom.uuid(clock.now()))
  const secrets = ids.map((id) => encryptSecrets(app.encryption, id, newMeetingSecrets(secureRandom)))
  const columns = Object.keys(rows[0]).filter((column) => !['recurring', 'last_starts_at'].includes(column))
  const changed: Record<string, string> = {
    id: 'copy.id',
    code: `(${codes} + n)::text`,
    topic: "'Over ' || n",
    starts_at: "starts_at - n * interval '1 minute'",
    ends_at: "ends_at - n * interval '1 minute'",
    over_at: "ends_at - n * interval '1 minute'",
    encrypted_secrets: 'copy.secrets',
  }
  await app.pool.query(
    `insert into meeting (${columns}) select ${columns.map((column) => changed[column] ?? column)}
     from meeting, unnest($2::uuid[], $3::bytea[]) with ordinality as copy (id, secrets, n) where meeting.id = $1`,
    [meeting._id, ids, secrets],
  )
  codes += count
}

test('lists future series and single meetings first, by their next start, then past ones, newest first', async () => {
  const feed = await makeFeed(carol)
  const friday = '2030-03-01T12:00:00Z'
  clock.set('2030-01-01T12:00:00Z')
  await schedule(carol, weekly('Wednesdays since January', '2030-01-02T09:00:00Z', [0, 0, 0, 1, 0, 0, 0]))
  await schedule(carol, weekly('Mondays since January', '2030-01-07T09:00:00Z', [0, 1, 0, 0, 0, 0, 0]))
  await schedule(carol, single('In January', '2030-01-15T09:00:00Z'))
  await schedule(carol, single('In February', '2030-02-15T09:00:00Z'))
  await schedule(carol, single('Tuesday', '2030-03-05T09:00:00Z'))
  await schedule(carol, single('Right now', '2030-03-01T11:45:00Z'))
  const ended = await schedule(carol, weekly('Ended in February', '2030-01-03T09:00:00Z', [0, 0, 0, 0, 1, 0, 0]))
  clock.set('2030-02-10T12:00:00Z')
  await carol.send('POST', cancelPath(ended), { cancel: 'all' })
  clock.set(friday)
  const { topics, description } = await readFeed(feed)
  assert.deepEqual(topics, [
    'Right now',
    'Mondays since January',
    'Tuesday',
    'Wednesdays since January',
    'In February',
    'Ended in February',
    'In January',
  ])
  assert.equal(description, null)
})

test('with 1,001 past meetings the future ones are listed, the oldest are not, and the calendar says that it is cut', async () => {
  const victor = await signUp(app, 'Victor')
  const feed = await makeFeed(victor)
  const last = await schedule(victor, single('Over 0', '2030-02-28T09:00:00Z'))
  await addPast(last, 997)
  await schedule(victor, weekly('Every week', '2030-03-04T09:00:00Z', [0, 1, 0, 0, 0, 0, 0]))
  await schedule(victor, single('Tomorrow', '2030-03-02T09:00:00Z'))
  const whole = await readFeed(feed)
  assert.equal(whole.topics.length, 1000)
  assert.equal(whole.description, null)

  const older = await schedule(victor, single('Oldest', '2030-02-20T09:00:00Z'))
  await app.pool.query(`update meeting set topic = 'Older' where id = $1`, [older._id])
  await schedule(victor, single('Oldest', '2030-02-19T09:00:00Z'))
  await schedule(victor, single('Over and oldest', '2030-02-18T09:00:00Z'))
  const { topics, description, text } = await readFeed(feed)
  assert.equal(topics.length, 1000)
  assert.deepEqual(topics.slice(0, 4), ['Tomorrow', 'Every week', 'Over 0', 'Over 1'])
  assert.equal(topics.at(-1), 'Over 997')
  assert.match(String(description), /^Only 1000 of your meetings are shown here/)
  assert.match(text, /^X-WR-CALDESC:Only 1000 of your meetings/m)

  // A further future meeting replaces the oldest past one.
  await schedule(victor, single('Next month', '2030-04-01T09:00:00Z'))
  const grown = await readFeed(feed)
  assert.deepEqual(grown.topics.slice(0, 4), ['Tomorrow', 'Every week', 'Next month', 'Over 0'])
  assert.equal(grown.topics.at(-1), 'Over 996')
})

test('with more than a thousand future meetings, the last ones are left out', async () => {
  const wendy = await signUp(app, 'Wendy')
  const feed = await makeFeed(wendy)
  const last = await schedule(wendy, single('Far ahead', '2032-03-02T09:00:00Z'))
  await addPast(last, 1000)
  const series = await schedule(wendy, weekly('In five years', '2035-03-05T09:00:00Z', [0, 1, 0, 0, 0, 0, 0]))
  await schedule(wendy, weekly('This week', '2029-03-05T09:00:00Z', [0, 1, 0, 0, 0, 0, 0]))
  const { topics } = await readFeed(feed)
  assert.equal(topics.length, 1000)
  assert.deepEqual(topics.slice(0, 2), ['This week', 'Over 1000'])
  assert.equal(topics.includes('In five years'), false, series._id)
  assert.equal(topics.at(-1), 'Over 2')
})

test('lists meetings of a cohost, and meetings added by their link, without the host’s address', async () => {
  const yara = await signUp(app, 'Yara')
  const feed = await makeFeed(yara)
  await schedule(alice, { ...single('Cohosted', '2030-03-21T08:00:00Z'), participants: [], cohosts: [yara.email] })
  const course = await schedule(bob, single('Course', '2030-03-20T09:00:00Z'))
  const add = async (meeting: { svcMeetId: string; pin: string }) =>
    (await yara.send('POST', `/api/meeting/add/${meeting.svcMeetId}`, { pin: meeting.pin })).status
  assert.equal(await add(course), 200)
  const { topics, text } = await readFeed(feed)
  assert.deepEqual(topics, ['Course', 'Cohosted'])
  assert.match(text, /^ORGANIZER;CN="Alice Test";SENT-BY="mailto:parley@localhost":mailto:alice@example\.org\r$/m)
  assert.match(text, /^ORGANIZER;CN="Bob Test":mailto:parley@localhost\r$/m)
  assert.equal(text.includes('bob@example.org'), false)

  // The file reveals no more than the meeting's page.
  const file = await fetch(`${app.base}${detailsPath(course)}/invite.ics`, {
    headers: { authorization: `Bearer ${yara.token}` },
  })
  assert.equal(file.status, 200)
  assert.equal((await file.text()).includes('bob@example.org'), false)

  // Once invited she sees the host, and once she has declined the meeting is gone.
  const invited = { ...single('Course', '2030-03-20T09:00:00Z'), participants: [yara.email] }
  assert.equal((await bob.send('PUT', detailsPath(course), invited)).status, 200)
  assert.ok((await readFeed(feed)).text.includes('mailto:bob@example.org'))
  await app.pool.query(`update participant set response = 'declined' where meeting_id = $1`, [course._id])
  assert.deepEqual((await readFeed(feed)).topics, ['Cohosted'])

  // Her own meeting, opened by its link, is listed once.
  const own = await schedule(yara, single('Own', '2030-03-21T09:00:00Z'))
  await add(own)
  assert.deepEqual((await readFeed(feed)).topics, ['Own', 'Cohosted'])
})

test('a feed leaves out the dates that its reader declined, and has those that they attend of a series that they declined', async () => {
  clock.set('2030-03-01T12:00:00Z')
  const dora = await signUp(app, 'Dora')
  const feed = await makeFeed(dora)
  const mondays = weekly('Mondays', '2030-03-04T09:00:00Z', [0, 1, 0, 0, 0, 0, 0])
  const meeting = await schedule(alice, { ...mondays, participants: [dora.email] })
  const respond = (response: string, occurrence?: string) =>
    dora.send('POST', `${detailsPath(meeting)}/response`, { response, occurrence })
  const shown = async () => {
    const { text } = await readFeed(feed)
    return text.split('\r\n').filter((line) => /^(RRULE|EXDATE|RECURRENCE-ID|ATTENDEE)/.test(line))
  }
  const rule = 'RRULE:FREQ=WEEKLY;INTERVAL=1;WKST=SU;BYDAY=MO'
  await respond('declined', '2030-03-11T09:00:00Z')
  assert.deepEqual(await shown(), [rule, 'EXDATE;TZID=Etc/UTC:20300311T090000'])
  await respond('declined')
  assert.deepEqual(await shown(), [])
  await respond('accepted', '2030-03-18T09:00:00Z')
  assert.deepEqual(await shown(), ['RECURRENCE-ID;TZID=Etc/UTC:20300318T090000'])
  clock.set('2030-03-01T12:01:00Z')
  const moved = `${detailsPath(meeting)}/occurrences/2030-03-25T09:00:00Z`
  await alice.send('PUT', moved, { startTime: '2030-03-25T11:00:00Z' })
  const both = ['RECURRENCE-ID;TZID=Etc/UTC:20300318T090000', 'RECURRENCE-ID;TZID=Etc/UTC:20300325T090000']
  assert.deepEqual(await shown(), both, 'a date that was moved after the answer is to be answered again')
  await respond('accepted')
  assert.deepEqual(await shown(), [rule, 'EXDATE;TZID=Etc/UTC:20300311T090000', both[1]])
})
