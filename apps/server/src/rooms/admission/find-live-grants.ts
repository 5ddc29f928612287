import { grantJoins, liveGrant } from '../../access/credentials/live-grant.ts'
import { statement } from '../../platform/database/database.ts'
import type { Database } from '../../tables/tables.ts'
import type { AdmissionRow } from './admission-store.ts'

const findStatement = statement<{ id: string; tokensEndedAt: Date | null }>(
  'find-live-grants',
  `select g.id, a.app_tokens_ended_at as "tokensEndedAt" from app_grant g ${grantJoins}
   where g.id = any ($1::uuid[]) and 'meeting:join' = any (g.scopes) and ${liveGrant}`,
)

type Joined = Pick<AdmissionRow, 'grantId' | 'askedAt'>

/** Tells of each of these whether the app that they came by, if they did, may still act for them (oauth.md 3.7). */
export async function findLiveGrants(database: Database, people: readonly Joined[]) {
  const ids = people.flatMap(({ grantId }) => grantId ?? [])
  const live = new Map(
    ids.length === 0 ? [] : (await findStatement(database, [ids])).map(({ id, tokensEndedAt }) => [id, tokensEndedAt]),
  )
  return ({ grantId, askedAt }: Joined): boolean => {
    if (grantId === null) return true
    const tokensEndedAt = live.get(grantId)
    return tokensEndedAt !== undefined && (tokensEndedAt === null || askedAt > tokensEndedAt)
  }
}
