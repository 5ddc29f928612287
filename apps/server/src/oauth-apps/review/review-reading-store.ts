import { sql } from 'kysely'
import type { Database, Tx } from '../../tables/tables.ts'

/** What is before a reviewer: a revision's fields never change, its picture may, when it is submitted again. */
type Seen = { appId: string; revision: number }

/** The SHA-256 of a revision's picture, null when there is none. */
const logoHashOf = ({ appId, revision }: Seen) =>
  sql<Buffer | null>`(select sha256(bytes) from app_logo where app_id = ${appId} and revision = ${revision})`

/** Notes what a reviewer has been shown. */
export const noteReading = (database: Database, reviewerId: string, { appId, revision }: Seen, now: Date) =>
  database
    .insertInto('reviewReading')
    .values({ appId, reviewerId, revision, logoHash: logoHashOf({ appId, revision }), readAt: now })
    .onConflict((conflict) =>
      conflict.columns(['appId', 'reviewerId']).doUpdateSet((change) => ({
        revision: change.ref('excluded.revision'),
        logoHash: change.ref('excluded.logoHash'),
        readAt: change.ref('excluded.readAt'),
      })),
    )
    .execute()

/** Whether a reviewer has read an app, and what is before them now is something else. */
export async function isReadingOutdated(tx: Tx, reviewerId: string, { appId, revision }: Seen): Promise<boolean> {
  const reading = await tx
    .selectFrom('reviewReading')
    .select(['revision', sql<boolean>`logo_hash is distinct from ${logoHashOf({ appId, revision })}`.as('otherLogo')])
    .where('appId', '=', appId)
    .where('reviewerId', '=', reviewerId)
    .executeTakeFirst()
  return reading !== undefined && (reading.revision !== revision || reading.otherLogo)
}
