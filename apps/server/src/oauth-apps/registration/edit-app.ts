import { type BodyOf, editApp } from '@parley/contract'
import { stateAfter } from '@parley/rules/oauth-apps/app-review'
import { differencesBetween, type EditPlan, isEqual, planEdit } from '@parley/rules/oauth-apps/app-revision'
import { inTransaction } from '../../platform/database/database.ts'
import { problem } from '../../platform/http/problem.ts'
import type { Tx } from '../../tables/tables.ts'
import { type AppChange, recordAppChange } from '../app-audit.ts'
import { fieldsOf, type RegisteredFields, readFields } from '../app-fields.ts'
import { trimGrantsOfApp } from '../app-grants.ts'
import { claimName } from '../app-name-store.ts'
import { findOwnApp, lockOwnApp, type RegisteredApp, requireUnchanged, updateApp } from '../app-store.ts'
import { newestRevision, showApp } from '../app-view.ts'
import type { AppsService } from '../apps-service.ts'
import { requireOauth } from '../oauth-access.ts'
import { type OwnerIdentity, readOwnerIdentity } from '../owner-identity.ts'
import { examineApp } from '../page-checks/examine-app.ts'
import { readReviewNotes } from '../review/review-notes.ts'
import { dropUnsubmitted, insertRevision, rewriteRevision } from '../review/revision-store.ts'
import { keepSubmission } from '../review/submission.ts'
import { insertReviewLine } from '../review-store.ts'

/**
 * What of an edit has to wait for a review stands beside what is live. Unless its developer only saves, it is submitted;
 * an app that is under review stays there with its new revision, and its reviewer has to look again.
 */
export function serveEditApp(service: AppsService) {
  const { serve, clock, random, config } = service
  serve(editApp, async ({ caller, params: { appId }, body, request, database }) => {
    await requireOauth(database, caller)
    const found = await findOwnApp(database, appId, caller.accountId)
    if (found === undefined) throw problem('app_not_found')
    if (stateAfter(found.app.status, 'edit') === undefined) throw problem('wrong_app_state')
    const notes = readReviewNotes(body)
    const wanted = readFields(body, { ...config, liveName: found.live?.name }, fieldsOf(newestRevision(found)))
    const plan = planEdit(found.live && fieldsOf(found.live), wanted)
    const examined = { fields: wanted, found, developerId: caller.accountId }
    const findings = submits(found, plan, body) ? await examineApp(service, database, examined) : undefined

    return inTransaction(database, async (tx) => {
      const now = clock.now()
      const { app, live, draft } = requireUnchanged(found, await lockOwnApp(tx, appId, caller.accountId))
      const before = newestRevision(found)
      await claimName(tx, wanted.name, app.id)
      if (plan.live !== undefined && live !== undefined) {
        await rewriteRevision(tx, app.id, live.number, { fields: plan.live })
      }
      const owner = findings?.owner ?? (await readOwnerIdentity(tx, app.ownerId, config))
      const change = { app, caller, request, now, random }
      const revision = await keepDraft(tx, { app, live, draft }, { fields: plan.draft, owner, now })
      await settle(tx, { app, live, draft }, revision, body, change)
      if (Object.keys(notes).length > 0) await updateApp(tx, app.id, notes)
      await trimGrantsOfApp(tx, app.id, now)
      const differences = differencesBetween(fieldsOf(before), wanted)
      if (differences.length > 0)
        await recordAppChange(tx, { ...change, action: 'app.edited', detail: { differences } })
      if (findings !== undefined && revision !== null) {
        await keepSubmission(tx, { ...change, revision, findings, answer: body.answer, submittedAt: app.submittedAt })
      }
      const after = await lockOwnApp(tx, app.id, caller.accountId)
      if (after === undefined) throw problem('app_not_found')
      return showApp(tx, after)
    })
  })
}

type Body = Pick<BodyOf<typeof editApp>, 'draft'>

/** A draft that is only saved stays one until its developer says otherwise. What waits unchanged is not checked again. */
function submits({ app, draft }: RegisteredApp, plan: EditPlan<RegisteredFields>, body: Body): boolean {
  if (plan.draft === undefined || (body.draft ?? app.status === 'draft')) return false
  return app.status !== 'under_review' || draft === undefined || !isEqual(fieldsOf(draft), plan.draft)
}

/** The number of the draft, when there is still one. A revision that was submitted is never rewritten. */
async function keepDraft(
  tx: Tx,
  { app, draft }: RegisteredApp,
  { fields, owner, now }: { fields: RegisteredFields | undefined; owner: OwnerIdentity; now: Date },
) {
  if (fields === undefined) {
    if (draft !== undefined) {
      await updateApp(tx, app.id, { draftRevision: null })
      await dropUnsubmitted(tx, app.id, draft.number)
    }
    return null
  }
  if (draft !== undefined && isEqual(fieldsOf(draft), fields)) return draft.number
  if (draft === undefined || draft.submittedAt !== null) return insertRevision(tx, app.id, { fields, owner, now })
  await rewriteRevision(tx, app.id, draft.number, { fields, owner })
  return draft.number
}

/** Where the app stands after it was saved; submitting comes after. */
async function settle(
  tx: Tx,
  { app, draft }: RegisteredApp,
  revision: number | null,
  body: Body,
  { caller, now, random }: Omit<AppChange, 'action'>,
) {
  const withdrawn = app.status === 'under_review' && (revision === null || body.draft === true)
  if (withdrawn && draft !== undefined) {
    const line = { appId: app.id, revision: draft.number, decidedBy: caller.accountId, now, random }
    await insertReviewLine(tx, { ...line, decision: 'withdrawn', reasons: [] })
  }
  const startsDraft = withdrawn || app.status === 'approved'
  const status = revision === null ? 'approved' : startsDraft ? 'draft' : app.status
  await updateApp(tx, app.id, { draftRevision: revision, status, modifiedAt: now })
}
