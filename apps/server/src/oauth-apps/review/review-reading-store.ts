import { sql } from 'kysely'
import type { Database, Tx } from '../../platform/database/database.ts'

/** What a reviewer reads: a revision, whose fields never change, and its logo, which a new submission may replace. */
type ReviewedContent = { appId: string; revision: number }

/** The SHA-256 of a revision's logo, null without one. */
const logoHashOf = ({ appId, revision }: ReviewedContent) =>
  sql<Buffer | null>`(select sha256(bytes) from app_logo where app_id = ${appId} and revision = ${revision})`

/** Record what a reviewer was shown. */
export const recordReading = (
  database: Database,
  reviewerId: string,
  { appId, revision }: ReviewedContent,
  now: Date,
) =>
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

/** Whether the content has changed since the reviewer read it; false when they never read it. */
export async function isReadingOutdated(
  tx: Tx,
  reviewerId: string,
  { appId, revision }: ReviewedContent,
): Promise<boolean> {
  const reading = await tx
    .selectFrom('reviewReading')
    .select(['revision', sql<boolean>`logo_hash is distinct from ${logoHashOf({ appId, revision })}`.as('otherLogo')])
    .where('appId', '=', appId)
    .where('reviewerId', '=', reviewerId)
    .executeTakeFirst()
  return reading !== undefined && (reading.revision !== revision || reading.otherLogo)
}
