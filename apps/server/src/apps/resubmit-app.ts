import { resubmitApp } from '@parley/contract'
import { stateAfter } from '@parley/rules/app-review'
import { inTransaction } from '../platform/database.ts'
import { problem } from '../platform/problem.ts'
import { fieldsOf, readFields } from './app-fields.ts'
import { claimName } from './app-name-store.ts'
import { findOwnApp, lockOwnApp, requireUnchanged } from './app-store.ts'
import { showApp } from './app-view.ts'
import type { AppsService } from './apps-service.ts'
import { examineApp } from './examine-app.ts'
import { requireOauth } from './oauth-access.ts'
import { keepSubmission } from './submission.ts'

/** Also of what was rejected and has not changed: a page that did not answer may do so now. */
export function serveResubmitApp(service: AppsService) {
  const { serve, clock, random, config } = service
  serve(resubmitApp, async ({ caller, params: { appId }, request, database }) => {
    await requireOauth(database, caller)
    const found = await findOwnApp(database, appId, caller.accountId)
    if (found === undefined) throw problem('app_not_found')
    const { status } = found.app
    if (status === 'under_review') return showApp(database, found)
    if (status === 'approved') throw problem('nothing_to_submit')
    if (stateAfter(status, 'submit') === undefined || found.draft === undefined) throw problem('wrong_app_state')
    // The operator may have become stricter since it was saved.
    const fields = readFields(fieldsOf(found.draft), config)
    const findings = await examineApp(service, database, { fields, appId, developerId: caller.accountId })

    return inTransaction(database, async (tx) => {
      const now = clock.now()
      const { app, draft } = requireUnchanged(found, await lockOwnApp(tx, appId, caller.accountId))
      if (draft === undefined) throw problem('nothing_to_submit')
      await claimName(tx, fields.name, app.id)
      const revision = draft.number
      const { submittedAt } = app
      await keepSubmission(tx, { app, caller, request, now, random, revision, findings, submittedAt })
      const after = await lockOwnApp(tx, app.id, caller.accountId)
      if (after === undefined) throw problem('app_not_found')
      return showApp(tx, after)
    })
  })
}
