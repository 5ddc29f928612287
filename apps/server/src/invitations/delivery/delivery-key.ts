import { sql } from 'kysely'
import type { Parameter } from '../../platform/database/define-statement.ts'

/** The parameters of a statement that name a delivery (`DeliveryKey`). */
export const deliveryKey = { meetingId: 'uuid', addressKey: 'text' } as const

/** The rows of a delivery, in `guest_delivery` and `guest_mail`. */
export const ofDelivery = (p: Record<keyof typeof deliveryKey, Parameter>) =>
  sql`meeting_id = ${p.meetingId} and email_key = ${p.addressKey}`
