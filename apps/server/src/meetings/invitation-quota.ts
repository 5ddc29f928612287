import type { Database } from '../../migrations/tables.ts'
import type { Service } from '../access/service.ts'
import { statement } from '../platform/database.ts'
import { problem } from '../platform/problem.ts'

/** Five of the largest meetings: a busy office does not reach it, and who relays spam does not get far. */
export const mostLettersADay = 5_000
const dayMs = 24 * 60 * 60 * 1000

const countStatement = statement<{ letters: number; oldest: Date | null }>(
  'count-letters',
  `select coalesce(sum(letters), 0)::integer as letters, min(created_at) as oldest from meeting_notice
  where actor_id = $1 and created_at > $2`,
)

/** What one person's meetings may still mail at this moment, and after how long there is more; no limit without limits. */
export async function findLettersLeft(
  database: Database,
  { config }: Pick<Service, 'config'>,
  actorId: string,
  now: Date,
): Promise<{ left: number; waitMs: number }> {
  if (!config.rateLimits) return { left: Number.POSITIVE_INFINITY, waitMs: 0 }
  const [sent] = await countStatement(database, [actorId, new Date(now.getTime() - dayMs)])
  const waitMs = (sent?.oldest ?? now).getTime() + dayMs - now.getTime()
  return { left: Math.max(mostLettersADay - (sent?.letters ?? 0), 0), waitMs }
}

/**
 * Lets so many letters of one person through. What several requests send at the same moment may pass the limit by as
 * much: it is there against floods, not for the account. Cancellations and reminders count, and are never refused.
 * @throws too_many_invitations
 */
export async function requireLettersLeft(
  database: Database,
  service: Pick<Service, 'config'>,
  actorId: string,
  letters: number,
  now: Date,
): Promise<void> {
  if (letters === 0) return
  const { left, waitMs } = await findLettersLeft(database, service, actorId, now)
  if (letters <= left) return
  const message = `This would mail ${letters} invitations; of ${mostLettersADay} within 24 hours you have ${left} left.`
  throw problem('too_many_invitations', {
    detail: message,
    violations: [{ path: '/participants', code: 'too_many_invitations', message }],
    headers: { 'retry-after': String(Math.max(1, Math.ceil(waitMs / 1000))) },
  })
}
