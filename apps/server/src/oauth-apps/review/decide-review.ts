import { type Decision, decideReview } from '@parley/contract'
import { stateAfter, validateReasons } from '@parley/rules/oauth-apps/app-review'
import { inTransaction } from '../../platform/database/database.ts'
import { problem } from '../../platform/http/problem.ts'
import type { Random } from '../../platform/random.ts'
import type { Tx } from '../../tables/tables.ts'
import { recordAppChange } from '../app-audit.ts'
import { trimGrantsOfApp } from '../app-grants.ts'
import { type AppRow, updateApp } from '../app-store.ts'
import { showApp } from '../app-view.ts'
import type { AppsService } from '../apps-service.ts'
import { newClientId } from '../credentials/client-id.ts'
import { queueAppDecisionEmail } from '../queue-app-decision-email.ts'
import { insertReviewLine } from '../review-store.ts'
import { isReadingOutdated } from './review-reading-store.ts'
import { findReviewedApp, lockReviewedApp, mayDecide, requireServiceReviewer } from './reviewed-app-store.ts'

const words = {
  approved: { step: 'approve', action: 'app.approved', said: 'was approved and is live' },
  rejected: { step: 'reject', action: 'app.rejected', said: 'was rejected' },
  on_hold: { step: 'hold', action: 'app.held', said: 'was put on hold' },
} as const

/**
 * What is live stays so whatever is decided about a draft; an approval puts the draft in its place at once. Nobody approves
 * unseen what was changed after they read it, also when they name no revision (service.md and oauth.md know none).
 */
export function serveDecideReview(service: AppsService) {
  const { serve, clock, random } = service
  serve(
    decideReview,
    ({ caller, params: { appId }, body, request, database }) =>
      inTransaction(database, async (tx) => {
        const now = clock.now()
        await requireServiceReviewer(tx, caller)
        const found = await lockReviewedApp(tx, appId, 'all')
        if (found?.reviewed === undefined) throw problem('review_not_found')
        const { app, reviewed } = found
        if (!(await mayDecide(tx, app.ownerId, caller))) throw problem('own_app')
        const { decision, reasons = [] } = body
        const { step, action, said } = words[decision]
        const revision = reviewed.number
        if (stateAfter(app.status, step) === undefined) throw problem('nothing_to_decide')
        if (body.revision !== undefined && body.revision !== revision) throw problem('review_changed')
        const seen = { appId: app.id, revision }
        if (decision === 'approved' && (await isReadingOutdated(tx, caller.accountId, seen))) {
          throw problem('review_changed')
        }

        await decide(tx, app, { decision, revision, now, random })
        await trimGrantsOfApp(tx, app.id, now)
        const line = { appId: app.id, revision, decision, reasons, decidedBy: caller.accountId, now, random }
        await insertReviewLine(tx, line)
        const event = { kind: `app_${decision}`, cause: `Revision ${revision} ${said}.` }
        const detail = { revision, reasons }
        await recordAppChange(tx, { app, caller, request, now, random, action, detail, event })
        const told = { id: app.id, name: reviewed.name, owner: found.owner }
        await queueAppDecisionEmail(tx, service, { app: told, caller, decision, reasons })
        const after = await findReviewedApp(tx, app.id, 'all')
        if (after === undefined) throw problem('review_not_found')
        return showApp(tx, after, after.reviewed)
      }),
    ({ body: { decision, reasons } }) =>
      validateReasons(reasons ?? [], decision !== undefined && decision !== 'approved'),
  )
}

type Decided = { decision: Decision; revision: number; now: Date; random: Random }

function decide(tx: Tx, app: AppRow, { decision, revision, now, random }: Decided) {
  if (decision !== 'approved') return updateApp(tx, app.id, { status: decision, modifiedAt: now })
  // Its developer may have saved another draft since the app was held: that one is still to come.
  const isDraft = app.draftRevision === revision
  return updateApp(tx, app.id, {
    status: isDraft ? 'approved' : 'draft',
    liveRevision: revision,
    draftRevision: isDraft ? null : app.draftRevision,
    // Issued once, and the same for all revisions to come (oauth.md 4).
    clientId: app.clientId ?? newClientId('real', random),
    modifiedAt: now,
  })
}
