import { advancedOptionDefaults } from '@parley/contract'
import type pg from 'pg'
import { setUpCodeOf } from '../apps/server/src/accounts/set-up.ts'
import { encryptSecrets, newMeetingSecrets } from '../apps/server/src/meetings/meeting-secrets.ts'
import { createEncryption, type Encryption } from '../apps/server/src/platform/encryption.ts'
import { secureRandom } from '../apps/server/src/platform/random.ts'
import type { InstanceFixture } from './fixture.ts'

export type Person = { id: string; email: string; token: string }

/** Sign a person up through the API, so that the account has everything that accounts consist of. */
export async function signUp(
  { parley, secretKey }: Pick<InstanceFixture, 'parley' | 'secretKey'>,
  name: string,
  password = secureRandom.bytes(12).toString('hex'),
): Promise<Person> {
  const email = `${name}@example.org`
  const response = await fetch(`http://127.0.0.1:${parley.port}/api/auth/sign-up`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    // The first account needs the code, and the others ignore it.
    body: JSON.stringify({
      email,
      password,
      name,
      lname: 'Bench',
      setUpCode: setUpCodeOf(createEncryption(secretKey)),
    }),
  })
  if (!response.ok) throw new Error(`No sign-up: ${await response.text()}`)
  const { token, user } = (await response.json()) as { token: string; user: { _id: string } }
  return { id: user._id, email, token }
}

type MeetingsWanted = { count: number; host: Person; guests: readonly string[]; firstCode: number }

/**
 * Insert one meeting an hour, 99 % of them in the past. Of 50 meetings one is cancelled, of 100 one is weekly for three
 * months, of 1,000 one is weekly without an end. The rows are scattered in the table, as if many hosts had created
 * meetings at the same time.
 */
export async function insertMeetings(
  { owner, secretKey }: Pick<InstanceFixture, 'owner' | 'secretKey'>,
  wanted: MeetingsWanted,
) {
  const { count, host, guests, firstCode } = wanted
  // Checking a million foreign keys would take longer than all measurements.
  await owner.query(`begin; set local session_replication_role = replica`)
  await owner.query(
    `create temp table encrypted (id uuid, sealed_secrets bytea) on commit drop;
     create temp table scattered (id uuid, n int) on commit drop`,
  )
  await owner.query(scatterStatement, [count])
  await encryptEach(owner, createEncryption(secretKey))
  await owner.query(meetingsStatement, [count, host.id, firstCode, advancedOptionDefaults])
  await owner.query(participantsStatement, [host.id, guests])
  await owner.query(countStatement, [host.id])
  await owner.query('commit')
}

const encryptedPerStatement = 20_000

/** Encrypt the same secrets for each meeting, because ciphertexts are bound to their row. */
async function encryptEach(owner: pg.Client, encryption: Encryption) {
  const secrets = newMeetingSecrets(secureRandom)
  const { rows } = await owner.query<{ id: string }>('select id from scattered')
  for (let at = 0; at < rows.length; at += encryptedPerStatement) {
    const ids = rows.slice(at, at + encryptedPerStatement).map(({ id }) => id)
    const encrypted = ids.map((id) => encryptSecrets(encryption, id, secrets).toString('hex'))
    await owner.query(
      `insert into encrypted select id, decode(hex, 'hex') from unnest($1::uuid[], $2::text[]) as each (id, hex)`,
      [ids, encrypted],
    )
  }
  await owner.query('analyze encrypted')
}

/** Vacuum and checkpoint, so that work on new rows does not fall into the measurement. */
export async function vacuumMeetings({ owner }: Pick<InstanceFixture, 'owner'>) {
  await owner.query('vacuum (analyze) meeting, participant, hosted_meeting_count, account, session')
  await owner.query('checkpoint')
}

export async function idsOf({ owner }: Pick<InstanceFixture, 'owner'>, host: Person, count: number): Promise<string[]> {
  const { rows } = await owner.query<{ id: string }>(
    `select id from meeting where host_id = $1 order by hashtext(code) limit $2`,
    [host.id, count],
  )
  return rows.map(({ id }) => id)
}

const scatterStatement = `
  insert into scattered select uuidv7(), n from (
    select n from generate_series(1, $1::int) as n order by n % 50, n
  ) as shuffled`

/** The value of `text_authors`: the account with this id has written both texts. */
const textAuthorsOf = (parameter: string) =>
  `(select jsonb_build_object('topic', author, 'description', author)
    from (select jsonb_build_object('accountId', ${parameter}::uuid, 'grantId', null) as author))`

const meetingsStatement = `
  insert into meeting (id, code, host_id, modified_by, topic, description, starts_at, ends_at, time_zone,
    time_zone_iana, recurrence, ends_by, over_at, options, sealed_secrets, state_sequence, text_authors,
    cancelled_at, created_at, modified_at)
  select id, ($3::bigint + n)::text, $2, $2, 'Review ' || n % 1000, 'Bring numbers, and the notes of last time.',
    starts_at, starts_at + interval '30 minutes', 'IST', 'Asia/Kolkata',
    case when n % 100 = 0 then '{"repeat": "weekly", "interval": 1, "daysOfWeek": [0, 1, 0, 0, 1, 0, 0]}'
      else '{"repeat": "none"}' end::jsonb,
    case when n % 100 = 0 and n % 1000 <> 0 then starts_at + interval '90 days' end,
    case when n % 1000 = 0 then 'infinity' when n % 100 = 0 then starts_at + interval '90 days'
      else starts_at + interval '30 minutes' end,
    $4, sealed_secrets, 0, ${textAuthorsOf('$2')},
    case when n % 50 = 1 then starts_at - interval '1 day' end, now(), now()
  from (
    select id, sealed_secrets, n, date_trunc('hour', now()) + (n - $1::int * 0.99) * interval '1 hour' as starts_at
    from scattered join encrypted using (id) order by id
  ) as prepared`

const participantsStatement = `
  insert into participant (meeting_id, email_key, email, position, invited, cohost, starts_at,
    meeting_cancelled, meeting_recurring)
  select id, guest, guest, position, true, false, starts_at, cancelled_at is not null, recurring
  from meeting, unnest($2::text[]) with ordinality as invited (guest, position) where host_id = $1 order by id`

const countStatement = `
  insert into hosted_meeting_count (host_id, shard, active, cancelled)
  select $1, 0, count(*) filter (where cancelled_at is null), count(cancelled_at) from meeting where host_id = $1`
