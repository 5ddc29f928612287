import { resubmitApp } from '@parley/contract'
import { type AppState, stateAfter } from '@parley/rules/oauth-apps/app-review'
import { inTransaction } from '../../platform/database/database.ts'
import { problem } from '../../platform/http/problem.ts'
import type { Database } from '../../tables/tables.ts'
import { fieldsOf, readFields } from '../app-fields.ts'
import { claimName } from '../app-name-store.ts'
import { findOwnApp, lockOwnApp, type RegisteredApp, requireUnchanged } from '../app-store.ts'
import { showApp } from '../app-view.ts'
import type { AppsService } from '../apps-service.ts'
import { requireOauth } from '../oauth-access.ts'
import { isSameOwner, readOwnerIdentity } from '../owner-identity.ts'
import { examineApp } from '../page-checks/examine-app.ts'
import { readReviewNotes } from './review-notes.ts'
import { insertRevision } from './revision-store.ts'
import { keepSubmission } from './submission.ts'

/**
 * Also of what was rejected and has not changed: a page that did not answer may do so now. And of what is live and has not
 * changed, when its owner is called otherwise by now: people read the new name once it was reviewed.
 */
export function serveResubmitApp(service: AppsService) {
  const { serve, clock, random, config } = service
  serve(resubmitApp, async ({ caller, params: { appId }, body, request, database }) => {
    await requireOauth(database, caller)
    const found = await findOwnApp(database, appId, caller.accountId)
    if (found === undefined) throw problem('app_not_found')
    readReviewNotes(body)
    const { status } = found.app
    if (status === 'under_review') return showApp(database, found)
    const submitted = status === 'approved' ? await requireOtherOwner(database, service, found) : found.draft
    if (!isSubmittable(status) || submitted === undefined) throw problem('wrong_app_state')
    // The operator may have become stricter since it was saved.
    const fields = readFields(fieldsOf(submitted), { ...config, liveName: found.live?.name })
    const findings = await examineApp(service, database, { fields, found, developerId: caller.accountId })

    return inTransaction(database, async (tx) => {
      const now = clock.now()
      const { app, draft } = requireUnchanged(found, await lockOwnApp(tx, appId, caller.accountId))
      await claimName(tx, fields.name, app.id)
      const { owner } = findings
      const revision = draft?.number ?? (await insertRevision(tx, app.id, { fields, owner, now }))
      const { submittedAt } = app
      await keepSubmission(tx, {
        app,
        caller,
        request,
        now,
        random,
        revision,
        findings,
        answer: body.answer,
        submittedAt,
      })
      const after = await lockOwnApp(tx, app.id, caller.accountId)
      if (after === undefined) throw problem('app_not_found')
      return showApp(tx, after)
    })
  })
}

const isSubmittable = (status: AppState) => status === 'approved' || stateAfter(status, 'submit') !== undefined

/** What is live, where it is live under another name of its owner's. @throws nothing_to_submit */
async function requireOtherOwner(database: Database, { config }: AppsService, { app, live }: RegisteredApp) {
  const owner = await readOwnerIdentity(database, app.ownerId, config)
  const shown = { name: live?.ownerName ?? owner.name, organisation: live?.ownerOrganisation ?? null }
  if (isSameOwner(owner, shown)) throw problem('nothing_to_submit')
  return live
}
