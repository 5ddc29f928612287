import { isEqual } from '@parley/rules/oauth-apps/app-revision'
import { Type } from 'typebox'
import type { Clock } from '../../platform/clock.ts'
import { type Database, inTransaction, type Tx } from '../../platform/database/database.ts'
import { defineJob } from '../../platform/jobs/define-job.ts'
import {
  type AppRow,
  fieldsOf,
  insertRevision,
  newestRevision,
  type RegisteredApp,
  type RegisteredFields,
  updateApp,
} from '../app-store.ts'
import { insertReviewLine } from '../review-store.ts'
import {
  countRevisionsSince,
  fieldsOfMetadata,
  findDocument,
  lockAgentClient,
  postponeDocument,
  recordDocumentFailure,
  upsertDocument,
} from './agent-client-store.ts'
import { approvalOf, type Cause, decideByConfiguration, type StepDependencies } from './client-approval.ts'
import type { FetchDocument } from './fetch-document.ts'

/** Fetch a document again. Keyed by its client, so that only one such job waits. */
export const refreshDocumentJob = defineJob('refresh-client-document', Type.Object({ appId: Type.String() }))

/** A document that could not be fetched, or was invalid, is not fetched again for this long. */
const documentRetryMs = 5 * 60 * 1000

/**
 * A document that changes more often is fetched again later: each change is a row, which a reviewer has to read.
 */
const maxRevisionsPerDay = 10

const dayMs = 24 * 60 * 60 * 1000

type RefreshDependencies = StepDependencies & { database: Database; clock: Clock; fetchDocument: FetchDocument }

/**
 * Fetch a client's document again when its copy is no longer fresh. Until then, and while the document cannot be
 * fetched or is invalid, the stored revision is used. A change becomes a new revision under review; the live revision
 * stays live.
 */
export async function refreshDocument(dependencies: RefreshDependencies, appId: string, jobId: string): Promise<void> {
  const { database, clock, fetchDocument } = dependencies
  const copy = await findDocument(database, appId)
  if (copy === undefined || !isDue(copy, clock.now()) || !isUsable(copy, dependencies.config)) return
  const fetched = await fetchDocument(copy.url, copy.etag)
  await inTransaction(database, async (tx) => {
    const now = clock.now()
    const registered = await lockAgentClient(tx, appId)
    // A suspended client's document is fetched again after an administrator has resumed the client.
    if (registered === undefined || !isUsable(registered.app, dependencies.config)) return
    if (fetched.kind === 'refused') {
      await recordDocumentFailure(tx, appId, fetched.cause, now)
      return
    }
    const freshUntil = new Date(now.getTime() + fetched.lifetimeMs)
    if (fetched.kind === 'unchanged') {
      const { body, etag } = copy
      await upsertDocument(tx, appId, { body, etag, fetchedAt: now, freshUntil })
      return
    }
    const { body, etag, metadata } = fetched
    const fields = fieldsOfMetadata(metadata)
    const isNew = !isEqual(fieldsOf(newestRevision(registered)), fields)
    // Keep the entity tag of the stored copy: with the new one, the change that is not taken now would not be sent again.
    if (isNew && (await hasChangedTooOften(tx, appId, now))) {
      await postponeDocument(tx, appId, freshUntil)
      return
    }
    await upsertDocument(tx, appId, { body, etag, fetchedAt: now, freshUntil })
    if (isNew) {
      await takeChange(tx, dependencies, registered, fields, {
        caller: undefined,
        request: { id: jobId, address: '' },
        now,
      })
    }
  })
}

const isUsable = (app: Pick<AppRow, 'status' | 'registration' | 'clientId'>, config: StepDependencies['config']) =>
  app.status !== 'suspended' && approvalOf(app, config) !== 'refused'

type Copy = { freshUntil: Date; failedAt: Date | null }

/** Whether a document is to be fetched again. */
export const isDue = ({ freshUntil, failedAt }: Copy, now: Date): boolean =>
  freshUntil <= now && (failedAt === null || failedAt.getTime() + documentRetryMs <= now.getTime())

async function takeChange(
  tx: Tx,
  dependencies: StepDependencies,
  registered: RegisteredApp,
  fields: RegisteredFields,
  cause: Cause,
): Promise<void> {
  const { app, live, draft } = registered
  const { now } = cause
  if (live !== undefined && isEqual(fieldsOf(live), fields)) {
    if (draft !== undefined) await withdrawDraft(tx, dependencies, app.id, draft.number, now)
    return
  }
  const revision = await insertRevision(tx, app.id, { fields, owner: undefined, now })
  // An earlier decision was about another revision.
  await updateApp(tx, app.id, { draftRevision: revision, status: 'draft', modifiedAt: now })
  const changed = await lockAgentClient(tx, app.id)
  if (changed !== undefined) await decideByConfiguration(tx, dependencies, changed, cause)
}

/** Withdraw the draft: the document says again what is live. */
async function withdrawDraft(tx: Tx, { random }: StepDependencies, appId: string, revision: number, now: Date) {
  await updateApp(tx, appId, { draftRevision: null, status: 'approved', modifiedAt: now })
  const line = { appId, revision, reasons: [], decidedBy: null, now, random }
  await insertReviewLine(tx, { ...line, decision: 'withdrawn' })
}

async function hasChangedTooOften(tx: Tx, appId: string, now: Date): Promise<boolean> {
  return (await countRevisionsSince(tx, appId, new Date(now.getTime() - dayMs))) >= maxRevisionsPerDay
}
