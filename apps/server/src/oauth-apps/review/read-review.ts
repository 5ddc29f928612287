import { readReview } from '@parley/contract'
import { differencesBetween } from '@parley/rules/oauth-apps/app-revision'
import { problem } from '../../platform/http/problem.ts'
import { fieldsOf } from '../app-fields.ts'
import type { RevisionRow } from '../app-store.ts'
import { showApp } from '../app-view.ts'
import type { AppsService } from '../apps-service.ts'
import { type DocumentRow, findDocument } from '../document-store.ts'
import { findHistory, viewHistory } from '../review-store.ts'
import { recordReading } from './review-reading-store.ts'
import { findReviewedApp, mayDecide, requireServiceReviewer, viewRegistration } from './reviewed-app-store.ts'

/** Read a submitted revision; a reviewer can approve only what was returned here. */
export function serveReadReview({ serve, clock }: AppsService) {
  serve(readReview, {
    handle: async ({ caller, params: { appId }, database }) => {
      await requireServiceReviewer(database, caller)
      const found = await findReviewedApp(database, appId, 'all')
      if (found?.reviewed === undefined) throw problem('review_not_found')
      const { app, live, reviewed } = found
      const revision = reviewed.number
      // Recorded before the rest is read, so that a concurrent submission counts as unread.
      await recordReading(database, caller.accountId, { appId: app.id, revision }, clock.now())
      const { checks = [], ...shown } = await showApp(database, found, reviewed)
      const history = await findHistory(database, app.id)
      const copy = await findDocument(database, app.id)
      return {
        app: shown,
        ...viewRegistration(found),
        ...(copy && { document: viewDocument(copy) }),
        mayDecide: await mayDecide(database, app.ownerId, caller),
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

const viewDocument = ({ url, body, fetchedAt, failedAt, failure }: DocumentRow) => ({
  url,
  body,
  fetchedOn: fetchedAt.toISOString(),
  failedOn: failedAt?.toISOString() ?? null,
  failure,
})

/** The difference between the owner as shown now and as shown after an approval. */
function ownerDifference(live: RevisionRow | undefined, reviewed: RevisionRow) {
  const shown = ({ ownerName, ownerOrganisation }: RevisionRow) =>
    [ownerName, ownerOrganisation].filter((text) => text !== null)
  const [before, after] = [live === undefined ? [] : shown(live), shown(reviewed)]
  // A client that no developer has registered has no owner.
  const isSame = before.join('\n') === after.join('\n') && (live !== undefined || after.length === 0)
  return isSame ? [] : [{ field: 'owner', before, after }]
}
