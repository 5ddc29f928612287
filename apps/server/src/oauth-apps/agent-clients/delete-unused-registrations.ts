import { sql } from 'kysely'
import { type Database, inTransaction, type Tx } from '../../platform/database/database.ts'

const dayMs = 24 * 60 * 60 * 1000

/** docs/oauth.md names them. What a reviewer has approved is kept longer: the person who waited comes back later. */
const unusedMs = dayMs
const approvedUnusedMs = 30 * dayMs

/** Takes some ten milliseconds; the next hour deletes the rest. */
const maxDeleted = 1_000

/**
 * Delete clients that have registered themselves and that no person uses: for a day, and approved ones for 30 days, they
 * neither wait for a review nor are connected. One that an administrator has suspended stays, so that it cannot return
 * unseen. Rows of a client that was connected stay, because grants refer to it.
 */
export async function deleteUnusedRegistrations(database: Database, now: Date): Promise<void> {
  const since = (ms: number) => new Date(now.getTime() - ms)
  const unusedSince = sql`case p.status when 'approved' then ${since(approvedUnusedMs)}::timestamptz
    else ${since(unusedMs)}::timestamptz end`
  await inTransaction(database, async (tx) => {
    const { rows } = await sql<{ id: string; hadGrants: boolean }>`
      select p.id, exists (select from app_grant g where g.app_id = p.id) as had_grants from app p
      where p.registration = 'dynamic' and p.deleted_at is null and p.status in ('draft', 'approved', 'rejected')
        and p.modified_at <= ${unusedSince}
        and not exists (select from app_grant g where g.app_id = p.id
          and least(coalesce(g.revoked_at, g.expires_at), g.expires_at) > ${unusedSince})
      order by p.id limit ${maxDeleted} for update skip locked`.execute(tx)
    const used = rows.filter(({ hadGrants }) => hadGrants).map(({ id }) => id)
    if (used.length > 0) {
      await tx.updateTable('app').set({ deletedAt: now, modifiedAt: now }).where('id', 'in', used).execute()
    }
    await deleteRows(
      tx,
      rows.filter(({ hadGrants }) => !hadGrants).map(({ id }) => id),
    )
  })
}

/** The tables with rows of an app that was never connected; those that others refer to last. */
const tables = ['appEvent', 'reviewReading', 'appReview', 'appCheck', 'appLogo', 'appRevision'] as const

async function deleteRows(tx: Tx, appIds: readonly string[]): Promise<void> {
  if (appIds.length === 0) return
  for (const table of tables) await tx.deleteFrom(table).where('appId', 'in', appIds).execute()
  await tx.deleteFrom('app').where('id', 'in', appIds).execute()
}
