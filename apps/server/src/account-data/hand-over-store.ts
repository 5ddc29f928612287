import { sql } from 'kysely'
import type { Caller } from '../access/caller.ts'
import type { Database, Tx } from '../platform/database/database.ts'
import { defineStatement } from '../platform/database/define-statement.ts'
import { tables } from '../platform/database/tables.ts'
import { isUuid } from '../platform/database/uuid.ts'

/** More meetings than one account hands to one cohost; the list fits on one page. */
const maxHandOversListed = 200

type Cohost = Pick<Caller, 'accountId' | 'addressKey' | 'addressTrusted'>

/** The open offers to a cohost: as long as the cohost is one, and the meeting takes place. */
const openOffers = (database: Database, { accountId, addressKey }: Cohost, now: Date) =>
  database
    .selectFrom('handOver as o')
    .innerJoin('meeting as m', 'm.id', 'o.meetingId')
    .innerJoin('account as h', 'h.id', 'm.hostId')
    .innerJoin('participant as p', (join) =>
      join.onRef('p.meetingId', '=', 'm.id').on('p.emailKey', '=', addressKey).on('p.cohost', '=', true),
    )
    .select(['o.meetingId', 'o.offeredAt', 'o.expiresAt', 'm.topic', 'm.hostId'])
    .select(['h.name as hostName', 'h.lname as hostLname', 'h.email as hostEmail'])
    .select((of) =>
      of
        .selectFrom('participant as guest')
        .whereRef('guest.meetingId', '=', 'm.id')
        .select((count) => count.fn.countAll<number>().as('guests'))
        .as('guests'),
    )
    .where('o.accountId', '=', accountId)
    .where('o.declinedAt', 'is', null)
    .where('o.expiresAt', '>', now)
    .where('m.cancelledAt', 'is', null)
    .where('m.overAt', '>', now)
    .where('h.deletedAt', 'is not', null)

export async function listHandOverRows(database: Database, cohost: Cohost, now: Date) {
  if (!cohost.addressTrusted) return []
  return openOffers(database, cohost, now).orderBy('o.expiresAt').orderBy('m.id').limit(maxHandOversListed).execute()
}

/** Find an open offer to a cohost; undefined also for another account. */
export async function findHandOver(tx: Tx, meetingId: string, cohost: Cohost, now: Date) {
  if (!isUuid(meetingId) || !cohost.addressTrusted) return undefined
  return openOffers(tx, cohost, now).where('m.id', '=', meetingId).executeTakeFirst()
}

/** The cohosts who can accept: of the host's organisation only, so that meetings do not move under other administrators. */
export const listSuccessors = (tx: Tx, meetingId: string, trustsEvery: boolean) =>
  tx
    .selectFrom('participant')
    .innerJoin('meeting', 'meeting.id', 'participant.meetingId')
    .innerJoin('account as host', 'host.id', 'meeting.hostId')
    .innerJoin('account', 'account.emailKey', 'participant.emailKey')
    .select(['account.id', 'account.email', 'account.language'])
    .where('participant.meetingId', '=', meetingId)
    .where('participant.cohost', '=', true)
    .where('account.disabledAt', 'is', null)
    .whereRef('account.tenantId', '=', 'host.tenantId')
    .$if(!trustsEvery, (accounts) => accounts.where('account.emailVerifiedAt', 'is not', null))
    .orderBy('participant.position')
    .execute()

type Offers = { meetingId: string; accountIds: readonly string[]; offeredAt: Date; expiresAt: Date }

/** Insert the offers of a meeting. Return false if it was offered before. */
export async function insertHandOvers(tx: Tx, { accountIds, ...offer }: Offers): Promise<boolean> {
  const { meetingId } = offer
  const offered = await tx.selectFrom('handOver').select('accountId').where('meetingId', '=', meetingId).execute()
  if (offered.length > 0 || accountIds.length === 0) return false
  const rows = accountIds.map((accountId) => ({ ...offer, accountId, mailedAt: null, declinedAt: null }))
  await tx.insertInto('handOver').values(rows).execute()
  return true
}

export const deleteHandOvers = (tx: Tx, meetingId: string) =>
  tx.deleteFrom('handOver').where('meetingId', '=', meetingId).execute()

export const declineHandOver = (tx: Tx, meetingId: string, accountId: string, now: Date) =>
  tx
    .updateTable('handOver')
    .set({ declinedAt: now })
    .where('meetingId', '=', meetingId)
    .where('accountId', '=', accountId)
    .execute()

/** A row of `meeting` waits while an account that can still accept is offered it. */
export const isOffered = (now: Date) =>
  sql<boolean>`exists (select from hand_over o join account a on a.id = o.account_id
    where o.meeting_id = meeting.id and o.declined_at is null and o.expires_at > ${now} and a.disabled_at is null)`

export async function hasOpenOffers(database: Database, hostId: string, now: Date): Promise<boolean> {
  const open = await database
    .selectFrom('meeting')
    .select('id')
    .where('hostId', '=', hostId)
    .where('cancelledAt', 'is', null)
    .where('overAt', '>', now)
    .where(isOffered(now))
    .limit(1)
    .executeTakeFirst()
  return open !== undefined
}

const countMailedStatement = defineStatement({
  name: 'count-hand-over-mails',
  parameters: { hostId: tables.meeting.hostId, accountId: tables.handOver.accountId, since: 'timestamptz' },
  columns: { ofHost: 'integer', toAccountOfHost: 'boolean', toAccount: 'integer' },
  text: (p) => sql`select
    (select count(*)::integer from hand_over o join meeting m on m.id = o.meeting_id
      where m.host_id = ${p.hostId} and o.mailed_at is not null) as of_host,
    exists (select from hand_over o join meeting m on m.id = o.meeting_id
      where m.host_id = ${p.hostId} and o.account_id = ${p.accountId} and o.mailed_at is not null) as to_account_of_host,
    (select count(*)::integer from hand_over
      where account_id = ${p.accountId} and mailed_at > ${p.since}) as to_account`,
})

export async function countHandOverMails(tx: Tx, hostId: string, accountId: string, since: Date) {
  const [counted] = await countMailedStatement.execute(tx, { hostId, accountId, since })
  return counted ?? { ofHost: 0, toAccountOfHost: false, toAccount: 0 }
}

export const markMailed = (tx: Tx, meetingId: string, accountId: string, now: Date) =>
  tx
    .updateTable('handOver')
    .set({ mailedAt: now })
    .where('meetingId', '=', meetingId)
    .where('accountId', '=', accountId)
    .execute()
