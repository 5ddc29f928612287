import { type AuditEntry, audit } from '../access/audit.ts'
import type { AccountRow } from '../accounts/account/account-store.ts'
import { recordAppLogEvent } from '../event-log/record-event.ts'
import { endGrantsOfApp } from '../oauth-apps/app-grants.ts'
import { retireAllSecrets } from '../oauth-apps/app-secret-store.ts'
import { listOwnApps, newestRevision, type RegisteredApp, updateApp } from '../oauth-apps/app-store.ts'
import { insertReviewLine } from '../oauth-apps/review-store.ts'
import type { Tx } from '../platform/database/database.ts'
import type { Random } from '../platform/random.ts'

type Stop = { account: AccountRow; actorId: string | null; address: string; now: Date }

/**
 * Stop the apps of a deleted account. A submitted app is suspended, so that an administrator may resume it for its
 * users; an app that was never submitted is deleted.
 */
export async function stopAppsOf(tx: Tx, { random }: { random: Random }, stop: Stop): Promise<void> {
  const { account, actorId, now } = stop
  await tx.selectFrom('app').select('id').where('ownerId', '=', account.id).orderBy('id').forUpdate().execute()
  for (const registered of await listOwnApps(tx, account.id)) {
    const { app } = registered
    if (app.submittedAt === null) {
      await updateApp(tx, app.id, { deletedAt: now, modifiedAt: now })
      await retireAllSecrets(tx, app.id, now)
      await endGrantsOfApp(tx, app, now)
      await record(tx, random, stop, registered, 'app.deleted')
    } else if (app.status !== 'suspended') {
      await updateApp(tx, app.id, { status: 'suspended', statusBefore: app.status, modifiedAt: now })
      const { number: revision, name } = newestRevision(registered)
      const line = { appId: app.id, revision, reasons: [], decidedBy: actorId ?? account.id, now, random }
      await insertReviewLine(tx, { ...line, decision: 'suspended' })
      const data = { appId: app.id, name }
      await recordAppLogEvent(tx, { type: 'app.suspended', ownerId: account.id, data, now })
      await record(tx, random, stop, registered, 'app.suspended')
    }
  }
}

function record(
  tx: Tx,
  random: Random,
  { account, actorId, address, now }: Stop,
  registered: RegisteredApp,
  action: AuditEntry['action'],
) {
  const detail = { appId: registered.app.id, name: newestRevision(registered).name, because: 'account_deleted' }
  const by = actorId === null ? { by: 'operator' } : {}
  const entry = { tenantId: account.tenantId, actorId, subjectId: account.id, address }
  return audit(tx, random, now, { ...entry, action, detail: { ...detail, ...by } })
}
