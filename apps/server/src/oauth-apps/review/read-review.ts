import { readReview } from '@parley/contract'
import { differencesBetween } from '@parley/rules/oauth-apps/app-revision'
import { problem } from '../../platform/http/problem.ts'
import { fieldsOf } from '../app-fields.ts'
import type { RevisionRow } from '../app-store.ts'
import { showApp } from '../app-view.ts'
import type { AppsService } from '../apps-service.ts'
import { findHistory, viewHistory } from '../review-store.ts'
import { recordReading } from './review-reading-store.ts'
import { findReviewedApp, mayDecide, requireServiceReviewer, viewOwner } from './reviewed-app-store.ts'

/** Read a submitted revision; a reviewer can approve only what was returned here. */
export function serveReadReview({ serve, clock }: AppsService) {
  serve(readReview, {
    handle: async ({ caller, params: { appId }, database }) => {
      await requireServiceReviewer(database, caller)
      const found = await findReviewedApp(database, appId, 'all')
      if (found?.reviewed === undefined) throw problem('review_not_found')
      const { app, live, reviewed, owner } = found
      const revision = reviewed.number
      // Recorded before the rest is read, so that a concurrent submission counts as unread.
      await recordReading(database, caller.accountId, { appId: app.id, revision }, clock.now())
      const { checks = [], ...shown } = await showApp(database, found, reviewed)
      const history = await findHistory(database, app.id)
      return {
        app: shown,
        owner: viewOwner(owner),
        mayDecide: await mayDecide(database, owner.id, caller),
        revision,
        submittedOn: reviewed.submittedAt?.toISOString() ?? null,
        checks,
        differences: [
          ...differencesBetween(live && fieldsOf(live), fieldsOf(reviewed)),
          ...ownerDifference(live, reviewed),
        ],
        history: viewHistory(history),
      }
    },
  })
}

/** The difference between the owner as shown now and as shown after an approval. */
function ownerDifference(live: RevisionRow | undefined, reviewed: RevisionRow) {
  const shown = ({ ownerName, ownerOrganisation }: RevisionRow) =>
    [ownerName, ownerOrganisation].filter((text) => text !== null)
  const [before, after] = [live === undefined ? [] : shown(live), shown(reviewed)]
  return live !== undefined && before.join('\n') === after.join('\n') ? [] : [{ field: 'owner', before, after }]
}
