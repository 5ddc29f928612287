import { advancedOptionDefaults } from '@parley/contract'
import { encryptSecrets, newMeetingSecrets } from '../../apps/server/src/meetings/meeting-secrets.ts'
import { createEncryption } from '../../apps/server/src/platform/encryption.ts'
import { secureRandom } from '../../apps/server/src/platform/random.ts'
import { evaluateTarget, median, ms, printTable, quantile } from '../figures.ts'
import type { BenchFixture } from '../fixture.ts'
import { requestBytes, sendInTurns, type Target } from '../load.ts'
import { type Person, signUp, textAuthorsOf, vacuumMeetings } from '../prepared-data.ts'
import { listTarget } from './lists.ts'

/** With one occurrence in ten changed, a page and a month of the calendar may take this much longer. */
const maxRatio = { kind: 'at most', value: 1.2 } as const

const seriesCount = 100
const occurrencesPerSeries = 104
const warmUpTurns = 100
const turnCount = 400
const dayMs = 86_400_000

/**
 * Compare two hosts with the same 100 weekly series, which began a year ago and have no end: one without a change, one
 * with every tenth of two years' occurrences moved by an hour and renamed. One request at a time, alternately.
 */
export async function benchChangedOccurrences(fixture: BenchFixture) {
  const plain = await signUp(fixture, 'host-of-series')
  const changed = await signUp(fixture, 'host-of-changed-series')
  await insertSeries(fixture, plain, 6_000_000_000)
  await insertSeries(fixture, changed, 7_000_000_000)
  await fixture.owner.query(changesStatement, [changed.id, occurrencesPerSeries])
  await vacuumMeetings(fixture)
  await fixture.owner.query('vacuum (analyze) changed_occurrence')

  const rows = [['', 'unchanged', 'p99', '10 % changed', 'p99', 'ratio']]
  const targets: [string, (person: Person) => Target][] = [
    ['a page of meetings ahead', (person) => listTarget(fixture, person, 'past=false')],
    ['a page of all meetings', (person) => listTarget(fixture, person)],
    ['a month of the calendar', (person) => calendarTarget(fixture, person)],
  ]
  for (const [name, target] of targets) {
    const both = [target(plain), target(changed)]
    await sendInTurns(both, warmUpTurns)
    const [without = [], withChanges = []] = await sendInTurns(both, turnCount)
    rows.push([
      name,
      ms(median(without)),
      ms(quantile(without, 0.99)),
      ms(median(withChanges)),
      ms(quantile(withChanges, 0.99)),
      evaluateTarget(median(withChanges) / median(without), maxRatio),
    ])
  }
  printTable(`${seriesCount} weekly series, one request at a time: medians of ${turnCount}`, rows)
}

function calendarTarget({ parley }: BenchFixture, person: Person): Target {
  const fromMs = Math.floor(Date.now() / dayMs) * dayMs
  const range = `fromDate=${new Date(fromMs).toISOString()}&toDate=${new Date(fromMs + 30 * dayMs).toISOString()}`
  const request = requestBytes('GET', `/api/meeting/calendar/me?limit=1000&${range}`, person.token)
  return { port: parley.port, nextRequest: () => request }
}

async function insertSeries({ owner, secretKey }: BenchFixture, host: Person, firstCode: number) {
  const encryption = createEncryption(secretKey)
  const secrets = newMeetingSecrets(secureRandom)
  const ids = Array.from({ length: seriesCount }, () => secureRandom.uuid(new Date()))
  const encrypted = ids.map((id) => encryptSecrets(encryption, id, secrets).toString('hex'))
  await owner.query(seriesStatement, [host.id, firstCode, ids, encrypted, advancedOptionDefaults])
  await owner.query('insert into hosted_meeting_count (host_id, shard, active, cancelled) values ($1, 0, $2, 0)', [
    host.id,
    seriesCount,
  ])
}

/** Series on all days of the week, at different times of day. */
const seriesStatement = `
  insert into meeting (id, code, host_id, modified_by, topic, description, starts_at, ends_at, time_zone,
    time_zone_iana, recurrence, ends_by, over_at, options, encrypted_secrets, state_sequence, text_authors,
    created_at, modified_at)
  select id, ($2::bigint + n)::text, $1, $1, 'Series ' || n, 'Bring numbers, and the notes of last time.',
    starts_at, starts_at + interval '30 minutes', 'UTC', 'UTC',
    jsonb_build_object('repeat', 'weekly', 'interval', 1, 'daysOfWeek',
      (select jsonb_agg((day = extract(dow from starts_at))::int order by day) from generate_series(0, 6) as day)),
    null, 'infinity', $5, decode(hex, 'hex'), 0, ${textAuthorsOf('$1')}, now(), now()
  from (
    select id, hex, n, date_trunc('day', now(), 'UTC') - interval '364 days' + (n % 7) * interval '1 day'
      + (n % 24) * interval '1 hour' as starts_at
    from unnest($3::uuid[], $4::text[]) with ordinality as each (id, hex, n)
  ) as prepared`

const changesStatement = `
  insert into changed_occurrence (meeting_id, original_start, starts_at, ends_at, topic, changed_by, changed_at)
  select id, original, original + interval '1 hour', original + interval '100 minutes', 'Changed', host_id, now()
  from meeting, lateral (
    select starts_at + k * interval '7 days' as original, k from generate_series(0, $2::int - 1) as k
  ) as occurrence
  where host_id = $1 and (k + hashtext(code)) % 10 = 0`
