import { gatheringMs } from '@parley/rules/invitations/mail-limits'
import { sql } from 'kysely'
import type { Actor } from '../../access/caller.ts'
import type { Service } from '../../access/service.ts'
import { type DeliveryKey, queueMails } from '../../meetings/guest-delivery.ts'
import type { Tx } from '../../platform/database/database.ts'
import { defineStatement } from '../../platform/database/define-statement.ts'
import { tables } from '../../platform/database/tables.ts'
import { findMailLimitEnd } from './address-limits.ts'
import { lockDelivery } from './delivery-store.ts'

/**
 * The time until which this guest may get no further mail: the last one was just sent, or the daily limits are reached.
 */
export async function findResendLimitEnd(
  tx: Tx,
  key: DeliveryKey,
  { config: { rateLimits } }: Pick<Service, 'config'>,
  actor: Actor,
  now: Date,
): Promise<Date | undefined> {
  const delivery = await lockDelivery(tx, key)
  const lastMailMs = delivery?.lastMailAt?.getTime() ?? Number.NEGATIVE_INFINITY
  if (lastMailMs + gatheringMs > now.getTime()) return new Date(lastMailMs + gatheringMs)
  const limited = { addressKey: key.addressKey, charged: actor.charged, isCorrection: false }
  return rateLimits ? findMailLimitEnd(tx, limited, now) : undefined
}

const resendStatement = defineStatement({
  name: 'want-resend',
  parameters: { meetingId: tables.guestDelivery.meetingId, addressKey: 'text' },
  text: (p) => sql`update guest_delivery set resend = true
    where meeting_id = ${p.meetingId} and email_key = ${p.addressKey}`,
})

/** Mark the guest for a resend, even if their calendar is up to date. */
export async function queueResend(
  tx: Tx,
  service: Pick<Service, 'config'>,
  actor: Actor,
  { addressKey, email, ...mail }: DeliveryKey & { email: string; isRefusable: boolean; now: Date },
): Promise<void> {
  const guests = [{ addressKey, email }]
  await queueMails(tx, service, actor, { ...mail, guests })
  await resendStatement.execute(tx, { meetingId: mail.meetingId, addressKey })
}
