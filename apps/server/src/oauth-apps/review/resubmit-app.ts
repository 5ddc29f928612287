import { resubmitApp } from '@parley/contract'
import { type AppState, stateAfter } from '@parley/rules/oauth-apps/app-review'
import { type Database, inTransaction } from '../../platform/database/database.ts'
import { problem } from '../../platform/http/problem.ts'
import { fieldsOf, readFields } from '../app-fields.ts'
import { reserveName } from '../app-name-store.ts'
import { findOwnApp, lockOwnApp, type RegisteredApp, requireUnchanged } from '../app-store.ts'
import { showApp } from '../app-view.ts'
import type { AppsService } from '../apps-service.ts'
import { requireOauth } from '../oauth-access.ts'
import { isSameOwner, readOwnerIdentity } from '../owner-identity.ts'
import { examineApp } from '../page-checks/examine-app.ts'
import { readReviewNotes } from './review-notes.ts'
import { insertRevision } from './revision-store.ts'
import { recordSubmission } from './submission.ts'

/**
 * Submit an unchanged app again: a rejected one, because a page that did not answer may do so now, or a live one whose
 * owner's name has changed, because the new name is shown only after a review.
 */
export function serveResubmitApp(service: AppsService) {
  const { serve, clock, random, config } = service
  serve(resubmitApp, {
    handle: async ({ caller, params: { appId }, body, request, database }) => {
      await requireOauth(database, caller)
      const found = await findOwnApp(database, appId, caller.accountId)
      if (found === undefined) throw problem('app_not_found')
      readReviewNotes(body)
      const { status } = found.app
      if (status === 'under_review') return showApp(database, found)
      const submitted =
        status === 'approved' ? await requireChangedOwner(database, service, found, caller.accountId) : found.draft
      if (!isSubmittable(status) || submitted === undefined) throw problem('wrong_app_state')
      // The operator's rules may have become stricter since the save.
      const fields = readFields(fieldsOf(submitted), { ...config, liveName: found.live?.name })
      const findings = await examineApp(service, database, { fields, found, developerId: caller.accountId })

      return inTransaction(database, async (tx) => {
        const now = clock.now()
        const { app, draft } = requireUnchanged(found, await lockOwnApp(tx, appId, caller.accountId))
        await reserveName(tx, fields.name, app.id)
        const { owner } = findings
        const revision = draft?.number ?? (await insertRevision(tx, app.id, { fields, owner, now }))
        const { submittedAt } = app
        await recordSubmission(tx, {
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
    },
  })
}

const isSubmittable = (status: AppState) => status === 'approved' || stateAfter(status, 'submit') !== undefined

/** Return the live revision if its owner's name or organisation has changed. @throws nothing_to_submit */
async function requireChangedOwner(
  database: Database,
  { config }: AppsService,
  { live }: RegisteredApp,
  ownerId: string,
) {
  const owner = await readOwnerIdentity(database, ownerId, config)
  const shown = { name: live?.ownerName ?? owner.name, organisation: live?.ownerOrganisation ?? null }
  if (isSameOwner(owner, shown)) throw problem('nothing_to_submit')
  return live
}
