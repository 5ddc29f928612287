import type { AuditAction } from '@parley/contract'
import type { Random } from '../platform/random.ts'
import type { Tx } from '../tables/tables.ts'

export type AuditEntry = {
  tenantId: string
  /** Who did it; null for somebody who is not signed in. */
  actorId: string | null
  /** Whom it was done to; null for somebody without an account. */
  subjectId: string | null
  action: AuditAction
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
