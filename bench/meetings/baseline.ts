import { unusedFields } from '@parley/contract'
import Fastify from 'fastify'
import pg from 'pg'
import { secureRandom } from '../../apps/server/src/platform/random.ts'

/**
 * The baseline of the service, in a separate process: bare Fastify and pg with the one prepared statement that a reply
 * needs. It authenticates no caller, validates nothing, counts nothing, decrypts no secrets, and returns rows
 * unchanged. With `?padding=`, a meeting also has the service's constant fields and that many additional characters.
 */
const poolSize = 16
const pool = new pg.Pool({ connectionString: process.env.DATABASE_URL, max: poolSize })
const http = Fastify()

const meetings = `
  select m.id, m.code, m.modified_by, m.topic, m.description, m.starts_at, m.ends_at, m.time_zone, m.time_zone_iana,
    m.recurrence, m.ends_by, m.options, encode(m.sealed_secrets, 'base64') as encrypted, m.version, m.cancelled_at,
    m.created_at, m.modified_at, h.id as host_id, h.tenant_id, h.room_id, h.name, h.lname, h.email, h.phone_no,
    h.created_at as host_created_at, people.participants
  from meeting m join account h on h.id = m.host_id left join lateral (
    select json_agg(json_build_object('email', p.email, 'cohost', p.cohost, 'id', a.id, 'name', a.name,
      'lname', a.lname, 'phoneNo', a.phone_no, 'createdAt', a.created_at) order by p.position) as participants
    from participant p left join account a on a.email_key = p.email_key and a.tenant_id = h.tenant_id
    where p.meeting_id = m.id
  ) people on true`

const getText = `${meetings} where m.id = $1`
const listText = `${meetings} where m.host_id = $1 and m.cancelled_at is null order by m.last_starts_at, m.id limit $2`
const createText = `
  with created as (
    insert into meeting (id, code, host_id, modified_by, topic, description, starts_at, ends_at, time_zone,
      time_zone_iana, recurrence, ends_by, over_at, options, sealed_secrets, state_sequence, text_authors,
      created_at, modified_at)
    values ($1, $2, $3, $3, $4, $5, $6, $7, $8, $9, $10, $11, $11, $12, $13, 0, '{}', $14, $14)
    returning *
  ), invited as (
    insert into participant (meeting_id, email_key, email, position, invited, cohost, starts_at)
    select id, email, email, position, true, false, starts_at
    from created, unnest($15::text[]) with ordinality as person (email, position)
  ) select * from created`

/** The fields of a create request that the baseline stores. */
type Body = {
  topic: string
  description: string
  participants: string[]
  startTime: string
  endTime: string
  advancedOptions: object
  repeatOptions: { timeZone: string; endDate: string }
}
type Query = { padding?: string; limit?: string }

http.get<{ Params: { id: string }; Querystring: Query }>('/meeting/:id', async ({ params, query }) => {
  const { rows } = await pool.query({ name: 'get', text: getText, values: [params.id] })
  return padded(rows, query)
})

http.get<{ Params: { hostId: string }; Querystring: Query }>('/meetings/:hostId', async ({ params, query }) => {
  const { rows } = await pool.query({ name: 'list', text: listText, values: [params.hostId, query.limit] })
  return padded(rows, query)
})

/** Two digits longer than the service's, so that codes never collide. */
const newCode = () => String(secureRandom.below(1e12)).padStart(12, '0')
const encrypted = secureRandom.bytes(150)
http.post<{ Params: { hostId: string }; Querystring: Query; Body: Body }>(
  '/meetings/:hostId',
  async ({ params, query, body }) => {
    const now = new Date()
    const { rows } = await pool.query({
      name: 'create',
      text: createText,
      values: [
        secureRandom.uuid(now),
        newCode(),
        params.hostId,
        body.topic,
        body.description,
        body.startTime,
        body.endTime,
        body.repeatOptions.timeZone,
        'Asia/Kolkata',
        body.repeatOptions,
        body.repeatOptions.endDate,
        body.advancedOptions,
        encrypted,
        now,
        body.participants,
      ],
    })
    return padded(rows, query)
  },
)

function padded(rows: object[], { padding }: Query) {
  if (padding === undefined) return rows
  const more = { ...unusedFields, padding: 'x'.repeat(Number(padding)) }
  return rows.map((row) => ({ ...row, ...more }))
}

process.once('SIGTERM', stop)
process.once('SIGINT', stop)
async function stop() {
  await http.close()
  await pool.end()
  process.exit(0)
}

console.log(`The baseline serves at ${await http.listen({ port: 0, host: '127.0.0.1' })} `)
