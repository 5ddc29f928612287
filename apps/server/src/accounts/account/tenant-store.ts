import { addressDomain } from '@parley/rules/text/email-address'
import { sql } from 'kysely'
import type { Database, Tx } from '../../platform/database/database.ts'
import { defineStatement } from '../../platform/database/define-statement.ts'
import { tables } from '../../platform/database/tables.ts'
import type { Random } from '../../platform/random.ts'

/** The tenant of accounts whose domain the operator has not mapped. */
const defaultTenantName = 'Default'

export const tenantNameOf = (domain: string, tenants: ReadonlyMap<string, string>): string =>
  tenants.get(domain) ?? defaultTenantName

/** Whether the operator has named the tenant of an address. */
export const isMapped = (email: string, tenants: ReadonlyMap<string, string>): boolean =>
  tenants.has(addressDomain(email))

/** Find the tenant of a verified address, or create it with its first account. */
export async function findOrCreateTenant(
  tx: Tx,
  email: string,
  { tenants, random, now }: { tenants: ReadonlyMap<string, string>; random: Random; now: Date },
): Promise<string> {
  const name = tenantNameOf(addressDomain(email), tenants)
  const found = await findTenant(tx, name)
  if (found !== undefined) return found
  const id = random.uuid(now)
  await tx
    .insertInto('tenant')
    .values({ id, name, createdAt: now })
    .onConflict((conflict) => conflict.column('name').doNothing())
    .execute()
  return (await findTenant(tx, name)) ?? id
}

/** Find the tenant that an account with this address belongs to; undefined while it has no account. */
export const findTenantOfAddress = (
  database: Database,
  email: string,
  tenants: ReadonlyMap<string, string>,
): Promise<string | undefined> => findTenant(database, tenantNameOf(addressDomain(email), tenants))

async function findTenant(database: Database, name: string): Promise<string | undefined> {
  return (await database.selectFrom('tenant').select('id').where('name', '=', name).executeTakeFirst())?.id
}

/**
 * Find the tenant that runs the service: the tenant of the first account, whose owner is the service's administrator.
 * Ids are in order of time, and the row of a deleted account stays. Undefined while there is no account.
 */
export async function findServiceTenant(database: Database): Promise<string | undefined> {
  const first = await database.selectFrom('account').select('tenantId').orderBy('id').limit(1).executeTakeFirst()
  return first?.tenantId
}

export const isOperator = async (database: Database, tenantId: string): Promise<boolean> =>
  (await findServiceTenant(database)) === tenantId

/**
 * Whether an account may review apps. Apps are offered to all users of the service, so only reviewers of the tenant
 * that runs it may; the role has no effect elsewhere.
 */
export const isReviewer = async (database: Database, account: { tenantId: string; reviewer: boolean }) =>
  account.reviewer && (await isOperator(database, account.tenantId))

/** Lock a tenant until commit, to serialize changes of rights and requests for them; sign-ups do not wait. */
export const lockTenant = (tx: Tx, tenantId: string) =>
  tx.selectFrom('tenant').select('id').where('id', '=', tenantId).forNoKeyUpdate().execute()

const recordCallStatement = defineStatement({
  name: 'record-first-call',
  parameters: { roomId: 'uuid', now: tables.roomSession.startedAt },
  text: (p) => sql`update tenant set first_call_at = ${p.now} where first_call_at is null and id in (
    select h.tenant_id from meeting m join account h on h.id = m.host_id where m.id = ${p.roomId}
    union select tenant_id from account where room_id = ${p.roomId})`,
})

/** Record that a call has begun in the room of a meeting, or in an own room: the first one of its tenant is kept. */
export const recordCall = (tx: Tx, roomId: string, now: Date) => recordCallStatement.execute(tx, { roomId, now })

export async function hasMadeCall(database: Database, tenantId: string): Promise<boolean> {
  const tenant = await database
    .selectFrom('tenant')
    .select('firstCallAt')
    .where('id', '=', tenantId)
    .executeTakeFirstOrThrow()
  return tenant.firstCallAt !== null
}
