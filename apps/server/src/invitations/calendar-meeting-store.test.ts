import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readCalendar } from '../../../../test/calendar-readers/read-with-ical-js.ts'
import { createFeed } from '../../test/calendar-feeds.ts'
import { cancelPath, detailsPath, type Person, schedule, standUp } from '../../test/people.ts'
import { expectOk } from '../../test/replies.ts'
import { useApp } from '../../test/use-app.ts'
import { decryptSecrets, encryptSecrets, newMeetingSecrets } from '../meetings/meeting-secrets.ts'
import { secureRandom } from '../platform/random.ts'

const { app, clock, meet } = await useApp({
  start: '2030-03-01T12:00:00Z',
  emails: 'dropped',
  environment: { RATE_LIMITS: 'off', EMAIL_VERIFICATION: 'off' },
})

async function readFeed(path: string) {
  const response = await fetch(`${app.base}${path}`)
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
    sealed_secrets: 'copy.secrets',
  }
  await app.pool.query(
    `insert into meeting (${columns}) select ${columns.map((column) => changed[column] ?? column)}
     from meeting, unnest($2::uuid[], $3::bytea[]) with ordinality as copy (id, secrets, n) where meeting.id = $1`,
    [meeting._id, ids, secrets],
  )
  codes += count
}

test('lists future series and single meetings first, by their next start, then past ones, newest first', async () => {
  const [carol] = await meet('Carol')
  const feed = await createFeed(carol)
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
  const [victor] = await meet('Victor')
  const feed = await createFeed(victor)
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
  const [wendy] = await meet('Wendy')
  const feed = await createFeed(wendy)
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
  const [alice, bob, yara] = await meet('Alice', 'Bob', 'Yara')
  const feed = await createFeed(yara)
  await schedule(alice, { ...single('Cohosted', '2030-03-21T08:00:00Z'), participants: [], cohosts: [yara.email] })
  const course = await schedule(bob, single('Course', '2030-03-20T09:00:00Z'))
  const add = (meeting: { svcMeetId: string; pin: string }) =>
    expectOk(yara.send('POST', `/api/meeting/add/${meeting.svcMeetId}`, { pin: meeting.pin }))
  await add(course)
  const { topics, text } = await readFeed(feed)
  assert.deepEqual(topics, ['Course', 'Cohosted'])
  assert.match(text, /^ORGANIZER;CN="Alice Test";SENT-BY="mailto:parley@localhost":mailto:alice\.\d+@example\.org\r$/m)
  assert.match(text, /^ORGANIZER;CN="Bob Test":mailto:parley@localhost\r$/m)
  assert.equal(text.includes(bob.email), false)

  // The file reveals no more than the meeting's page.
  const file = await fetch(`${app.base}${detailsPath(course)}/invite.ics`, {
    headers: { authorization: `Bearer ${yara.token}` },
  })
  assert.equal(file.status, 200)
  assert.equal((await file.text()).includes(bob.email), false)

  // Once invited she sees the host, and once she has declined the meeting is gone.
  const invited = { ...single('Course', '2030-03-20T09:00:00Z'), participants: [yara.email] }
  await expectOk(bob.send('PUT', detailsPath(course), invited))
  assert.ok((await readFeed(feed)).text.includes(`mailto:${bob.email}`))
  await app.pool.query(`update participant set response = 'declined' where meeting_id = $1`, [course._id])
  assert.deepEqual((await readFeed(feed)).topics, ['Cohosted'])

  // Her own meeting, opened by its link, is listed once.
  const own = await schedule(yara, single('Own', '2030-03-21T09:00:00Z'))
  await add(own)
  assert.deepEqual((await readFeed(feed)).topics, ['Own', 'Cohosted'])
})

test('a feed leaves out the dates that its reader declined, and has those that they attend of a series that they declined', async () => {
  const [alice, dora] = await meet('Alice', 'Dora')
  const feed = await createFeed(dora)
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

const at = (topic: string, startTime: string, endTime: string, participants: readonly string[]) =>
  standUp({ topic, startTime, endTime, participants })
const board = (participants: readonly string[] = []) =>
  at('Board', '2030-04-01T09:00:00Z', '2030-04-01T10:00:00Z', participants)
const silently = (host: Person, body: object) => host.send('POST', '/api/meeting?sendUpdates=none', body)

const feedTopics = async (person: Person) => (await readFeed(await createFeed(person))).topics
const conflicts = async (person: Person) => {
  const query = 'start=2030-03-31T00:00:00Z&end=2030-04-02T00:00:00Z'
  const found = await expectOk(person.send('GET', `/api/meeting/conflicts?${query}`))
  return { topics: found.conflicts.map(({ topic }: { topic: string }) => topic), more: found.moreAvailable }
}

/**
 * Store further copies of a meeting, with its participants and the emails that wait for them, because a thousand requests
 * take long.
 */
async function repeat(id: string, times: number) {
  const { sealedSecrets } = await app.database
    .selectFrom('meeting')
    .select('sealedSecrets')
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  const secrets = decryptSecrets(app.encryption, { id, sealedSecrets })
  const ids = Array.from({ length: times }, () => secureRandom.uuid(clock.now()))
  const encrypted = ids.map((copy) => encryptSecrets(app.encryption, copy, secrets))
  const copies = 'unnest($2::uuid[], $3::bytea[]) with ordinality as copy (id, secrets, number)'
  const columnsOf = async (table: string, ...changed: string[]) => {
    const { rows } = await app.pool.query<{ name: string }>(
      `select column_name as name from information_schema.columns where table_name = $1 and is_generated = 'NEVER'`,
      [table],
    )
    return rows.map(({ name }) => `"${name}"`).filter((name) => !changed.includes(name))
  }
  const ofMeeting = await columnsOf('meeting', '"id"', '"code"', '"sealed_secrets"')
  await app.pool.query(
    `insert into meeting (id, code, sealed_secrets, ${ofMeeting})
     select copy.id, lpad(((code::int8 + copy.number) % 10000000000)::text, 10, '0'), copy.secrets,
       ${ofMeeting.map((name) => `meeting.${name}`)}
     from meeting, ${copies} where meeting.id = $1`,
    [id, ids, encrypted],
  )
  for (const table of ['participant', 'guest_delivery']) {
    const names = await columnsOf(table, '"meeting_id"')
    await app.pool.query(
      `insert into ${table} (meeting_id, ${names}) select copy.id, ${names.map((name) => `${table}.${name}`)}
       from ${table}, ${copies} where meeting_id = $1`,
      [id, ids, encrypted],
    )
  }
}

test('silent meetings of a stranger are in no calendar, and displace nothing', async () => {
  const [rita, mallory] = await meet('Rita', 'Mallory')
  await silently(rita, board())
  const flood = at('Flood', '2030-04-01T09:00:00Z', '2030-04-01T09:05:00Z', [rita.email, 'x@elsewhere.example'])
  await repeat((await silently(mallory, flood)).body.meetingDetails._id, 1_019)
  assert.deepEqual(await feedTopics(rita), ['Board'])
  assert.deepEqual(await conflicts(rita), { topics: ['Board'], more: false })
  // They are meetings to which Rita is invited: her list has them.
  assert.equal((await rita.send('GET', '/api/meeting/me?limit=1')).body.totalCount, 1_021)
})

const waysIn: [string, (host: Person, guest: Person) => Promise<unknown>, string[]][] = [
  ['a cohost who was not mailed', (host, guest) => silently(host, { ...board(), cohosts: [guest.email] }), []],
  [
    'a change that adds without mail',
    async (host, guest) => {
      const meeting = await schedule(host, board())
      return host.send('PUT', `${detailsPath(meeting)}?sendUpdates=none`, board([guest.email]))
    },
    [],
  ],
  ['an invitation by mail', (host, guest) => schedule(host, board([guest.email])), ['Board']],
  [
    'an answer',
    async (host, guest) => {
      const { body } = await silently(host, board([guest.email]))
      return guest.send('POST', `${detailsPath(body.meetingDetails)}/response`, { response: 'accepted' })
    },
    ['Board'],
  ],
  [
    'a refusal',
    async (host, guest) => {
      const { body } = await silently(host, board([guest.email]))
      return guest.send('POST', `${detailsPath(body.meetingDetails)}/response`, { response: 'declined' })
    },
    [],
  ],
]
for (const [name, invite, expected] of waysIn) {
  test(`what a calendar holds after ${name}`, async () => {
    const [host, guest] = await meet('Mallory', 'Guest')
    await invite(host, guest)
    assert.deepEqual(await feedTopics(guest), expected)
    assert.deepEqual((await conflicts(guest)).topics, expected)
  })
}

test('the rest of a series that a guest was mailed stays in the calendar when it is split without mail', async () => {
  const [host, guest] = await meet('Mallory', 'Sam')
  const series = await schedule(
    host,
    standUp({
      startTime: '2030-03-31T09:00:00Z',
      endTime: '2030-03-31T10:00:00Z',
      participants: [guest.email],
      repeatOptions: { repeat: 'daily', timeZone: 'UTC', endDate: '2030-04-05T00:00:00Z' },
    }),
  )
  const split = { occurrence: '2030-04-01T09:00:00Z', topic: 'Continued' }
  const rest = {
    ...standUp({
      startTime: '2030-04-01T09:00:00Z',
      endTime: '2030-04-01T10:00:00Z',
      participants: [guest.email],
      repeatOptions: { repeat: 'daily', timeZone: 'UTC', endDate: '2030-04-05T00:00:00Z' },
    }),
    ...split,
  }
  await expectOk(host.send('POST', `${detailsPath(series)}/split?sendUpdates=none`, rest))
  assert.ok((await feedTopics(guest)).includes('Continued'))
  assert.ok((await conflicts(guest)).topics.includes('Continued'))
})

test('a full feed keeps what its reader hosts, however much others have mailed', async () => {
  const [host, guest] = await meet('Mallory', 'Own')
  await silently(guest, board())
  const mailed = at('Mailed', '2030-03-10T09:00:00Z', '2030-03-10T09:05:00Z', [guest.email])
  await repeat((await schedule(host, mailed))._id, 999)
  const topics = await feedTopics(guest)
  assert.equal(topics.length, 1_000)
  assert.ok(topics.includes('Board'))
})
