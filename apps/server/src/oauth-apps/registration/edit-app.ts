import { type BodyOf, editApp } from '@parley/contract'
import { isPublic } from '@parley/rules/oauth/client-type'
import { stateAfter } from '@parley/rules/oauth-apps/app-review'
import { differencesBetween, type EditPlan, isEqual, planEdit } from '@parley/rules/oauth-apps/app-revision'
import { inTransaction, type Tx } from '../../platform/database/database.ts'
import { problem } from '../../platform/http/problem.ts'
import { type AppChange, recordAppChange } from '../app-audit.ts'
import { fieldsOf, type RegisteredFields, readFields } from '../app-fields.ts'
import { trimGrantsOfApp } from '../app-grants.ts'
import { reserveName } from '../app-name-store.ts'
import { findOwnApp, lockOwnApp, type RegisteredApp, requireUnchanged, updateApp } from '../app-store.ts'
import { newestRevision, showApp } from '../app-view.ts'
import type { AppsService } from '../apps-service.ts'
import { retireAllSecrets } from '../credentials/secret-store.ts'
import { requireOauth } from '../oauth-access.ts'
import { type OwnerIdentity, readOwnerIdentity } from '../owner-identity.ts'
import { examineApp } from '../page-checks/examine-app.ts'
import { readReviewNotes } from '../review/review-notes.ts'
import { deleteUnsubmittedRevision, insertRevision, updateRevision } from '../review/revision-store.ts'
import { recordSubmission } from '../review/submission.ts'
import { insertReviewLine } from '../review-store.ts'

/**
 * Edit an app. Changes that need a review go into a draft beside the live revision, which is submitted unless the
 * developer only saves it. An app under review stays under review with the new revision, and the reviewer is notified
 * to read it again.
 */
export function serveEditApp(service: AppsService) {
  const { serve, clock, random, config } = service
  serve(editApp, {
    handle: async ({ caller, params: { appId }, body, request, database }) => {
      await requireOauth(database, caller)
      const found = await findOwnApp(database, appId, caller.accountId)
      if (found === undefined) throw problem('app_not_found')
      if (stateAfter(found.app.status, 'edit') === undefined) throw problem('wrong_app_state')
      const notes = readReviewNotes(body)
      const { clientType, submittedAt } = found.app
      const requested = readFields(
        body,
        { ...config, liveName: found.live?.name, fixedClientType: submittedAt === null ? undefined : clientType },
        fieldsOf(newestRevision(found)),
      )
      const plan = planEdit(found.live && fieldsOf(found.live), requested)
      const examined = { fields: requested, found, developerId: caller.accountId }
      const findings = submits(found, plan, body) ? await examineApp(service, database, examined) : undefined

      return inTransaction(database, async (tx) => {
        const now = clock.now()
        const { app, live, draft } = requireUnchanged(found, await lockOwnApp(tx, appId, caller.accountId))
        const before = newestRevision(found)
        await reserveName(tx, requested.name, app.id)
        if (plan.live !== undefined && live !== undefined) {
          await updateRevision(tx, app.id, live.number, { fields: plan.live })
        }
        const owner = findings?.owner ?? (await readOwnerIdentity(tx, caller.accountId, config))
        const change = { app, caller, request, now, random }
        const revision = await saveDraft(tx, { app, live, draft }, { fields: plan.draft, owner, now })
        await updateAppState(tx, { app, live, draft }, revision, body, change)
        await updateApp(tx, app.id, { ...notes, clientType: requested.clientType })
        // A draft may have had secrets of its sandbox.
        if (isPublic(requested.clientType)) await retireAllSecrets(tx, app.id, now)
        await trimGrantsOfApp(tx, app, now)
        const differences = differencesBetween(fieldsOf(before), requested)
        if (differences.length > 0)
          await recordAppChange(tx, { ...change, action: 'app.edited', detail: { differences } })
        if (findings !== undefined && revision !== null) {
          await recordSubmission(tx, {
            ...change,
            revision,
            findings,
            answer: body.answer,
            submittedAt: app.submittedAt,
          })
        }
        const after = await lockOwnApp(tx, app.id, caller.accountId)
        if (after === undefined) throw problem('app_not_found')
        return showApp(tx, after)
      })
    },
  })
}

type Body = Pick<BodyOf<typeof editApp>, 'draft'>

/**
 * Whether the edit submits the draft. A saved draft is submitted only explicitly; an unchanged draft under review is
 * not checked again.
 */
function submits({ app, draft }: RegisteredApp, plan: EditPlan<RegisteredFields>, body: Body): boolean {
  if (plan.draft === undefined || (body.draft ?? app.status === 'draft')) return false
  return app.status !== 'under_review' || draft === undefined || !isEqual(fieldsOf(draft), plan.draft)
}

/** Save or delete the draft and return its number, or null. Submitted revisions are never rewritten. */
async function saveDraft(
  tx: Tx,
  { app, draft }: RegisteredApp,
  { fields, owner, now }: { fields: RegisteredFields | undefined; owner: OwnerIdentity; now: Date },
) {
  if (fields === undefined) {
    if (draft !== undefined) {
      await updateApp(tx, app.id, { draftRevision: null })
      await deleteUnsubmittedRevision(tx, app.id, draft.number)
    }
    return null
  }
  if (draft !== undefined && isEqual(fieldsOf(draft), fields)) return draft.number
  if (draft === undefined || draft.submittedAt !== null) return insertRevision(tx, app.id, { fields, owner, now })
  await updateRevision(tx, app.id, draft.number, { fields, owner })
  return draft.number
}

/** Update the app's state after a save; a submission follows separately. */
async function updateAppState(
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
