import {
  dayMs,
  isFirstDay,
  maxMailsToAddressADay,
  maxMailsToOneAddress,
  maxMailsToOneAddressOnFirstDay,
} from '@parley/rules/invitations/mail-limits'
import { statement } from '../../platform/database/database.ts'
import type { Tx } from '../../tables/tables.ts'

/** The class of advisory locks on addresses; an arbitrary, unique number. */
const lockClass = 727_541

/** Prevents two deliveries to one address from both using its last mail of the day. */
const lockStatement = statement('lock-address', `select pg_advisory_xact_lock(${lockClass}, hashtext($1))`)

type Counted = {
  sender: { emailKey: string; createdAt: string; administrator: boolean } | null
  /** When the mails that reached the limits within the last 24 hours were sent; null when a limit is not reached. */
  ofSender: Date | null
  ofSenderOnFirstDay: Date | null
  ofAddress: Date | null
}

const countStatement = statement<Counted>(
  'count-mails-to-address',
  `select
    (select json_build_object('emailKey', email_key, 'createdAt', created_at, 'administrator', administrator)
      from account where id = $2) as sender,
    (select started_at from guest_mail where email_key = $1 and sender_id = $2 and started_at > $3
      order by started_at desc offset $4 limit 1) as "ofSender",
    (select started_at from guest_mail where email_key = $1 and sender_id = $2 and started_at > $3
      order by started_at desc offset $5 limit 1) as "ofSenderOnFirstDay",
    (select started_at from guest_mail where email_key = $1 and started_at > $3
      order by started_at desc offset $6 limit 1) as "ofAddress"`,
)

/**
 * The time until which an address may get no more mail, because of the mails of the last 24 hours from this account or
 * from all; undefined when it may. Mails to an account's own address count towards the total only.
 */
export async function fullUntil(
  tx: Tx,
  { addressKey, senderId, now }: { addressKey: string; senderId: string | null; now: Date },
): Promise<Date | undefined> {
  await lockStatement(tx, [addressKey])
  const since = new Date(now.getTime() - dayMs)
  const limits = [maxMailsToOneAddress, maxMailsToOneAddressOnFirstDay, maxMailsToAddressADay]
  const [counted] = await countStatement(tx, [addressKey, senderId, since, ...limits.map((limit) => limit - 1)])
  if (counted === undefined) return undefined
  const { sender, ofSender, ofSenderOnFirstDay, ofAddress } = counted
  const isOwn = sender === null || sender.emailKey === addressKey
  const isNew = sender !== null && isFirstDay({ ...sender, createdAt: new Date(sender.createdAt) }, now)
  const reached = [ofAddress, isOwn ? null : isNew ? ofSenderOnFirstDay : ofSender].filter((at) => at !== null)
  return reached.length === 0 ? undefined : new Date(Math.max(...reached.map(Number)) + dayMs)
}
