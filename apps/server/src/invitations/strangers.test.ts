import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { createFeed } from '../../test/calendar-feeds.ts'
import { detailsPath, type Person, schedule, signUp, standUp } from '../../test/people.ts'
import { createClock, startApp } from '../../test/start-app.ts'
import { decryptSecrets, encryptSecrets } from '../meetings/meeting-secrets.ts'

const clock = createClock('2030-01-01T12:00:00Z')
const app = await startApp({ clock, environment: { RATE_LIMITS: 'off' }, emails: 'dropped' })
await signUp(app, 'Olga')
const mallory = await signUp(app, 'Mallory')

/** Store a meeting so many times more, with its participants and what waits for them: a thousand requests take long. */
async function repeat(id: string, times: number) {
  const { encryptedSecrets } = await app.database
    .selectFrom('meeting')
    .select('encryptedSecrets')
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  const secrets = decryptSecrets(app.encryption, { id, encryptedSecrets })
  const ids = Array.from({ length: times }, () => randomUUID())
  const encrypted = ids.map((copy) => encryptSecrets(app.encryption, copy, secrets))
  const copies = 'unnest($2::uuid[], $3::bytea[]) with ordinality as copy (id, secrets, number)'
  const columnsOf = async (table: string, ...changed: string[]) => {
    const { rows } = await app.pool.query<{ name: string }>(
      `select column_name as name from information_schema.columns where table_name = $1 and is_generated = 'NEVER'`,
      [table],
    )
    return rows.map(({ name }) => `"${name}"`).filter((name) => !changed.includes(name))
  }
  const ofMeeting = await columnsOf('meeting', '"id"', '"code"', '"encrypted_secrets"')
  await app.pool.query(
    `insert into meeting (id, code, encrypted_secrets, ${ofMeeting})
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

const at = (topic: string, startTime: string, endTime: string, participants: readonly string[]) =>
  standUp({ topic, startTime, endTime, participants })
const board = (participants: readonly string[] = []) =>
  at('Board', '2030-02-01T09:00:00Z', '2030-02-01T10:00:00Z', participants)
const silently = (host: Person, body: object) => host.send('POST', '/api/meeting?sendUpdates=none', body)

const feedTopics = async (person: Person) => {
  const text = await (await fetch(`${app.base}${await createFeed(person)}`)).text()
  return [...text.matchAll(/^SUMMARY:(.*?)\r$/gm)].map(([, topic]) => topic)
}
const conflicts = async (person: Person) => {
  const query = 'start=2030-01-31T00:00:00Z&end=2030-02-02T00:00:00Z'
  const { body } = await person.send('GET', `/api/meeting/conflicts?${query}`)
  return { topics: body.conflicts.map(({ topic }: { topic: string }) => topic), more: body.moreAvailable }
}

test('silent meetings of a stranger are in no calendar, and displace nothing', async () => {
  const rita = await signUp(app, 'Rita')
  await silently(rita, board())
  const participants = [rita.email, 'x@elsewhere.example']
  const flood = at('Flood', '2030-02-01T09:00:00Z', '2030-02-01T09:05:00Z', participants)
  await repeat((await silently(mallory, flood)).body.meetingDetails._id, 1_019)
  assert.deepEqual(await feedTopics(rita), ['Board'])
  assert.deepEqual(await conflicts(rita), { topics: ['Board'], more: false })
  // They are meetings to which Rita is invited: her list has them.
  assert.equal((await rita.send('GET', '/api/meeting/me?limit=1')).body.totalCount, 1_021)
})

const doors: [string, (host: Person, guest: Person) => Promise<unknown>, string[]][] = [
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
for (const [index, [name, invite, expected]] of doors.entries()) {
  test(`what a calendar holds after ${name}`, async () => {
    const guest = await signUp(app, `Guest${index}`)
    await invite(mallory, guest)
    assert.deepEqual(await feedTopics(guest), expected)
    assert.deepEqual((await conflicts(guest)).topics, expected)
  })
}

test('the rest of a series that a guest was mailed stays in the calendar when it is split without mail', async () => {
  const guest = await signUp(app, 'Sam')
  const series = await schedule(
    mallory,
    standUp({
      startTime: '2030-01-31T09:00:00Z',
      endTime: '2030-01-31T10:00:00Z',
      participants: [guest.email],
      repeatOptions: { repeat: 'daily', timeZone: 'UTC', endDate: '2030-02-05T00:00:00Z' },
    }),
  )
  const split = { occurrence: '2030-02-01T09:00:00Z', topic: 'Continued' }
  const { status } = await mallory.send('POST', `${detailsPath(series)}/split?sendUpdates=none`, {
    ...standUp({
      startTime: '2030-02-01T09:00:00Z',
      endTime: '2030-02-01T10:00:00Z',
      participants: [guest.email],
      repeatOptions: { repeat: 'daily', timeZone: 'UTC', endDate: '2030-02-05T00:00:00Z' },
    }),
    ...split,
  })
  assert.equal(status, 200)
  assert.ok((await feedTopics(guest)).includes('Continued'))
  assert.ok((await conflicts(guest)).topics.includes('Continued'))
})

test('a full feed keeps what its reader hosts, however much others have mailed', async () => {
  const guest = await signUp(app, 'Own')
  await silently(guest, board())
  const mailed = at('Mailed', '2030-01-10T09:00:00Z', '2030-01-10T09:05:00Z', [guest.email])
  await repeat((await schedule(mallory, mailed))._id, 999)
  const topics = await feedTopics(guest)
  assert.equal(topics.length, 1_000)
  assert.ok(topics.includes('Board'))
})
