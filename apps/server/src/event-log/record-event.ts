import type { EventData, EventType } from '@parley/contract'
import { sql } from 'kysely'
import { grantedScopes } from '../access/credentials/live-grant.ts'
import type { Tx } from '../platform/database/database.ts'
import { defineStatement, type Fragment, type Parameter } from '../platform/database/define-statement.ts'
import { tables, typed } from '../platform/database/tables.ts'

type TypesOf<Prefix extends string> = Extract<EventType, `${Prefix}.${string}`>

type MeetingEventType = TypesOf<'meeting' | 'participant' | 'invitation'>

/** Fields that are the same for all events of a meeting, or follow from the event's row (view-event.ts). */
type MeetingFields = 'userId' | 'meetingId' | 'svcMeetId' | '__v' | 'topic' | 'joinUrl'

type MeetingEvent<T extends MeetingEventType = MeetingEventType> = T extends MeetingEventType
  ? {
      type: T
      meetingId: string
      more: Omit<EventData<T>, MeetingFields>
      /** The grant by which an app made the change; null if a person, a personal token or the service did. */
      actingGrantId: string | null
      now: Date
    }
  : never

/** The data of an event of the meeting `m`, as its row is now, and of `more`. */
export const meetingEventData = (m: Fragment, more: Fragment | Parameter) =>
  sql`jsonb_build_object('meetingId', ${m}.id, 'svcMeetId', ${m}.code, '__v', ${m}.version, 'topic', ${m}.topic)
    || ${more}`

const recordMeetingStatement = defineStatement({
  name: 'record-meeting-event',
  parameters: {
    type: 'text',
    meetingId: 'uuid',
    more: typed<object>('jsonb'),
    actingGrantId: tables.event.actingGrantId,
    now: 'timestamptz',
  },
  text: (p) => sql`insert into event (type, occurred_at, account_id, subject, meeting_id, acting_grant_id, data)
    select ${p.type}, ${p.now}, m.host_id, m.id, m.id, ${p.actingGrantId}, ${meetingEventData(sql`m`, p.more)}
    from meeting m where m.id = ${p.meetingId}`,
})

/**
 * Record an event of a meeting in the transaction of the change, after the change: topic and version are those of the
 * row. The event belongs to the host. An own room is no meeting, and has no events.
 */
export const recordMeetingEvent = (tx: Tx, event: MeetingEvent) => recordMeetingStatement.execute(tx, event)

const recordGrantsStatement = defineStatement({
  name: 'record-grant-events',
  parameters: { type: 'text', grantIds: 'uuid[]', now: 'timestamptz' },
  text: (p) => sql`insert into event (type, occurred_at, account_id, subject, app_id, data)
    select ${p.type}, ${p.now}, g.account_id, g.id, g.app_id, jsonb_build_object('grantId', g.id, 'appId', g.app_id,
      'sandbox', g.sandbox, 'scopes', case when g.revoked_at is null then ${grantedScopes} else '{}' end)
    from app_grant g where g.id = any (${p.grantIds}) order by g.id`,
})

/** Record that grants were made, changed or revoked, in the transaction of the change and after it. */
export async function recordGrantEvents(
  tx: Tx,
  type: TypesOf<'grant'>,
  grants: readonly { id: string }[],
  now: Date,
): Promise<void> {
  if (grants.length === 0) return
  await recordGrantsStatement.execute(tx, { type, grantIds: grants.map(({ id }) => id), now })
}

type AppEvent<T extends TypesOf<'app' | 'secret'> = TypesOf<'app' | 'secret'>> = T extends EventType
  ? { type: T; ownerId: string | null; data: Omit<EventData<T>, 'userId'>; now: Date }
  : never

/**
 * Record an event of an app in the transaction of the change. The event belongs to the app's owner; an app without an
 * owner has no events.
 */
export async function recordAppLogEvent(tx: Tx, { type, ownerId, data, now }: AppEvent): Promise<void> {
  if (ownerId === null) return
  await tx
    .insertInto('event')
    .values({
      type,
      occurredAt: now,
      accountId: ownerId,
      subject: data.appId,
      meetingId: null,
      appId: data.appId,
      actingGrantId: null,
      data: JSON.stringify(data),
    })
    .execute()
}

type WebhookEvent<T extends TypesOf<'webhook'> = TypesOf<'webhook'>> = T extends EventType
  ? {
      type: T
      webhookId: string
      /** The account that made the webhook. */
      accountId: string
      data: Omit<EventData<T>, 'userId' | 'webhookId'>
      now: Date
    }
  : never

/** Record an event of a webhook in the transaction of the change. The event is sent to this webhook alone. */
export async function recordWebhookEvent(tx: Tx, event: WebhookEvent): Promise<{ id: string }> {
  const { type, webhookId, accountId, data, now } = event
  return tx
    .insertInto('event')
    .values({
      type,
      occurredAt: now,
      accountId,
      subject: webhookId,
      meetingId: null,
      appId: null,
      actingGrantId: null,
      data: JSON.stringify({ ...data, webhookId }),
    })
    .returning('id')
    .executeTakeFirstOrThrow()
}
