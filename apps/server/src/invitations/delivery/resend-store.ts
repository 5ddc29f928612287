import { gatheringMs } from '@parley/rules/invitations/mail-limits'
import { type DeliveryName, wantMails } from '../../meetings/guest-delivery.ts'
import { statement } from '../../platform/database/database.ts'
import type { Tx } from '../../tables/tables.ts'
import { fullUntil } from './address-limits.ts'
import { lockDelivery } from './delivery-store.ts'

/**
 * The time until which this guest may get no further mail: the last one was just sent, or the daily limits are reached.
 */
export async function limitedUntil(
  tx: Tx,
  name: DeliveryName,
  { senderId, now, rateLimits }: { senderId: string; now: Date; rateLimits: boolean },
): Promise<Date | undefined> {
  const delivery = await lockDelivery(tx, name)
  const lastMailMs = delivery?.lastMailAt?.getTime() ?? Number.NEGATIVE_INFINITY
  if (lastMailMs + gatheringMs > now.getTime()) return new Date(lastMailMs + gatheringMs)
  return rateLimits ? fullUntil(tx, { addressKey: name.addressKey, senderId, now }) : undefined
}

const resendStatement = statement(
  'want-resend',
  'update guest_delivery set resend = true where meeting_id = $1 and email_key = $2',
)

/** Mark the guest for a resend, even if their calendar is up to date. */
export async function wantResend(
  tx: Tx,
  meetingId: string,
  { addressKey, email, senderId, now }: { addressKey: string; email: string; senderId: string; now: Date },
): Promise<void> {
  await wantMails(tx, meetingId, { senderId, now, guests: [{ addressKey, email }] })
  await resendStatement(tx, [meetingId, addressKey])
}
