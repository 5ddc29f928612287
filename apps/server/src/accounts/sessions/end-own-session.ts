import { audit } from '../../access/audit.ts'
import type { Caller } from '../../access/caller.ts'
import { deleteSession } from '../../access/credentials/session-store.ts'
import type { Service } from '../../access/service.ts'
import { type Database, inTransaction } from '../../platform/database/database.ts'

/** End a session of the caller's account. Returns false when the account has no such session. */
export function endOwnSession(
  database: Database,
  { random, clock }: Pick<Service, 'random' | 'clock'>,
  { accountId, tenantId }: Caller,
  sessionId: string,
  address: string,
): Promise<boolean> {
  return inTransaction(database, async (tx) => {
    if (!(await deleteSession(tx, accountId, sessionId))) return false
    const entry = { tenantId, actorId: accountId, subjectId: accountId }
    await audit(tx, random, clock.now(), { ...entry, action: 'session.ended', detail: { sessionId }, address })
    return true
  })
}
