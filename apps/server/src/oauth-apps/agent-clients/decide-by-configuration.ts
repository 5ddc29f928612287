import { planApproval } from '@parley/rules/oauth-apps/agent-clients'
import { type AuditEntry, audit } from '../../access/audit.ts'
import type { Caller } from '../../access/caller.ts'
import { findServiceTenant } from '../../accounts/account/tenant-store.ts'
import type { Config } from '../../platform/config/config.ts'
import type { Tx } from '../../platform/database/database.ts'
import type { Encryption } from '../../platform/encryption.ts'
import type { Random } from '../../platform/random.ts'
import { type RegisteredApp, updateApp } from '../app-store.ts'
import { newestRevision } from '../app-view.ts'
import { recordAppEvent } from '../events/app-event-store.ts'
import { insertReviewLine } from '../review-store.ts'
import { approvalOf } from './approval.ts'
import { examineClientJob } from './examine-client-job.ts'
import { notifyReviewers } from './notify-reviewers.ts'

/** Who causes a step: the person who uses the client, or no person when its document has changed. */
export type Cause = {
  caller: Caller | undefined
  request: { id: string; address: string }
  now: Date
}

export type StepDependencies = { config: Config; encryption: Encryption; random: Random }

/**
 * Bring a client that no developer has registered into the state that AGENT_CLIENTS demands: approve it, submit it for
 * review, or take back an approval. The app is locked.
 */
export async function decideByConfiguration(
  tx: Tx,
  service: StepDependencies,
  registered: RegisteredApp,
  cause: Cause,
): Promise<void> {
  const { app, draft } = registered
  const { status, liveByConfiguration } = app
  const step = planApproval(approvalOf(app, service.config), {
    status,
    hasDraft: draft !== undefined,
    liveByConfiguration,
  })
  switch (step) {
    case 'none':
      return
    case 'approve':
      return approve(tx, service, registered, cause)
    case 'submit':
      return submitForReview(tx, service, registered, newestRevision(registered).number, cause)
    case 'withdraw':
      return withdraw(tx, service, registered, cause)
  }
}

async function approve(tx: Tx, { random }: StepDependencies, { app, draft }: RegisteredApp, cause: Cause) {
  const { now } = cause
  if (draft === undefined) return
  const revision = draft.number
  await updateApp(tx, app.id, {
    status: 'approved',
    liveRevision: revision,
    draftRevision: null,
    liveByConfiguration: true,
    submittedAt: app.submittedAt ?? now,
    modifiedAt: now,
  })
  await markSubmitted(tx, app.id, revision, now)
  const line = { appId: app.id, revision, reasons: [], decidedBy: null, now, random }
  await insertReviewLine(tx, { ...line, decision: 'approved' })
  await examineClientJob.queue(tx, { appId: app.id, revision })
  await record(tx, random, app.id, cause, {
    action: 'app.approved',
    detail: { revision, by: 'configuration' },
    event: { kind: 'app_approved', cause: `Revision ${revision} is live: AGENT_CLIENTS approves it.` },
  })
}

/** Submit a revision for review, and notify the reviewers. */
async function submitForReview(
  tx: Tx,
  service: StepDependencies,
  { app }: RegisteredApp,
  revision: number,
  cause: Cause,
): Promise<void> {
  const { random } = service
  const { caller, now } = cause
  await updateApp(tx, app.id, {
    status: 'under_review',
    draftRevision: revision,
    submittedAt: app.submittedAt ?? now,
    modifiedAt: now,
  })
  await markSubmitted(tx, app.id, revision, now)
  await notifyReviewers(tx, service, app, cause)
  const line = { appId: app.id, revision, reasons: [], decidedBy: caller?.accountId ?? null, now, random }
  await insertReviewLine(tx, { ...line, decision: 'submitted' })
  await examineClientJob.queue(tx, { appId: app.id, revision })
  await record(tx, random, app.id, cause, {
    action: 'app.submitted',
    detail: { revision },
    event: { kind: 'app_submitted', cause: `Revision ${revision} waits for a review.` },
  })
}

/**
 * The configuration approves the live revision no more: nothing is live then. The newest revision is submitted, unless a
 * reviewer has decided about it.
 */
async function withdraw(tx: Tx, service: StepDependencies, registered: RegisteredApp, cause: Cause) {
  const { app, draft } = registered
  await updateApp(tx, app.id, { liveRevision: null, liveByConfiguration: false, modifiedAt: cause.now })
  if (draft !== undefined && app.status !== 'draft') return
  await submitForReview(tx, service, registered, newestRevision(registered).number, cause)
}

const markSubmitted = (tx: Tx, appId: string, number: number, now: Date) =>
  tx
    .updateTable('appRevision')
    .set({ submittedAt: now })
    .where('appId', '=', appId)
    .where('number', '=', number)
    .where('submittedAt', 'is', null)
    .execute()

type Recorded = { action: AuditEntry['action']; detail: object; event: { kind: string; cause: string } }

/** The audit log of the organisation that runs the service has what concerns all of its users. */
async function record(tx: Tx, random: Random, appId: string, cause: Cause, { action, detail, event }: Recorded) {
  const { caller, request, now } = cause
  const tenantId = await findServiceTenant(tx)
  if (tenantId === undefined) return
  await audit(tx, random, now, {
    tenantId,
    actorId: caller?.accountId ?? null,
    subjectId: null,
    action,
    detail: { appId, ...detail },
    address: request.address,
  })
  await recordAppEvent(tx, { ...event, sandbox: false, appId, requestId: request.id, now, random })
}
