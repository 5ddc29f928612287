import {
  type EventReply,
  eventTypes,
  isEventType,
  isScope,
  type SingleMeetingReply,
  secretMeetingFields,
} from '@parley/contract'
import { sql } from 'kysely'
import type { Caller, Credential } from '../../access/caller.ts'
import { accountColumns, callerOf, credentialTypes } from '../../access/credentials/credential-row.ts'
import type { WithDatabase } from '../../access/service.ts'
import { trustsEveryAddress } from '../../access/trusted-address.ts'
import { viewEvent } from '../../event-log/view-event.ts'
import { findMeeting } from '../../meetings/meeting-store.ts'
import { findAccess } from '../../meetings/view/meeting-access.ts'
import { viewSingleMeeting } from '../../meetings/view/meeting-view.ts'
import { defineStatement } from '../../platform/database/define-statement.ts'
import type { DueDelivery } from './find-due-deliveries.ts'

/** An event as it is sent; with `payload: full`, with its meeting. */
type SentEvent = EventReply & { test?: true; meeting?: MeetingWithoutSecrets | null }

type Dependencies = Pick<WithDatabase, 'database' | 'encryption' | 'config'>

/** The event of a delivery as its webhook receives it, with the rights that it has at this moment. */
export async function viewDeliveredEvent(delivery: DueDelivery, dependencies: Dependencies): Promise<SentEvent> {
  const { baseUrl } = dependencies.config
  const sample = sampleOf(delivery, baseUrl)
  const event = sample ?? viewEvent(delivery.event, baseUrl)
  const marked = delivery.type === 'webhook.test' ? { ...event, test: true as const } : event
  if (delivery.payload === 'thin' || delivery.meetingId === null) return marked
  return { ...marked, meeting: await readMeetingOf(delivery, delivery.meetingId, dependencies) }
}

/** A test event that names another type is sent as the sample of that type. */
function sampleOf({ event, data: { sampleOf: type } }: DueDelivery, baseUrl: string): EventReply | undefined {
  if (typeof type !== 'string' || !isEventType(type)) return undefined
  const { id, accountId, subject, occurredAt, sequence } = event
  const sample = { id, accountId, subject, occurredAt, sequence, actingGrantId: null }
  return viewEvent({ ...sample, type, data: { ...eventTypes[type].sample } }, baseUrl)
}

type MeetingWithoutSecrets = Omit<SingleMeetingReply, (typeof secretMeetingFields)[number]>

async function readMeetingOf(
  delivery: DueDelivery,
  meetingId: string,
  { database, encryption, config }: Dependencies,
): Promise<MeetingWithoutSecrets | null> {
  const caller = await callerFor(delivery, { database, config })
  if (caller === undefined) return null
  // A webhook of the organisation shows what an administrator sees; that it was made is in the audit log.
  const found = await findAccess(caller, config, (viewer) => findMeeting(database, meetingId, viewer))
  if (found === undefined) return null
  const { row, rights } = found
  const view: Record<string, unknown> = { ...viewSingleMeeting(row, { caller, encryption, config, rights }) }
  for (const field of secretMeetingFields) delete view[field]
  return view as MeetingWithoutSecrets
}

const findStatement = defineStatement({
  name: 'find-webhook-reader',
  parameters: { accountId: 'uuid' },
  columns: credentialTypes,
  text: (p) => sql`select ''::bytea as token_hash, a.id, null::timestamptz as expires_at,
    null::timestamptz as last_used_at, ${accountColumns} from account a where a.id = ${p.accountId}`,
})

/** The caller with whose rights the meeting is read: the person who granted the app, or the owner of the webhook. */
async function callerFor(
  delivery: DueDelivery,
  { database, config }: Pick<Dependencies, 'database' | 'config'>,
): Promise<Caller | undefined> {
  const isOfApp = delivery.appId !== null
  const accountId = isOfApp ? delivery.accountId : delivery.webhookAccountId
  const [row] = await findStatement.execute(database, { accountId })
  return row && callerOf(row, credentialOf(delivery), trustsEveryAddress(config))
}

function credentialOf({ webhookId, appId, grantId, sandbox, grantedScopes }: DueDelivery): Credential {
  if (appId === null) return { kind: 'personal', tokenId: webhookId, scopes: ['meeting:read'] }
  const scopes = (grantedScopes ?? []).filter(isScope)
  return { kind: 'oauth', grantId: grantId ?? webhookId, appId, sandbox, scopes }
}
