import {
  correctionsFactor,
  dayMs,
  isFirstDay,
  maxMailsToAddressADay,
  maxMailsToOneAddress,
  maxMailsToOneAddressOnFirstDay,
} from '@parley/rules/invitations/mail-limits'
import { sql } from 'kysely'
import type { ChargedAccount } from '../../access/caller.ts'
import type { Tx } from '../../platform/database/database.ts'
import { defineStatement } from '../../platform/database/define-statement.ts'
import { typed } from '../../platform/database/tables.ts'

/**
 * How many emails about meetings one address gets in a day. The numbers are in packages/rules, invitations/mail-limits.ts;
 * how many an account may cause: meetings/mail-allowance.ts.
 */

/** The class of advisory locks on addresses; an arbitrary, unique number. */
const lockClass = 727_546

/** Prevents two deliveries to one address from both using its last mail of the day. */
const lockStatement = defineStatement({
  name: 'lock-address',
  parameters: { addressKey: 'text' },
  text: (p) => sql`select pg_advisory_xact_lock(${sql.lit(lockClass)}, hashtext(${p.addressKey}))`,
})

/** For each limit, the time of the mail that reached it within the last 24 hours; null where it is not reached. */
const countStatement = defineStatement({
  name: 'count-mails-to-address',
  parameters: {
    addressKey: 'text',
    chargedId: typed<ChargedAccount>('uuid?'),
    factor: 'integer',
    since: 'timestamptz',
  },
  columns: {
    sender: typed<{ emailKey: string; createdAt: string; administrator: boolean }>('json?'),
    ofSender: 'timestamptz?',
    ofSenderOnFirstDay: 'timestamptz?',
    ofAddress: 'timestamptz?',
  },
  text: (p) => {
    const toAddress = sql`select started_at from guest_mail where email_key = ${p.addressKey} and started_at > ${p.since}`
    const ofSender = sql`${toAddress} and sender_id = ${p.chargedId}`
    const reaching = (limit: number) => sql`order by started_at desc offset ${sql.lit(limit)} * ${p.factor} - 1 limit 1`
    return sql`select
    (select json_build_object('emailKey', email_key, 'createdAt', created_at, 'administrator', administrator)
      from account where id = ${p.chargedId}) as sender,
    (${ofSender} ${reaching(maxMailsToOneAddress)}) as of_sender,
    (${ofSender} ${reaching(maxMailsToOneAddressOnFirstDay)}) as of_sender_on_first_day,
    (${toAddress} ${reaching(maxMailsToAddressADay)}) as of_address`
  },
})

/**
 * Find the time until which an address gets no further mail, because this account, or all accounts together, have reached
 * a limit within the last 24 hours. Undefined when it may get one now. Mails to the account's own address count towards
 * the limit of all accounts only.
 */
export async function findMailLimitEnd(
  tx: Tx,
  { addressKey, charged, isCorrection }: { addressKey: string; charged: ChargedAccount | null; isCorrection: boolean },
  now: Date,
): Promise<Date | undefined> {
  await lockStatement.execute(tx, { addressKey })
  const since = new Date(now.getTime() - dayMs)
  const factor = isCorrection ? correctionsFactor : 1
  const [counted] = await countStatement.execute(tx, { addressKey, chargedId: charged, factor, since })
  if (counted === undefined) return undefined
  const { sender, ofSender, ofSenderOnFirstDay, ofAddress } = counted
  const isOwn = sender === null || sender.emailKey === addressKey
  const isNew = sender !== null && isFirstDay({ ...sender, createdAt: new Date(sender.createdAt) }, now)
  const reached = [ofAddress, isOwn ? null : isNew ? ofSenderOnFirstDay : ofSender].filter((at) => at !== null)
  return reached.length === 0 ? undefined : new Date(Math.max(...reached.map(Number)) + dayMs)
}
