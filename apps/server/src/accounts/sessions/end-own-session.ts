import { audit } from '../../access/audit.ts'
import type { Caller } from '../../access/caller.ts'
import { deleteSession } from '../../access/credentials/session-store.ts'
import type { Service } from '../../access/service.ts'
import { inTransaction } from '../../platform/database/database.ts'

/** Whether there was one: another account's session is not found. */
export function endOwnSession(
  { database, random, clock }: Pick<Service, 'database' | 'random' | 'clock'>,
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
