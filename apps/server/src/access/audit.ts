import type { Tx } from '../../migrations/tables.ts'
import type { Random } from '../platform/random.ts'

export type AuditEntry = {
  tenantId: string
  /** Who did it; null for somebody who is not signed in. */
  actorId: string | null
  /** Whom it was done to; null for somebody without an account. */
  subjectId: string | null
  action:
    | 'account.created'
    | 'account.invited'
    | 'account.updated'
    | 'app.consented'
    | 'app.created'
    | 'app.submitted'
    | 'app.edited'
    | 'app.deleted'
    | 'app.approved'
    | 'app.rejected'
    | 'app.held'
    | 'app.suspended'
    | 'app.resumed'
    | 'app.testers-replaced'
    | 'app-secret.created'
    | 'app-secret.retired'
    | 'email.verified'
    | 'oauth.requested'
    | 'password.changed'
    | 'password.reset'
    | 'calendar-feed.created'
    | 'calendar-feed.deleted'
    | 'personal-token.created'
    | 'personal-token.deleted'
    | 'grant.revoked'
  /** What was before and what is after; never a secret. */
  detail: object
  /** The network address of the request. */
  address: string
}

/** Writes who changed what about whom, in the transaction of the change. */
export async function audit(tx: Tx, random: Random, now: Date, { detail, ...entry }: AuditEntry): Promise<void> {
  await tx
    .insertInto('auditEntry')
    .values({ id: random.uuid(now), ...entry, detail: JSON.stringify(detail), createdAt: now })
    .execute()
}
