import { createMeeting } from '@parley/contract'
import type { Reminder } from '@parley/rules/meetings/reminders'
import { noExceptions } from '@parley/rules/recurrence/recurrence'
import { sql } from 'kysely'
import type { TextAuthors } from '../../migrations/column-values.ts'
import { type Actor, actorOf } from '../access/caller.ts'
import { newMeetingCode } from '../accounts/account/access-codes.ts'
import { meetingEventData } from '../event-log/record-event.ts'
import { inTransaction, type Tx } from '../platform/database/database.ts'
import { defineStatement, type Fragment, type Parameter } from '../platform/database/define-statement.ts'
import { pick, tables, typed } from '../platform/database/tables.ts'
import { problem } from '../platform/http/problem.ts'
import { shareBlocksOfHost } from './blocked-sender-store.ts'
import type { Dependencies } from './dependencies.ts'
import { guestsOfNewMeeting, type MailsToQueue, queueClauses, queueParameters, queueValues } from './guest-delivery.ts'
import { appOf, etagOf, rightsOf, viewerOf } from './meeting-access.ts'
import { reminderOf } from './meeting-reminder.ts'
import { type AccountFacts, accountFields, type MeetingFacts, type MeetingRow, namedAccount } from './meeting-row.ts'
import { encryptSecrets, newMeetingSecrets } from './meeting-secrets.ts'
import {
  authorsOf,
  countShards,
  insertPeople,
  type MeetingValues,
  meetingParameters,
  peopleValues,
} from './meeting-store.ts'
import { viewMeeting } from './meeting-view.ts'
import {
  countQuietInvitations,
  lockInvitationsLeft,
  requireInvitationsLeft,
  reserveQuota,
  textBytesOf,
} from './quotas.ts'
import { readRequestedMeeting, toMeetingValues } from './requested-meeting.ts'

export function registerCreateMeeting({ serve, clock, random, encryption, config }: Dependencies) {
  serve(createMeeting, {
    read: ({ body, caller }) =>
      readRequestedMeeting(body, {
        hostAddressKey: caller.addressKey,
        profileTimeZone: caller.timeZone,
        timeZoneAliases: config.timeZoneAliases,
      }),
    handle: async ({ caller, query, input: requested, database, answer }) => {
      const now = clock.now()
      const values = toMeetingValues(requested, noExceptions)
      const secrets = newMeetingSecrets(random)
      const id = random.uuid(now)
      const meeting = {
        ...values,
        id,
        appId: appOf(caller),
        sealedSecrets: encryptSecrets(encryption, id, secrets),
        replyAddress: config.replyAddress ?? null,
        createdAt: now,
        continues: null,
      }
      const host = viewerOf(caller, config)
      const reminder = reminderOf(values, noExceptions, config, now)
      const guests = query.sendUpdates === 'none' ? [] : guestsOfNewMeeting(values, noExceptions, now)
      const created = await inTransaction(database, (tx) =>
        insertMeeting(tx, { config, random }, actorOf(caller), meeting, host, { reminder, mails: { now, guests } }),
      )
      answer.header('etag', etagOf(created))
      return {
        status: 'Meeting created successfully.',
        meetingDetails: viewMeeting(created, secrets.pin, { caller, config, rights: rightsOf(created, caller) }),
      }
    },
  })
}

type NewMeeting = MeetingValues & {
  id: string
  code: string
  /** The app that created it; null if a person or a personal token did. */
  appId: string | null
  sealedSecrets: Buffer
  replyAddress: string | null
  createdAt: Date
  /** The series that this meeting continues; null for a meeting of its own. */
  continues: string | null
  /** That series, whose texts keep their authors. */
  series?: MeetingRow
}

const insertParameters = {
  namesEveryAddress: 'boolean',
  ...pick(tables.meeting, 'id', 'code', 'hostId', 'appId', 'sealedSecrets', 'replyAddress', 'createdAt', 'continues'),
  actingGrantId: tables.event.actingGrantId,
  ...meetingParameters,
  textAuthors: typed<TextAuthors>('jsonb'),
  reminderOccurrence: 'timestamptz?',
  reminderDueAt: 'timestamptz?',
} as const

/** For a new meeting: the host's own room, and the accounts of its people. */
const insertedTypes = {
  roomId: 'uuid',
  accounts: typed<readonly (AccountFacts & { addressKey: string })[]>('json'),
} as const

/** The fields of the event that only some new meetings have. */
const newMeetingFields = (p: Record<keyof typeof insertParameters, Parameter>) =>
  sql`jsonb_strip_nulls(jsonb_build_object('continues', ${p.continues}))`

/** `mails`: further parts of the statement, which queue emails. */
const insertText = (
  p: Record<keyof typeof insertParameters, Parameter>,
  mails = { ctes: sql``, columns: sql`` },
): Fragment => sql`with created as (
    insert into meeting (id, code, host_id, modified_by, topic, description, starts_at, ends_at, time_zone,
      time_zone_iana, recurrence, ends_by, over_at, options, sealed_secrets, created_at, modified_at, app_id,
      reminder_minutes, state_sequence, reply_address, text_authors)
    values (${p.id}, ${p.code}, ${p.hostId}, ${p.hostId}, ${p.topic}, ${p.description}, ${p.startsAt}, ${p.endsAt},
      ${p.timeZone}, ${p.timeZoneIana}, ${p.rule}, ${p.endsBy}, ${p.overAt}, ${p.options}, ${p.sealedSecrets},
      ${p.createdAt}, ${p.createdAt}, ${p.appId}, ${p.reminderMinutes}, 0, ${p.replyAddress}, ${p.textAuthors})
    on conflict (code) do nothing returning id, code, host_id, topic, version, starts_at, recurring
  ), people as (${insertPeople(sql`created`, p)}), counted as (
    insert into hosted_meeting_count as hosted (host_id, shard, active, cancelled, participants, text_bytes)
    select ${p.hostId}, pg_backend_pid() % ${sql.lit(countShards)}, 1, 0, cardinality(${p.personKeys}),
      octet_length(${p.topic}) + octet_length(${p.description}) from created
    on conflict (host_id, shard) do update set active = hosted.active + 1,
      participants = hosted.participants + excluded.participants, text_bytes = hosted.text_bytes + excluded.text_bytes
  ), reminded as (
    insert into meeting_reminder (meeting_id, occurrence, due_at)
    select id, ${p.reminderOccurrence}, ${p.reminderDueAt} from created where ${p.reminderOccurrence} is not null
  ), recorded as (
    insert into event (type, occurred_at, account_id, subject, meeting_id, acting_grant_id, data)
    select 'meeting.created', ${p.createdAt}, host_id, id, id, ${p.actingGrantId},
      ${meetingEventData(sql`created`, newMeetingFields(p))}
    from created
  )${mails.ctes} select h.room_id, (
      select coalesce(json_agg(json_build_object('addressKey', a.email_key, ${accountFields})), '[]')
      from unnest(${p.personKeys}) as person (email_key) join account a on ${namedAccount(sql`person.email_key`, p)}
    ) as accounts${mails.columns} from created join account h on h.id = ${p.hostId}`

const insertStatement = defineStatement({
  name: 'insert-meeting',
  parameters: insertParameters,
  columns: insertedTypes,
  text: (p) => insertText(p),
})
const insertAndMailStatement = defineStatement({
  name: 'insert-meeting-and-mail',
  parameters: { ...insertParameters, ...queueParameters },
  columns: { ...insertedTypes, queued: 'bigint' },
  text: (p) => {
    const { ctes, jobs } = queueClauses(sql`created`, p)
    return insertText(p, { ctes: sql`, ${ctes}`, columns: sql`, ${jobs} as queued` })
  },
})

/** With a million meetings, one generated code in nine thousand is taken. */
const maxCodeTries = 5

type Host = { tenantId: string; namesEveryAddress: boolean }
type Queued = { reminder: Reminder | undefined; mails: MailsToQueue }
type NewRow = Omit<NewMeeting, 'series'> & { textAuthors: TextAuthors; hostId: string; actingGrantId: string | null }

/**
 * Insert a meeting with a new code, whose host is the account that the actor's mails name.
 * @throws unavailable when every generated code was taken; too_many_invitations, quota_exceeded
 */
export async function insertMeeting(
  tx: Tx,
  dependencies: Pick<Dependencies, 'config' | 'random'>,
  actor: Actor,
  { series, ...newMeeting }: Omit<NewMeeting, 'code'>,
  host: Host,
  { reminder, mails }: Queued,
): Promise<MeetingFacts> {
  // Quota, blocks, invitations: updates take their locks in this order, too.
  const added = { meetings: 1, participants: newMeeting.participants.length, textBytes: textBytesOf(newMeeting) }
  await reserveQuota(tx, dependencies.config, actor.namedId, added)
  if (newMeeting.participants.length > 0) await shareBlocksOfHost(tx, actor.namedId)
  const quiet = newMeeting.participants.length - mails.guests.length
  await countQuietInvitations(tx, dependencies, actor, quiet, mails.now)
  if (mails.guests.length > 0) {
    requireInvitationsLeft(await lockInvitationsLeft(tx, dependencies, actor, mails.now), mails.guests.length)
  }
  const textAuthors = authorsOf(actor, newMeeting, series)
  const meeting = { ...newMeeting, textAuthors, hostId: actor.namedId, actingGrantId: actor.grantId }
  const queued = { reminder, mails: mails.guests.length === 0 ? null : queueValues(actor, mails) }
  for (let tries = 0; tries < maxCodeTries; tries++) {
    const inserted = await insertWithCode(tx, { ...meeting, code: newMeetingCode(dependencies.random) }, host, queued)
    if (inserted !== undefined) return inserted
  }
  throw problem('unavailable', { retryAfterSeconds: 1 })
}

/**
 * Insert a meeting in one statement, which also returns the host's own room and the accounts of its people. Undefined
 * if another meeting has the code.
 */
async function insertWithCode(
  tx: Tx,
  meeting: NewRow,
  host: Host,
  { reminder, mails }: { reminder: Reminder | undefined; mails: ReturnType<typeof queueValues> | null },
): Promise<MeetingFacts | undefined> {
  const { participants, ...columns } = meeting
  const values = {
    ...columns,
    ...peopleValues(participants),
    namesEveryAddress: host.namesEveryAddress,
    reminderOccurrence: reminder?.occurrence ?? null,
    reminderDueAt: reminder?.dueAt ?? null,
  }
  const [inserted] =
    mails === null
      ? await insertStatement.execute(tx, values)
      : await insertAndMailStatement.execute(tx, { ...values, ...mails })
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
      responseComment: null,
      mailFailedAt: null,
      mailDelayedUntil: null,
      account: accounts.get(person.addressKey) ?? null,
    })),
  }
}
