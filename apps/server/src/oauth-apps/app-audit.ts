import { type AuditEntry, audit } from '../access/audit.ts'
import { actedThrough, type Caller } from '../access/caller.ts'
import type { Tx } from '../platform/database/database.ts'
import type { Random } from '../platform/random.ts'
import { recordAppEvent } from './events/app-event-store.ts'

export type AppChange = {
  app: { id: string; ownerId: string | null }
  caller: Caller
  request: { id: string; address: string }
  now: Date
  random: Random
  action: AuditEntry['action']
  detail?: object
  /** The event for the app's developer; absent when the app is deleted. */
  event?: { kind: string; cause: string; sandbox?: boolean }
}

/** Record a change of an app in the audit log and in its event log, in the transaction of the change. */
export async function recordAppChange(tx: Tx, change: AppChange): Promise<void> {
  const { app, caller, request, now, random, action, detail = {}, event } = change
  const entry = { tenantId: caller.tenantId, actorId: caller.accountId, subjectId: app.ownerId }
  await audit(tx, random, now, {
    ...entry,
    action,
    detail: { appId: app.id, ...detail, ...actedThrough(caller) },
    address: request.address,
  })
  if (event === undefined) return
  await recordAppEvent(tx, { sandbox: false, ...event, appId: app.id, requestId: request.id, now, random })
}
