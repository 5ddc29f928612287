import type { Reminder } from '@parley/rules/meetings/reminders'
import { statement } from '../platform/database/database.ts'
import type { Database } from '../tables/tables.ts'
import { type WantedMails, wantedClauses, wantedValues } from './guest-delivery.ts'
import { type AccountFacts, accountFields, type MeetingFacts, namedAccount } from './meeting-row.ts'
import { countShards, insertPeople, type MeetingValues, peopleValues } from './meeting-store.ts'

export type NewMeeting = MeetingValues & {
  id: string
  code: string
  hostId: string
  /** The app that created it; null if a person or a personal token did. */
  appId: string | null
  sealedSecrets: Buffer
  createdAt: Date
}

const insertSql = (mailCtes = '', mailColumn = '') => `with created as (
    insert into meeting (id, code, host_id, modified_by, topic, description, starts_at, ends_at, time_zone,
      time_zone_iana, recurrence, ends_by, over_at, options, sealed_secrets, created_at, modified_at, app_id,
      reminder_minutes, state_sequence)
    values ($2, $3, $4, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $16, $21, $22, 0)
    on conflict (code) do nothing returning id, starts_at, recurring
  ), people as (${insertPeople('created', 17)}), counted as (
    insert into hosted_meeting_count as hosted (host_id, shard, active, cancelled)
    select $4, pg_backend_pid() % ${countShards}, 1, 0 from created
    on conflict (host_id, shard) do update set active = hosted.active + 1
  ), reminded as (
    insert into meeting_reminder (meeting_id, occurrence, due_at)
    select id, $23, $24 from created where $23::timestamptz is not null
  )${mailCtes} select h.room_id as "roomId", (
      select coalesce(json_agg(json_build_object('addressKey', a.email_key, ${accountFields})), '[]')
      from unnest($17::text[]) as person (email_key) join account a on ${namedAccount('person.email_key')}
    ) as accounts${mailColumn} from created join account h on h.id = $4`

/** Returned for a new meeting: the host's own room, and the accounts of its people. */
type Inserted = { roomId: string; accounts: readonly (AccountFacts & { addressKey: string })[] }

const wanted = wantedClauses('created', 25)
const insertStatement = statement<Inserted>('insert-meeting', insertSql())
const insertAndMailStatement = statement<Inserted>(
  'insert-meeting-and-mail',
  insertSql(`, ${wanted.ctes}`, `, ${wanted.jobs} as queued`),
)

/**
 * Insert a meeting in one statement, which also returns the host's own room and the accounts of its people. Undefined if
 * another meeting has the code: generate a new one.
 */
export async function insertMeeting(
  database: Database,
  meeting: NewMeeting,
  host: { tenantId: string; namesEveryAddress: boolean },
  { reminder, mails }: { reminder: Reminder | undefined; mails: WantedMails },
): Promise<MeetingFacts | undefined> {
  const insert = mails.guests.length === 0 ? insertStatement : insertAndMailStatement
  const [inserted] = await insert(database, [
    host.namesEveryAddress,
    meeting.id,
    meeting.code,
    meeting.hostId,
    meeting.topic,
    meeting.description,
    meeting.startsAt,
    meeting.endsAt,
    meeting.timeZone,
    meeting.timeZoneIana,
    meeting.rule,
    meeting.endsBy,
    meeting.overAt,
    meeting.options,
    meeting.sealedSecrets,
    meeting.createdAt,
    ...peopleValues(meeting.participants),
    meeting.appId,
    meeting.reminderMinutes,
    reminder?.occurrence ?? null,
    reminder?.dueAt ?? null,
    ...(mails.guests.length === 0 ? [] : wantedValues(mails)),
  ])
  if (inserted === undefined) return undefined
  const accounts = new Map(inserted.accounts.map(({ addressKey, ...account }) => [addressKey, account]))
  return {
    ...meeting,
    modifiedBy: meeting.hostId,
    modifiedAt: meeting.createdAt,
    version: 0,
    sequence: 0,
    stateSequence: 0,
    invitationMailed: false,
    reminderMailed: false,
    cancellationMailed: false,
    cancelledAt: null,
    host: { id: meeting.hostId, tenantId: host.tenantId, roomId: inserted.roomId },
    people: meeting.participants.map((person) => ({
      ...person,
      response: null,
      mailFailedAt: null,
      mailDelayedUntil: null,
      account: accounts.get(person.addressKey) ?? null,
    })),
  }
}
