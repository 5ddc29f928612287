import { sql } from 'kysely'
import { grantJoins, liveGrant } from '../../access/credentials/live-grant.ts'
import type { Database } from '../../platform/database/database.ts'
import { defineStatement } from '../../platform/database/define-statement.ts'
import { pick, tables } from '../../platform/database/tables.ts'
import type { AdmissionRow } from './admission-store.ts'

const findStatement = defineStatement({
  name: 'find-live-grants',
  parameters: { ids: 'uuid[]' },
  columns: pick(tables.appGrant, 'id', 'tokensEndedAt'),
  text: (p) => sql`select g.id, a.app_tokens_ended_at as tokens_ended_at from app_grant g ${grantJoins}
   where g.id = any (${p.ids}) and 'meeting:join' = any (g.api_scopes) and ${liveGrant}`,
})

type AppAdmission = Pick<AdmissionRow, 'grantId' | 'askedAt'>

/**
 * Find whether the apps through which these people entered may still act for them (docs/oauth.md, "Revoking").
 * @returns a predicate; true for people who entered without an app
 */
export async function findLiveGrants(database: Database, admissions: readonly AppAdmission[]) {
  const ids = admissions.flatMap(({ grantId }) => grantId ?? [])
  const live = new Map(
    ids.length === 0
      ? []
      : (await findStatement.execute(database, { ids })).map(({ id, tokensEndedAt }) => [id, tokensEndedAt]),
  )
  return ({ grantId, askedAt }: AppAdmission): boolean => {
    if (grantId === null) return true
    const tokensEndedAt = live.get(grantId)
    return tokensEndedAt !== undefined && (tokensEndedAt === null || askedAt > tokensEndedAt)
  }
}
