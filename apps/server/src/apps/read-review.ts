import { readReview } from '@parley/contract'
import { differencesBetween } from '@parley/rules/app-revision'
import { problem } from '../platform/problem.ts'
import { fieldsOf } from './app-fields.ts'
import { showApp } from './app-view.ts'
import type { AppsService } from './apps-service.ts'
import { noteReading } from './review-reading-store.ts'
import { findHistory } from './review-store.ts'
import { findReviewedApp, viewOwner } from './reviewed-app-store.ts'

/** What is answered here is what the reviewer can approve. */
export function serveReadReview({ serve, clock }: AppsService) {
  serve(readReview, async ({ caller, params: { appId }, database }) => {
    const found = await findReviewedApp(database, appId, caller)
    if (found?.reviewed === undefined) throw problem('review_not_found')
    const { app, live, reviewed, owner } = found
    const revision = reviewed.number
    // Before the rest is read: what is submitted meanwhile is noted as not seen.
    await noteReading(database, caller.accountId, { appId: app.id, revision }, clock.now())
    const { checks = [], ...shown } = await showApp(database, found, reviewed)
    const history = await findHistory(database, app.id)
    return {
      app: shown,
      owner: viewOwner(owner),
      revision,
      submittedOn: reviewed.submittedAt?.toISOString() ?? null,
      checks,
      differences: differencesBetween(live && fieldsOf(live), fieldsOf(reviewed)),
      history: history.map(({ name, lname, createdAt, ...line }) => ({
        ...line,
        by: `${name} ${lname}`.trim(),
        createdOn: createdAt.toISOString(),
      })),
    }
  })
}
