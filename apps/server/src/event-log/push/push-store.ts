import type { NotificationKind } from '@parley/contract'
import { waitsUnseenMs } from '@parley/rules/rooms/stored-admission'
import type { Language } from '@parley/texts/languages'
import { sql } from 'kysely'
import { Type } from 'typebox'
import type { Database, Tx } from '../../platform/database/database.ts'
import { defineStatement } from '../../platform/database/define-statement.ts'
import { pick, tables } from '../../platform/database/tables.ts'
import { defineJob } from '../../platform/jobs/define-job.ts'
import { jobsOfRows } from '../../platform/jobs/jobs.ts'
import { sha256 } from '../../platform/sha256.ts'

/** More browsers than one person uses; each of them costs a message per notification. */
const maxSubscriptions = 8

/** Whatever happens, a person gets no more: guests who come again under other names would otherwise send hundreds. */
const maxPushedAnHour = 30

/** A message is worth nothing after a few minutes; the second attempt is three seconds later. */
const maxPushAttempts = 2

/** After this many failures in a row, the push service is gone for good. The page subscribes again when it is opened. */
const maxFailures = 10

/** Interrupt a person for these only: what happens now, and needs them. */
export const pushedKinds = ['starting', 'started', 'waiting'] as const satisfies readonly NotificationKind[]

export const pushJob = defineJob(
  'push-notification',
  Type.Object({ notificationId: Type.String(), subscriptionId: Type.String() }),
)

const queueStatement = defineStatement({
  name: 'queue-pushes',
  parameters: { notificationIds: 'uuid[]' },
  text: (p) => sql`with pushed as materialized (
      select n.id as notification_id, s.id as subscription_id
      from notification n join push_subscription s on s.account_id = n.account_id
      where n.id = any (${p.notificationIds}) and (
        select sum(1 + coalesce((earlier.data ->> 'replaced')::integer, 0)) from notification earlier where earlier.account_id = n.account_id
          and earlier.kind in (${sql.join(pushedKinds.map((kind) => sql.lit(kind)))})
          and earlier.number <= n.number and earlier.occurred_at > n.occurred_at - interval '1 hour'
      ) <= ${sql.lit(maxPushedAnHour)}
    ) select from ${jobsOfRows({
      task: pushJob.name,
      payload: sql`json_build_object('notificationId', pushed.notification_id, 'subscriptionId', pushed.subscription_id)`,
      priority: sql`null`,
      rows: sql`pushed`,
      maxAttempts: maxPushAttempts,
    })}`,
})

/** Have notifications pushed to the browsers of their people, in the transaction that writes them. */
export async function queuePushes(tx: Tx, notificationIds: readonly string[]): Promise<void> {
  if (notificationIds.length > 0) await queueStatement.execute(tx, { notificationIds: [...notificationIds] })
}

/** The encrypted private key of the service; `make` is called when there is none yet. */
export async function findOrInsertPushKey(database: Database, make: () => Buffer): Promise<Buffer> {
  const find = () => database.selectFrom('pushKey').select('encryptedPrivateKey').executeTakeFirst()
  const found = await find()
  if (found !== undefined) return found.encryptedPrivateKey
  await database
    .insertInto('pushKey')
    .values({ encryptedPrivateKey: make() })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  const { encryptedPrivateKey } = (await find()) ?? {}
  if (encryptedPrivateKey === undefined) throw new Error('The key for push services was deleted meanwhile.')
  return encryptedPrivateKey
}

export const findSubscription = (database: Database, sessionId: string) =>
  database.selectFrom('pushSubscription').select('id').where('sessionId', '=', sessionId).executeTakeFirst()

type NewSubscription = {
  id: string
  sessionId: string
  accountId: string
  endpoint: string
  encryptedReceiver: Buffer
  language: Language
  now: Date
}

/**
 * Store the subscription of a session in place of an earlier one, and of another session's in the same browser. The
 * oldest of the account beyond the limit are deleted. False: the session has ended meanwhile.
 */
export async function replaceSubscription(
  tx: Tx,
  { endpoint, now, ...subscription }: NewSubscription,
): Promise<boolean> {
  const { sessionId, accountId } = subscription
  // Two windows may subscribe at the same time.
  const locked = tx.selectFrom('session').select('id').where('id', '=', sessionId).forUpdate()
  if ((await locked.executeTakeFirst()) === undefined) return false
  await deleteSubscriptionOfSession(tx, sessionId)
  const values = { ...subscription, service: new URL(endpoint).host, createdAt: now, failures: 0 }
  await tx
    .insertInto('pushSubscription')
    .values({ ...values, endpointHash: sha256(endpoint) })
    .onConflict((conflict) => conflict.column('endpointHash').doUpdateSet(values))
    .execute()
  await tx
    .deleteFrom('pushSubscription')
    .where('id', 'in', (all) =>
      all
        .selectFrom('pushSubscription')
        .select('id')
        .where('accountId', '=', accountId)
        .orderBy('createdAt', 'desc')
        .orderBy('id', 'desc')
        .offset(maxSubscriptions),
    )
    .execute()
  return true
}

export const deleteSubscriptionOfSession = (database: Database, sessionId: string) =>
  database.deleteFrom('pushSubscription').where('sessionId', '=', sessionId).execute()

const findStatement = defineStatement({
  name: 'find-push',
  parameters: { notificationId: 'uuid', subscriptionId: 'uuid', now: 'timestamptz', waitingIfSeenAfter: 'timestamptz' },
  columns: {
    ...pick(tables.notification, 'kind', 'occurredAt', 'readAt', 'byAddress', 'data'),
    ...pick(tables.pushSubscription, 'encryptedReceiver', 'language'),
    notificationId: 'uuid',
    subscriptionId: 'uuid',
    code: 'text?',
    isOwnRoom: 'boolean',
    isVerified: 'boolean',
    isInside: 'boolean',
  },
  text: (p) => sql`select n.kind, n.occurred_at, n.read_at, n.by_address, n.data, s.encrypted_receiver, s.language,
      n.id as notification_id, s.id as subscription_id, coalesce(own.room_code, m.code) as code, own.id is not null as is_own_room,
      a.email_verified_at is not null as is_verified, exists (
        select from admission inside where inside.meeting_id = n.meeting_id and inside.account_id = n.account_id
          and inside.entered_at is not null and inside.left_at is null) as is_inside
    from notification n join push_subscription s on s.account_id = n.account_id
      join session on session.id = s.session_id join account a on a.id = n.account_id
      left join skipped_occurrence skipped on skipped.meeting_id = n.meeting_id
        and skipped.starts_at = (n.data ->> 'originalStartTime')::timestamptz
      left join changed_occurrence changed on changed.meeting_id = n.meeting_id
        and changed.original_start = (n.data ->> 'originalStartTime')::timestamptz
      left join meeting m on m.id = n.meeting_id and m.cancelled_at is null and (n.kind <> 'starting'
        or skipped.meeting_id is null and (n.data ->> 'startsAt')::timestamptz
          = coalesce(changed.starts_at, (n.data ->> 'originalStartTime')::timestamptz, m.starts_at))
      left join account own on own.room_id = n.meeting_id
    where n.id = ${p.notificationId} and s.id = ${p.subscriptionId} and session.expires_at > ${p.now}
      and (n.kind <> 'started' or exists (
        select from room_session call where call.meeting_id = n.meeting_id and call.ended_at is null))
      and (n.kind <> 'waiting' or exists (
        select from admission waiting where waiting.meeting_id = n.meeting_id and waiting.name = coalesce(n.data ->> 'person', '')
          and waiting.state in ('waiting', 'waiting_for_host') and waiting.seen_at > ${p.waitingIfSeenAfter}))
      and a.disabled_at is null and a.deleted_at is null`,
})

/**
 * Find what a job pushes, as it is now; undefined where either is gone, the session has ended, the person no longer
 * waits, or the call is over. Without a code, the
 * meeting is cancelled, or the date is cancelled or starts at another time.
 */
export async function findPush(database: Database, job: { notificationId: string; subscriptionId: string; now: Date }) {
  const waitingIfSeenAfter = new Date(job.now.getTime() - waitsUnseenMs)
  const [found] = await findStatement.execute(database, { ...job, waitingIfSeenAfter })
  return found
}

export type Push = NonNullable<Awaited<ReturnType<typeof findPush>>>

/** The push service no longer knows the address. */
export const deleteSubscription = (database: Database, subscriptionId: string) =>
  database.deleteFrom('pushSubscription').where('id', '=', subscriptionId).execute()

export const resetFailures = (database: Database, subscriptionId: string) =>
  database
    .updateTable('pushSubscription')
    .set({ failures: 0 })
    .where('id', '=', subscriptionId)
    .where('failures', '>', 0)
    .execute()

const countFailureStatement = defineStatement({
  name: 'count-push-failure',
  parameters: { subscriptionId: 'uuid' },
  text: (p) => sql`with failed as (
      delete from push_subscription where id = ${p.subscriptionId} and failures >= ${sql.lit(maxFailures - 1)}
    ) update push_subscription set failures = failures + 1
      where id = ${p.subscriptionId} and failures < ${sql.lit(maxFailures - 1)}`,
})

/** Count a message that could not be handed over; after too many in a row, delete the subscription. */
export const countFailure = (database: Database, subscriptionId: string) =>
  countFailureStatement.execute(database, { subscriptionId })
