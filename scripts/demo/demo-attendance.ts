import { randomBytes, randomUUID } from 'node:crypto'
import { join } from 'node:path'
import pg from 'pg'
import { serviceConnection } from '../../apps/server/src/platform/postgres/readiness.ts'
import type { HeldMeeting } from './demo-meetings.ts'
import { type DemoName, emailOf } from './people.ts'

type Stay = { from: number; to: number }
type Attendee = { name: string; who?: DemoName; role: 'host' | 'participant'; stays: readonly Stay[] }

/** Attendance in minutes from the start; a guest has no account. */
const attendees: readonly Attendee[] = [
  { name: 'Alice Baker', who: 'alice', role: 'host', stays: [{ from: -1, to: 31 }] },
  { name: 'Bob Kumar', who: 'bob', role: 'participant', stays: [{ from: 0, to: 31 }] },
  // Her connection was lost for a minute.
  {
    name: 'Carol Chen',
    who: 'carol',
    role: 'participant',
    stays: [
      { from: 4, to: 17 },
      { from: 18, to: 31 },
    ],
  },
  { name: 'Priya', role: 'participant', stays: [{ from: 6, to: 29 }] },
]

/**
 * Insert the attendance of one past meeting into the database, because the API cannot create a call of nine days ago.
 */
export async function makeAttendance(dataDir: string, { meetingId, start }: HeldMeeting): Promise<void> {
  const client = new pg.Client(serviceConnection(join(dataDir, 'postgres-socket')))
  await client.connect()
  const at = (minutes: number) => new Date(start.epochMilliseconds + minutes * 60_000)
  const session = randomUUID()
  try {
    await client.query('begin')
    await client.query('insert into room_session (id, meeting_id, started_at, ended_at) values ($1, $2, $3, $4)', [
      session,
      meetingId,
      at(-1),
      at(31),
    ])
    for (const { name, who, role, stays } of attendees) {
      const person = [meetingId, who === undefined ? null : emailOf(who), name, role]
      const admission = randomUUID()
      await client.query(
        `insert into admission (id, meeting_id, account_id, guest_hash, name, role, state, asked_at, decided_at, entered_at,
           left_at, occurrence_at, seen_at)
         values ($5, $1, (select id from account where email = $2), case when $2::text is null then $6::bytea end, $3, $4,
           'admitted', $7, $7, $7, $8, $9, $8)`,
        [...person, admission, randomBytes(32), at(stays[0]?.from ?? 0), at(stays.at(-1)?.to ?? 0), at(0)],
      )
      for (const { from, to } of stays) {
        await client.query(
          `insert into room_stay (id, session_id, meeting_id, admission_id, participant_sid, account_id, name, role,
             joined_at, left_at)
           values ($5, $6, $1, $7, $8, (select id from account where email = $2), $3, $4, $9, $10)`,
          [...person, randomUUID(), session, admission, `PA_${randomUUID()}`, at(from), at(to)],
        )
      }
    }
    await client.query('commit')
  } finally {
    await client.end()
  }
}
