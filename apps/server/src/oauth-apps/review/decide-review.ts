import { type Decision, decideReview } from '@parley/contract'
import { readReasons, stateAfter } from '@parley/rules/oauth-apps/app-review'
import { recordAppLogEvent } from '../../event-log/record-event.ts'
import { inTransaction, type Tx } from '../../platform/database/database.ts'
import { problem } from '../../platform/http/problem.ts'
import type { Random } from '../../platform/random.ts'
import { recordAppChange } from '../app-audit.ts'
import { endGrantsOfApp, endTesting, trimGrantsOfApp } from '../app-grants.ts'
import { type AppRow, updateApp } from '../app-store.ts'
import { showApp } from '../app-view.ts'
import type { AppsService } from '../apps-service.ts'
import { newClientId } from '../credentials/client-id.ts'
import { queueAppDecisionEmail } from '../queue-app-decision-email.ts'
import { insertReviewLine } from '../review-store.ts'
import { isReadingOutdated } from './review-reading-store.ts'
import { findReviewedApp, lockReviewedApp, mayDecide, requireServiceReviewer } from './reviewed-app-store.ts'

const decisions = {
  approved: { step: 'approve', action: 'app.approved', outcome: 'was approved and is live' },
  rejected: { step: 'reject', action: 'app.rejected', outcome: 'was rejected' },
  on_hold: { step: 'hold', action: 'app.held', outcome: 'was put on hold' },
} as const

/**
 * Decide about a submitted revision. The live revision stays live; an approval replaces it at once. An approval is
 * refused when the revision changed after the reviewer read it, also when the request names no revision.
 */
export function serveDecideReview(service: AppsService) {
  const { serve, clock, random } = service
  serve(decideReview, {
    read: ({ body: { decision, reasons } }) =>
      readReasons(reasons ?? [], decision !== undefined && decision !== 'approved'),
    handle: ({ caller, params: { appId }, body, input: reasons, request, database }) =>
      inTransaction(database, async (tx) => {
        const now = clock.now()
        await requireServiceReviewer(tx, caller)
        const found = await lockReviewedApp(tx, appId, 'all')
        if (found?.reviewed === undefined) throw problem('review_not_found')
        const { app, reviewed } = found
        if (!(await mayDecide(tx, app.ownerId, caller))) throw problem('own_app')
        const { decision } = body
        const { step, action, outcome } = decisions[decision]
        const revision = reviewed.number
        if (stateAfter(app.status, step) === undefined) throw problem('nothing_to_decide')
        if (body.revision !== undefined && body.revision !== revision) throw problem('review_changed')
        const seen = { appId: app.id, revision }
        if (decision === 'approved' && (await isReadingOutdated(tx, caller.accountId, seen))) {
          throw problem('review_changed')
        }

        await decide(tx, app, { decision, revision, now, random })
        await trimGrantsOfApp(tx, app, now)
        // What is rejected or on hold works for its developer alone, also beside a live revision: the sandbox has the draft.
        if (decision !== 'approved' && app.registration === 'portal') await endTesting(tx, app, now)
        // Reviewers and administrators have tried it.
        if (decision === 'rejected' && app.registration !== 'portal' && app.liveRevision === null) {
          await endGrantsOfApp(tx, app, now, 'app_rejected')
        }
        const line = { appId: app.id, revision, decision, reasons, decidedBy: caller.accountId, now, random }
        await insertReviewLine(tx, line)
        const event = { kind: `app_${decision}`, cause: `Revision ${revision} ${outcome}.` }
        const detail = { revision, reasons }
        await recordAppChange(tx, { app, caller, request, now, random, action, detail, event })
        const data = { appId: app.id, name: reviewed.name }
        await recordAppLogEvent(tx, { type: `app.${decision}`, ownerId: app.ownerId, data, now })
        const emailApp = { id: app.id, name: reviewed.name, owner: found.owner }
        await queueAppDecisionEmail(tx, service, { app: emailApp, caller, decision, reasons })
        const after = await findReviewedApp(tx, app.id, 'all')
        if (after === undefined) throw problem('review_not_found')
        return showApp(tx, after, after.reviewed)
      }),
  })
}

type Decided = { decision: Decision; revision: number; now: Date; random: Random }

function decide(tx: Tx, app: AppRow, { decision, revision, now, random }: Decided) {
  if (decision !== 'approved') return updateApp(tx, app.id, { status: decision, modifiedAt: now })
  // The developer may have saved a newer draft while the app was on hold: it stays a draft.
  const isDraft = app.draftRevision === revision
  return updateApp(tx, app.id, {
    status: isDraft ? 'approved' : 'draft',
    liveRevision: revision,
    draftRevision: isDraft ? null : app.draftRevision,
    liveByConfiguration: false,
    // Issued once, and stable across revisions.
    clientId: app.clientId ?? newClientId('real', random),
    modifiedAt: now,
  })
}
