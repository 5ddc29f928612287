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

/**
 * Lets so many letters of one person through. What several requests send at the same moment may pass the limit by as
 * much: it is there against floods, not for the account. Cancellations count, and are never refused.
 * @throws too_many_invitations
 */
export async function requireLettersLeft(
  database: Database,
  { config }: Pick<Service, 'config'>,
  actorId: string,
  letters: number,
  now: Date,
): Promise<void> {
  if (letters === 0 || !config.rateLimits) return
  const [sent] = await countStatement(database, [actorId, new Date(now.getTime() - dayMs)])
  const left = mostLettersADay - (sent?.letters ?? 0)
  if (letters <= left) return
  const waitMs = (sent?.oldest ?? now).getTime() + dayMs - now.getTime()
  const message = `This would mail ${letters} invitations; of ${mostLettersADay} within 24 hours you have ${Math.max(left, 0)} left.`
  throw problem('too_many_invitations', {
    detail: message,
    violations: [{ path: '/participants', code: 'too_many_invitations', message }],
    headers: { 'retry-after': String(Math.max(1, Math.ceil(waitMs / 1000))) },
  })
}
