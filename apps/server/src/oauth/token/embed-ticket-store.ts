import { writeScopes } from '@parley/rules/oauth/scope-set'
import { sql } from 'kysely'
import { grantJoins, sinceSignOut, sqlLiveGrant, stillGranted } from '../../access/credentials/live-grant.ts'
import type { Database, Tx } from '../../platform/database/database.ts'
import { defineStatement } from '../../platform/database/define-statement.ts'
import { pick, tables } from '../../platform/database/tables.ts'

type NewTicket = {
  ticketHash: Buffer
  familyId: string
  roomCode: string
  scopes: readonly string[]
  now: Date
  expiresAt: Date
}

/** The client id of the grant `g`'s side of the app `p`. */
const clientIdOfGrant = sql`case when g.sandbox then p.sandbox_client_id else p.client_id end as client_id`

const insertStatement = defineStatement({
  name: 'insert-embed-ticket',
  parameters: {
    ...pick(tables.embedTicket, 'ticketHash', 'familyId', 'roomCode', 'expiresAt'),
    scope: 'text',
    now: 'timestamptz',
    limit: 'bigint',
  },
  columns: { clientId: tables.app.clientId },
  text: (p) => sql`with held as (
    select count(*) as tickets from embed_ticket where family_id = ${p.familyId} and expires_at > ${p.now}
  ), ticket as (
    insert into embed_ticket (ticket_hash, family_id, room_code, scopes, created_at, expires_at)
    select ${p.ticketHash}, ${p.familyId}, ${p.roomCode}, string_to_array(${p.scope}, ' '), ${p.now}, ${p.expiresAt}
    from held where tickets < ${p.limit} returning family_id
  ) select ${clientIdOfGrant} from ticket join token_family f on f.id = ticket.family_id
    join app_grant g on g.id = f.grant_id join app p on p.id = g.app_id`,
})

/** Insert a ticket. @returns the app's client id; undefined where this sign-in already has `limit` tickets */
export async function insertTicket(database: Database, { scopes, ...ticket }: NewTicket, limit: number) {
  const [row] = await insertStatement.execute(database, { ...ticket, scope: writeScopes(scopes), limit })
  return row?.clientId ?? undefined
}

const spendStatement = defineStatement({
  name: 'spend-embed-ticket',
  parameters: { ticketHash: tables.embedTicket.ticketHash, now: 'timestamptz' },
  columns: {
    ...pick(tables.embedTicket, 'familyId', 'roomCode', 'expiresAt', 'scopes'),
    ...pick(tables.appGrant, 'appId', 'sandbox'),
    grantExpiresAt: tables.appGrant.expiresAt,
    isLive: 'boolean',
    clientId: 'text?',
    embedOrigins: 'text[]?',
    ...pick(tables.account, 'name', 'lname'),
  },
  text: (p) => sql`with spent as (delete from embed_ticket where ticket_hash = ${p.ticketHash} returning *)
    select s.family_id, s.room_code, s.expires_at, ${stillGranted(sql`s.scopes`, sql`f.resource`)} as scopes,
      g.app_id, g.sandbox, g.expires_at as grant_expires_at, ${clientIdOfGrant}, r.embed_origins, a.name, a.lname,
      f.ended_at is null and g.expires_at > ${p.now} and ${sinceSignOut(sql`f.created_at`)} and ${sqlLiveGrant} as is_live
    from spent s join token_family f on f.id = s.family_id join app_grant g on g.id = f.grant_id ${grantJoins}
      left join app_revision r on r.app_id = p.id
        and r.number = case when g.sandbox then coalesce(p.draft_revision, p.live_revision) else p.live_revision end`,
})

/** Delete a ticket, so that it is used once, and return what decides about it. */
export async function spendTicket(tx: Tx, ticketHash: Buffer, now: Date) {
  const [row] = await spendStatement.execute(tx, { ticketHash, now })
  return row && { ...row, embedOrigins: row.embedOrigins ?? [] }
}

type RoomToken = {
  tokenHash: Buffer
  familyId: string
  roomCode: string
  scopes: readonly string[]
  createdAt: Date
  expiresAt: Date
}

/** Insert a token that opens one room. It ends with the tokens of its family. */
export const insertRoomToken = (tx: Tx, { scopes, ...token }: RoomToken) =>
  tx
    .insertInto('accessToken')
    .values({ ...token, scopes: [...scopes] })
    .execute()
