import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Person, schedule, standUp } from '../../../test/people.ts'
import { expectOk } from '../../../test/replies.ts'
import { useApp } from '../../../test/use-app.ts'
import { secureRandom } from '../../platform/random.ts'

const { app, clock, meet } = await useApp({ emails: 'dropped', start: '2030-01-07T08:00:00Z' })

type Page = {
  dates: { topic: string; startTime: string; foundInDescription?: true; room?: string }[]
  searchedTo?: string
  moreAvailable: boolean
  nextCursor: string | null
  totalCount?: number
}
const search = (person: Person, query: string): Promise<Page> =>
  expectOk(person.send('GET', `/api/meeting/agenda?${query}`))
const topicsOf = ({ dates }: Page) => dates.map(({ topic }) => topic)

const minuteMs = 60_000
const at = (time: string) => ({
  startTime: time,
  endTime: new Date(Date.parse(time) + 30 * minuteMs).toISOString(),
  participants: [],
})
const forever = { repeatOptions: { repeat: 'weekly', daysOfWeek: [0, 1, 0, 0, 0, 0, 0], timeZone: 'UTC' } }

/** Insert copies of a meeting, one a minute after it. Their secrets are those of the original, and thus unreadable. */
async function copy(meeting: { _id: string }, count: number, changed: { topic?: string; description?: string } = {}) {
  await app.pool.query(
    `insert into meeting (${copiedColumns}) select ${copiedColumns.replaceAll(/\w+/g, 'made.$&')}
    from meeting m, generate_series(1, $2::integer) n, jsonb_populate_record(m, $3::jsonb || jsonb_build_object(
      'id', uuidv7(interval '10 years'), 'code', '7' || lpad(nextval('copied')::text, 9, '0'), 'starts_at', m.starts_at + n * interval '1 minute',
      'ends_at', m.ends_at + n * interval '1 minute',
      'over_at', case when m.recurring then m.over_at else m.over_at + n * interval '1 minute' end)) made where m.id = $1`,
    [meeting._id, count, JSON.stringify(changed)],
  )
}
const { rows } = await app.pool.query(
  `select string_agg(column_name, ', ') as columns from information_schema.columns
  where table_name = 'meeting' and is_generated = 'NEVER'`,
)
const copiedColumns: string = rows[0].columns
await app.pool.query('create sequence copied')

test('reads 2,000 single meetings a page, says how far, and goes on after them', async () => {
  const [alice, bob] = await meet('Alice', 'Bob')
  const first = await schedule(alice, standUp({ topic: 'Filler', ...at('2030-01-08T00:00:00Z') }))
  await copy(first, 1_999)
  const last = '2030-01-09T09:19:00.000Z'
  const within = await search(alice, 'q=nothing')
  assert.deepEqual(within, { dates: [], moreAvailable: false, nextCursor: null })
  await schedule(alice, standUp({ topic: 'Wanted', ...at('2030-01-10T00:00:00Z'), participants: [bob.email] }))
  for (const q of ['wanted', 'bob test', 'wanted&role=host']) {
    const { nextCursor, ...page } = await search(alice, `q=${q}`)
    assert.deepEqual(page, { dates: [], searchedTo: last, moreAvailable: true }, q)
    const next = await search(alice, `q=${q}&after=${nextCursor}`)
    assert.deepEqual(topicsOf(next), ['Wanted'], q)
    assert.deepEqual([next.searchedTo, next.moreAvailable], [undefined, false], q)
  }
  // No series is listed at a date that single meetings may still precede.
  await schedule(alice, standUp({ topic: 'Wanted series', ...forever, participants: [] }))
  const page = await search(alice, 'q=wanted')
  assert.deepEqual([topicsOf(page), page.searchedTo], [['Wanted series'], last])
  const next = await search(alice, `q=wanted&limit=2&after=${page.nextCursor}`)
  assert.deepEqual([topicsOf(next), next.searchedTo], [['Wanted', 'Wanted series'], undefined], 'a full page')
  clock.set('2030-01-12T00:00:00Z')
  const past = await search(alice, 'list=past&q=wanted')
  assert.deepEqual([topicsOf(past), past.searchedTo], [['Wanted'], '2030-01-08T00:01:00.000Z'])
  assert.deepEqual(topicsOf(await search(alice, `list=past&q=wanted&after=${past.nextCursor}`)), ['Wanted series'])
})

test('reads fewer meetings where they have more than 20,000 participants', async () => {
  const [alice] = await meet('Alice')
  const participants = ['one@elsewhere.example']
  for (let day = 8; day < 30; day++) {
    const start = `2030-01-${`${day}`.padStart(2, '0')}T09:00:00Z`
    await schedule(alice, standUp({ topic: day === 29 ? 'Wanted' : `Large ${day}`, ...at(start), participants }))
  }
  await app.pool.query(
    `insert into participant select made.* from participant p join meeting m on m.id = p.meeting_id,
      generate_series(1, 999) n, jsonb_populate_record(p, jsonb_build_object('email_key', 'guest' || n || '@example.com')) made
    where m.host_id = $1`,
    [alice.profile._id],
  )
  const page = await search(alice, 'q=wanted')
  assert.deepEqual([topicsOf(page), page.searchedTo], [[], '2030-01-27T09:00:00.000Z'])
  assert.deepEqual(topicsOf(await search(alice, `q=wanted&after=${page.nextCursor}`)), ['Wanted'])
})

test('counts no meetings of a search, of which it may not have read all', async () => {
  const [alice, bob] = await meet('Alice', 'Bob')
  await schedule(alice, standUp({ topic: 'Single', participants: [bob.email] }))
  assert.equal((await search(bob, 'list=invitations')).totalCount, 1)
  assert.deepEqual(Object.keys(await search(bob, 'list=invitations&q=single')), [
    'dates',
    'moreAvailable',
    'nextCursor',
  ])
})

test('reads the descriptions of the first 500 single meetings and of 300 series, and finds 100 by them', async () => {
  const [alice] = await meet('Alice')
  const described = (topic: string, further = {}) =>
    schedule(alice, standUp({ topic, description: `About ${topic}words`, participants: [], ...further }))
  const near = await described('Near', at('2030-01-08T00:00:00Z'))
  await copy(near, 498, { description: 'Filler' })
  await described('Last', at('2030-01-08T09:00:00Z'))
  await described('Beyond', at('2030-01-08T10:00:00Z'))
  // Of series, the newest are read.
  const old = await described('Old', forever)
  await described('Oldest', forever)
  const found = async (q: string) => [...new Set(topicsOf(await search(alice, `q=${q}&limit=1`)))]
  assert.deepEqual(await found('nearwords'), ['Near'])
  assert.deepEqual(await found('lastwords'), ['Last'])
  assert.deepEqual(await found('beyondwords'), [])
  await copy(old, 298, { description: 'Filler' })
  assert.deepEqual(await found('oldestwords'), ['Oldest'], '300 series')
  assert.deepEqual(await found('oldwords'), ['Old'], '300 series')
  await copy(old, 1, { description: 'Filler' })
  assert.deepEqual([await found('oldestwords'), await found('oldwords')], [['Oldest'], []], '301 series')
})

test('finds at most 100 meetings by their descriptions', async () => {
  const [alice] = await meet('Alice')
  for (let minute = 0; minute < 101; minute++) {
    const start = new Date(Date.parse('2030-01-08T00:00:00Z') + minute * minuteMs).toISOString()
    await schedule(alice, standUp({ topic: 'Many', description: 'Milestones', ...at(start) }))
  }
  const first = await search(alice, 'q=milestones&limit=60')
  const second = await search(alice, `q=milestones&limit=60&after=${first.nextCursor}`)
  assert.equal(first.dates.length + second.dates.length, 100)
  assert.equal((await search(alice, 'q=many&limit=100')).moreAvailable, true, 'all are found by their topic')
})

test('finds a meeting by its description while people are inside beyond its end, and after it was ended early', async () => {
  const [alice] = await meet('Alice')
  const ended = await schedule(
    alice,
    standUp({ topic: 'Ended', description: 'Northlight', ...at('2030-01-07T08:00:00Z') }),
  )
  const meeting = await schedule(
    alice,
    standUp({ topic: 'Overrun', description: 'Northlight', ...at('2030-01-07T09:00:00Z') }),
  )
  clock.set('2030-01-07T08:10:00Z')
  const listed = async (list: string) =>
    (await search(alice, `q=northlight&list=${list}`)).dates.map(({ topic, room }) => `${topic} ${room ?? ''}`.trim())
  assert.deepEqual([await listed('ahead'), await listed('past')], [['Ended', 'Overrun'], []])
  assert.equal((await alice.send('POST', `/api/rooms/${ended.svcMeetId}/end`)).status, 204)
  assert.deepEqual([await listed('ahead'), await listed('past')], [['Overrun'], ['Ended']])
  clock.set('2030-01-07T09:31:00Z')
  assert.deepEqual([await listed('ahead'), await listed('past')], [[], ['Overrun', 'Ended']])
  await enter(meeting._id)
  assert.deepEqual([await listed('ahead'), await listed('past')], [['Overrun occupied'], ['Ended']])
})

/** Have a guest inside of the room of a meeting. */
async function enter(meetingId: string) {
  const now = clock.now()
  const [sessionId, id] = [secureRandom.uuid(now), secureRandom.uuid(now)]
  const { database } = app
  await database.insertInto('room').values({ meetingId }).execute()
  await database.insertInto('roomSession').values({ id: sessionId, meetingId, startedAt: now }).execute()
  const guest = { meetingId, name: 'Greta', role: 'participant' as const, accountId: null }
  await database
    .insertInto('admission')
    .values({
      ...guest,
      id,
      guestHash: Buffer.alloc(32, id),
      state: 'admitted',
      askedAt: now,
      occurrenceAt: now,
      seenAt: now,
    })
    .execute()
  await database
    .insertInto('roomStay')
    .values({ ...guest, id: secureRandom.uuid(now), sessionId, admissionId: id, participantSid: id, joinedAt: now })
    .execute()
}
