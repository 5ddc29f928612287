import { clientApproval, planApproval } from '@parley/rules/oauth-apps/agent-clients'
import { type AuditEntry, audit } from '../../access/audit.ts'
import type { Caller } from '../../access/caller.ts'
import { clientHostOf } from '../../access/shown-app.ts'
import { findServiceTenant } from '../../accounts/account/tenant-store.ts'
import type { Config } from '../../platform/config/config.ts'
import type { Tx } from '../../platform/database/database.ts'
import type { Encryption } from '../../platform/encryption.ts'
import type { Random } from '../../platform/random.ts'
import { type AppRow, newestRevision, type RegisteredApp, updateApp } from '../app-store.ts'
import { recordAppEvent } from '../events/app-event-store.ts'
import { insertReviewLine } from '../review-store.ts'
import { markRevisionSubmitted } from './agent-client-store.ts'
import { commandLineClientId } from './command-line-client.ts'
import { examineClientJob } from './examine-client.ts'
import { notifyReviewers } from './reviewer-emails.ts'

/**
 * What the configuration says about a client. Apps of developers are always reviewed; the service's own command line is
 * approved, whatever AGENT_CLIENTS says about the programs of others.
 */
export function approvalOf(app: Pick<AppRow, 'registration' | 'clientId'>, config: Pick<Config, 'agents' | 'baseUrl'>) {
  if (app.registration === 'portal') return 'review'
  if (app.clientId === commandLineClientId(config)) return 'approved'
  return clientApproval(clientHostOf(app).clientHost, config.agents)
}

/** The cause of a step: a person who uses the client, or a changed document. */
export type Cause = {
  /** Undefined when the document has changed. */
  caller: Caller | undefined
  request: { id: string; address: string }
  now: Date
}

export type StepDependencies = { config: Config; encryption: Encryption; random: Random }

/**
 * Bring a client that no developer has registered into the state that AGENT_CLIENTS demands: approve it, submit it for
 * review, or withdraw an approval. The app is locked.
 */
export async function decideByConfiguration(
  tx: Tx,
  dependencies: StepDependencies,
  registered: RegisteredApp,
  cause: Cause,
): Promise<void> {
  const { app, draft } = registered
  const { status, liveByConfiguration } = app
  const step = planApproval(approvalOf(app, dependencies.config), {
    status,
    hasDraft: draft !== undefined,
    liveByConfiguration,
  })
  switch (step) {
    case 'none':
      return
    case 'approve':
      return approve(tx, dependencies, registered, cause)
    case 'submit':
      return submitForReview(tx, dependencies, registered, newestRevision(registered).number, cause)
    case 'withdraw':
      return withdraw(tx, dependencies, registered, cause)
  }
}

async function approve(tx: Tx, { config, random }: StepDependencies, { app, draft }: RegisteredApp, cause: Cause) {
  const { now } = cause
  if (draft === undefined) return
  const revision = draft.number
  await updateApp(tx, app.id, {
    status: 'approved',
    liveRevision: revision,
    draftRevision: null,
    // The service itself wrote the document of its command line, so that the name in it may be shown.
    liveByConfiguration: app.clientId !== commandLineClientId(config),
    submittedAt: app.submittedAt ?? now,
    modifiedAt: now,
  })
  await markRevisionSubmitted(tx, app.id, revision, now)
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
  dependencies: StepDependencies,
  { app }: RegisteredApp,
  revision: number,
  cause: Cause,
): Promise<void> {
  const { random } = dependencies
  const { caller, now } = cause
  await updateApp(tx, app.id, {
    status: 'under_review',
    draftRevision: revision,
    submittedAt: app.submittedAt ?? now,
    modifiedAt: now,
  })
  await markRevisionSubmitted(tx, app.id, revision, now)
  await notifyReviewers(tx, dependencies, app, cause)
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
 * Withdraw the live revision, which the configuration no longer approves. The newest revision is submitted, unless a
 * reviewer has decided about it.
 */
async function withdraw(tx: Tx, dependencies: StepDependencies, registered: RegisteredApp, cause: Cause) {
  const { app, draft } = registered
  await updateApp(tx, app.id, { liveRevision: null, liveByConfiguration: false, modifiedAt: cause.now })
  if (draft !== undefined && app.status !== 'draft') return
  await submitForReview(tx, dependencies, registered, newestRevision(registered).number, cause)
}

type Recorded = { action: AuditEntry['action']; detail: object; event: { kind: string; cause: string } }

/** Record a step in the audit log of the organisation that runs the service, because the step concerns all users. */
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
