import { dayMs, isFirstDay, maxMailsADay, maxMailsOnFirstDay } from '@parley/rules/invitations/mail-limits'
import { violationAt } from '@parley/rules/text/violation'
import { sql } from 'kysely'
import type { Actor, ChargedAccount } from '../access/caller.ts'
import type { Tx } from '../platform/database/database.ts'
import { defineStatement } from '../platform/database/define-statement.ts'
import { pick, tables, typed } from '../platform/database/tables.ts'
import { problem, wholeSeconds } from '../platform/http/problem.ts'
import type { Dependencies } from './dependencies.ts'

/**
 * How many emails about meetings an account may cause in a day. The numbers are in packages/rules,
 * invitations/mail-limits.ts; how many of them one address gets is decided when each is sent:
 * invitations/delivery/address-limits.ts.
 */

/** The class of advisory locks on accounts that are charged; an arbitrary, unique number. */
const invitationLockClass = 727_542

/**
 * Held until the end of the transaction, so that parallel requests and jobs of one account count one after the other.
 * Taken before the rows of deliveries and the locks on addresses, to avoid deadlocks.
 */
const lockInvitationsStatement = defineStatement({
  name: 'lock-invitations',
  parameters: { chargedId: typed<ChargedAccount>('uuid') },
  text: (p) => sql`select pg_advisory_xact_lock(${sql.lit(invitationLockClass)}, hashtext(${p.chargedId}::text))`,
})

/** Count emails that were sent, emails and reminders that are queued, and people who were invited without an email. */
const countInvitationsStatement = defineStatement({
  name: 'count-invitations',
  parameters: { chargedId: typed<ChargedAccount>('uuid'), since: 'timestamptz' },
  columns: { ...pick(tables.account, 'createdAt', 'administrator'), mails: 'integer', oldest: 'timestamptz?' },
  text: (p) => sql`select a.created_at, a.administrator,
    (sent.mails + waiting.mails + reminders.mails + quiet.people)::integer as mails,
    least(sent.oldest, waiting.oldest, reminders.oldest, quiet.oldest) as oldest
  from account a,
    lateral (select count(*) as mails, min(started_at) as oldest from guest_mail
      where sender_id = a.id and started_at > ${p.since}) as sent,
    lateral (select count(*) as mails, min(wanted_at) as oldest from guest_delivery
      where sender_id = a.id and pending and wanted_at > ${p.since}) as waiting,
    lateral (select count(*) as mails, min(reminder_wanted_at) as oldest from guest_delivery
      where reminder_sender_id = a.id and reminder_for is not null and reminder_id is null
        and reminder_wanted_at > ${p.since}) as reminders,
    lateral (select coalesce(sum(people), 0) as people, min(invited_at) as oldest from quiet_invitation
      where account_id = a.id and invited_at > ${p.since}) as quiet
  where a.id = ${p.chargedId}`,
})

type InvitationsLeft = { left: number; limit: number; waitMs: number }

const unlimited: InvitationsLeft = { left: Number.POSITIVE_INFINITY, limit: Number.POSITIVE_INFINITY, waitMs: 0 }

/**
 * Lock the account that pays, and find the number of emails that it may still cause now, and the time until there are
 * more. The lock is held until the transaction ends, so no other transaction can use the emails that are left.
 */
export async function lockInvitationsLeft(
  tx: Tx,
  { config }: Pick<Dependencies, 'config'>,
  { charged }: Actor,
  now: Date,
): Promise<InvitationsLeft> {
  if (!config.rateLimits) return unlimited
  await lockInvitationsStatement.execute(tx, { chargedId: charged })
  const since = new Date(now.getTime() - dayMs)
  const [counted] = await countInvitationsStatement.execute(tx, { chargedId: charged, since })
  if (counted === undefined) return unlimited
  const limit = isFirstDay(counted, now) ? maxMailsOnFirstDay : maxMailsADay
  const waitMs = (counted.oldest ?? now).getTime() + dayMs - now.getTime()
  return { left: Math.max(limit - counted.mails, 0), limit, waitMs }
}

/**
 * Refuse a change that would mail more. Cancellations and reminders count, and are never refused.
 * @throws too_many_invitations
 */
export function requireInvitationsLeft({ left, limit, waitMs }: InvitationsLeft, mails: number): void {
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

const countQuietStatement = defineStatement({
  name: 'count-quiet-invitations',
  parameters: {
    chargedId: typed<ChargedAccount>('uuid'),
    people: tables.quietInvitation.people,
    now: 'timestamptz',
    since: 'timestamptz',
  },
  text: (p) => sql`with outdated as (
    delete from quiet_invitation where account_id = ${p.chargedId} and invited_at <= ${p.since}
  ) insert into quiet_invitation (account_id, invited_at, people) values (${p.chargedId}, ${p.now}, ${p.people})`,
})

/**
 * Count people who are put on a meeting without an email: the meeting is in their lists all the same.
 * @throws too_many_invitations
 */
export async function countQuietInvitations(
  tx: Tx,
  dependencies: Pick<Dependencies, 'config'>,
  actor: Actor,
  people: number,
  now: Date,
): Promise<void> {
  if (people <= 0 || !dependencies.config.rateLimits) return
  requireInvitationsLeft(await lockInvitationsLeft(tx, dependencies, actor, now), people)
  const since = new Date(now.getTime() - dayMs)
  await countQuietStatement.execute(tx, { chargedId: actor.charged, people, now, since })
}
