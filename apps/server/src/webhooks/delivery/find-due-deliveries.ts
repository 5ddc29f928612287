import { eventTypes, isScope } from '@parley/contract'
import { mayReceive } from '@parley/rules/webhooks/delivery-right'
import { sql } from 'kysely'
import { grantJoins, liveGrant } from '../../access/credentials/live-grant.ts'
import type { EventRow } from '../../event-log/view-event.ts'
import { visibleActingGrant } from '../../event-log/visible-acting-grant.ts'
import type { Database } from '../../platform/database/database.ts'
import { defineStatement, type RowOf } from '../../platform/database/define-statement.ts'
import { pick, tables } from '../../platform/database/tables.ts'
import { hasEnded } from '../has-ended.ts'
import type { Lane } from './lane-store.ts'

const dueTypes = {
  ...pick(tables.webhookDelivery, 'webhookId', 'lane', 'attempts', 'attemptsBeforeResend', 'firstAttemptAt', 'eventId'),
  ...pick(
    tables.webhook,
    'owner',
    'url',
    'payload',
    'encryptedSecret',
    'encryptedPreviousSecret',
    'previousSecretUntil',
    'appId',
    'sandbox',
    'grantId',
    'accountId',
  ),
  disabled: 'boolean',
  hasEnded: 'boolean',
  isOwnerLive: 'boolean',
  isOwnEvent: 'boolean',
  isAdministratorOfSubject: 'boolean',
  isAboutApp: 'boolean',
  grantedScopes: 'text[]?',
  webhookAccountId: 'uuid',
  ...pick(tables.event, 'type', 'occurredAt', 'subject', 'meetingId', 'sequence', 'actingGrantId', 'data'),
} as const

const findStatement = defineStatement({
  name: 'find-due-webhook-deliveries',
  parameters: { webhookIds: 'uuid[]', lanes: 'uuid[]', now: 'timestamptz' },
  columns: dueTypes,
  text: (p) => sql`select w.id as webhook_id, d.lane, d.attempts, d.attempts_before_resend,
      d.first_attempt_at, w.owner, w.url, w.payload, w.encrypted_secret,
      w.encrypted_previous_secret, w.previous_secret_until,
      w.disabled_at is not null as disabled, ${hasEnded(sql`w`, p.now)} as has_ended,
      maker.disabled_at is null and maker.deleted_at is null as is_owner_live,
      e.account_id = w.account_id as is_own_event,
      maker.administrator and maker.tenant_id = subject.tenant_id as is_administrator_of_subject,
      coalesce(e.app_id = w.app_id, false) as is_about_app,
      (select g.api_scopes from app_grant g ${grantJoins} where ${liveGrant} and g.expires_at > ${p.now}
        and g.account_id = e.account_id
        and case w.owner when 'grant' then g.id = w.grant_id
          else g.app_id = w.app_id and g.sandbox = w.sandbox end) as granted_scopes,
      w.account_id as webhook_account_id, w.app_id, w.sandbox, w.grant_id, e.id as event_id,
      e.type, e.occurred_at, e.account_id, e.subject, e.meeting_id,
      e.sequence, ${visibleActingGrant(
        sql`e`,
        sql`case when w.app_id is null then e.account_id = w.account_id
          else g.app_id = w.app_id and g.sandbox = w.sandbox end`,
      )} as acting_grant_id, e.data
    from unnest(${p.webhookIds}, ${p.lanes}) as claimed (webhook_id, lane) cross join lateral (
      select * from webhook_delivery
      where webhook_id = claimed.webhook_id and lane = claimed.lane and state = 'waiting'
      order by position limit 1
    ) d join webhook w on w.id = d.webhook_id join account maker on maker.id = w.account_id
      join event e on e.id = d.event_id join account subject on subject.id = e.account_id`,
})

type DueRow = RowOf<typeof dueTypes>

/** The first waiting delivery of a lane, with its webhook and its event. */
export type DueDelivery = Omit<DueRow, 'grantedScopes'> & {
  event: EventRow
  /** Whether the webhook may receive the event now. */
  allowed: boolean
  grantedScopes: string[] | null
}

/** Find what these lanes send next, and evaluate the right of their webhooks to it. An empty lane has nothing. */
export async function findDueDeliveries(database: Database, lanes: readonly Lane[], now: Date): Promise<DueDelivery[]> {
  const rows = await findStatement.execute(database, {
    webhookIds: lanes.map(({ webhookId }) => webhookId),
    lanes: lanes.map(({ lane }) => lane),
    now,
  })
  return rows.map((row) => ({ ...row, event: { ...row, id: row.eventId }, allowed: isAllowed(row) }))
}

const isAllowed = (row: DueRow): boolean =>
  !row.disabled &&
  mayReceive({
    ...row,
    right: eventTypes[row.type].right,
    grantedScopes: row.grantedScopes?.filter(isScope),
  })
