import { dayMs, isFirstDay, maxInvitationsADay, maxInvitationsOnFirstDay } from '@parley/rules/invitations/mail-limits'
import { violationAt } from '@parley/rules/text/violation'
import { sql } from 'kysely'
import type { Service } from '../access/service.ts'
import { defineStatement } from '../platform/database/define-statement.ts'
import { problem, wholeSeconds } from '../platform/http/problem.ts'
import type { Database } from '../tables/tables.ts'

/** Counts emails that were sent and emails that are queued. */
const countStatement = defineStatement({
  name: 'count-invitations',
  parameters: { senderId: 'uuid', since: 'timestamptz' },
  columns: { createdAt: 'timestamptz', administrator: 'boolean', mails: 'integer', oldest: 'timestamptz?' },
  text: (p) => sql`select a.created_at as "createdAt", a.administrator,
    (sent.mails + waiting.mails)::integer as mails, least(sent.oldest, waiting.oldest) as oldest
  from account a,
    lateral (select count(*) as mails, min(started_at) as oldest from guest_mail
      where sender_id = a.id and started_at > ${p.since}) as sent,
    lateral (select count(*) as mails, min(wanted_at) as oldest from guest_delivery
      where sender_id = a.id and pending and wanted_at > ${p.since}) as waiting
  where a.id = ${p.senderId}`,
})

type InvitationsLeft = { left: number; limit: number; waitMs: number }

/** The number of emails that one person's meetings may still cause now, and the time until there are more. */
export async function findInvitationsLeft(
  database: Database,
  { config }: Pick<Service, 'config'>,
  senderId: string,
  now: Date,
): Promise<InvitationsLeft> {
  const unlimited = { left: Number.POSITIVE_INFINITY, limit: Number.POSITIVE_INFINITY, waitMs: 0 }
  if (!config.rateLimits) return unlimited
  const [counted] = await countStatement.execute(database, { senderId, since: new Date(now.getTime() - dayMs) })
  if (counted === undefined) return unlimited
  const limit = isFirstDay(counted, now) ? maxInvitationsOnFirstDay : maxInvitationsADay
  const waitMs = (counted.oldest ?? now).getTime() + dayMs - now.getTime()
  return { left: Math.max(limit - counted.mails, 0), limit, waitMs }
}

/**
 * Require that one person may cause this many more emails. Concurrent requests may exceed the limit together, which is
 * acceptable for a limit against floods. Cancellations and reminders count, and are never refused.
 * @throws too_many_invitations
 */
export async function requireInvitationsLeft(
  database: Database,
  service: Pick<Service, 'config'>,
  senderId: string,
  mails: number,
  now: Date,
): Promise<void> {
  if (mails === 0) return
  const { left, limit, waitMs } = await findInvitationsLeft(database, service, senderId, now)
  if (mails <= left) return
  const allowance = `of ${limit} within 24 hours you have ${left} left`
  throw problem('too_many_invitations', {
    detail: `This would mail ${mails} invitations; ${allowance}.`,
    violations: [
      violationAt('/participants', {
        code: 'too_many_invitations',
        message: `would be mailed ${mails} invitations; ${allowance}`,
      }),
    ],
    retryAfterSeconds: wholeSeconds(waitMs),
  })
}
