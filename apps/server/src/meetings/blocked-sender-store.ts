import { maxBlockedSenders } from '@parley/contract'
import { sql } from 'kysely'
import type { Database, Tx } from '../platform/database/database.ts'
import { defineStatement, type Fragment } from '../platform/database/define-statement.ts'
import { tables } from '../platform/database/tables.ts'

/** A person who blocks, as the rows of invitations name them. */
type Blocker = { accountId: string; addressKey: string | null }

/** The class of advisory locks on hosts; an arbitrary, unique number. */
const lockClass = 727_545

const lockStatement = defineStatement({
  name: 'lock-blocks-of-host',
  parameters: { hostId: tables.meeting.hostId },
  text: (p) => sql`select pg_advisory_xact_lock(${sql.lit(lockClass)}, hashtext(${p.hostId}::text))`,
})

const shareStatement = defineStatement({
  name: 'share-blocks-of-host',
  parameters: { hostId: tables.meeting.hostId },
  text: (p) => sql`select pg_advisory_xact_lock_shared(${sql.lit(lockClass)}, hashtext(${p.hostId}::text))`,
})

/**
 * Hold off blocks and unblocks of a host until this transaction ends. For transactions that insert participants of the
 * host's meetings or give the host a meeting: a block made meanwhile would miss them.
 */
export const shareBlocksOfHost = (tx: Tx, hostId: string) => shareStatement.execute(tx, { hostId })

/** Whether the owner of an address has blocked a host. */
export const isBlocked = (addressKey: Fragment, hostId: Fragment): Fragment => sql`exists (
  select from blocked_sender b join account blocker on blocker.id = b.account_id
  where b.sender_id = ${hostId} and blocker.email_key = ${addressKey})`

const markStatement = defineStatement({
  name: 'mark-blocked-invitations',
  parameters: { addressKey: 'text', hostId: tables.meeting.hostId, blocked: tables.participant.blocked },
  text: (p) => sql`update participant p set blocked = ${p.blocked}
  where p.email_key = ${p.addressKey} and p.blocked <> ${p.blocked}
    and (select m.host_id from meeting m where m.id = p.meeting_id) = ${p.hostId}`,
})

/** Find the host of a meeting that the person hosts, or to which the person is invited. */
export const findHostOfInvitation = (tx: Tx, { accountId, addressKey }: Blocker, meetingId: string) =>
  tx
    .selectFrom('meeting as m')
    .select('m.hostId')
    .where('m.id', '=', meetingId)
    .where((where) =>
      where.or([
        where('m.hostId', '=', accountId),
        where.exists(
          where
            .selectFrom('participant as p')
            .whereRef('p.meetingId', '=', 'm.id')
            .where('p.emailKey', '=', addressKey ?? '')
            .select('p.meetingId'),
        ),
      ]),
    )
    .executeTakeFirst()

const blockedBy = (database: Database, accountId: string) =>
  database
    .selectFrom('blockedSender as b')
    .innerJoin('account as sender', 'sender.id', 'b.senderId')
    .select(['sender.id', 'sender.name', 'sender.lname', 'sender.email', 'b.blockedAt'])
    .where('b.accountId', '=', accountId)

/** Deleted accounts stay blocked, and have no name to show. */
export const listBlocked = (database: Database, accountId: string) =>
  blockedBy(database, accountId)
    .where('sender.deletedAt', 'is', null)
    .orderBy('b.blockedAt', 'desc')
    .orderBy('sender.id')
    .execute()

export const findBlocked = (database: Database, accountId: string, hostId: string) =>
  blockedBy(database, accountId).where('b.senderId', '=', hostId).executeTakeFirst()

const unmarkStatement = defineStatement({
  name: 'unmark-blocked-invitations',
  parameters: { addressKey: 'text' },
  text: (p) => sql`update participant set blocked = false where email_key = ${p.addressKey} and blocked`,
})

/** Delete all blocks of an account that is deleted: they do not hide meetings from the next owner of its address. */
export async function deleteBlocks(tx: Tx, { accountId, addressKey }: { accountId: string; addressKey: string }) {
  const { numDeletedRows } = await tx.deleteFrom('blockedSender').where('accountId', '=', accountId).executeTakeFirst()
  if (numDeletedRows > 0n) await unmarkStatement.execute(tx, { addressKey })
}

/**
 * Insert a block, and mark the person's invitations of this sender. Return false if the account has as many blocks as
 * it can have.
 */
export async function insertBlock(
  tx: Tx,
  { accountId, addressKey }: Blocker,
  { hostId, now }: { hostId: string; now: Date },
): Promise<boolean> {
  await tx.selectFrom('account').select('id').where('id', '=', accountId).forNoKeyUpdate().execute()
  await lockStatement.execute(tx, { hostId })
  if ((await findBlocked(tx, accountId, hostId)) !== undefined) return true
  if ((await listBlocked(tx, accountId)).length >= maxBlockedSenders) return false
  await tx.insertInto('blockedSender').values({ accountId, senderId: hostId, blockedAt: now }).execute()
  if (addressKey !== null) await markStatement.execute(tx, { addressKey, hostId, blocked: true })
  return true
}

/** Delete a block, and the marks of the person's invitations. Return false if there is none. */
export async function deleteBlock(tx: Tx, { accountId, addressKey }: Blocker, hostId: string): Promise<boolean> {
  await lockStatement.execute(tx, { hostId })
  const { numDeletedRows } = await tx
    .deleteFrom('blockedSender')
    .where('accountId', '=', accountId)
    .where('senderId', '=', hostId)
    .executeTakeFirst()
  if (numDeletedRows === 0n) return false
  if (addressKey !== null) await markStatement.execute(tx, { addressKey, hostId, blocked: false })
  return true
}
