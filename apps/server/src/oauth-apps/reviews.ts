import { type Decision, decideReview, listReviews, type ReplyOf, readReview } from '@parley/contract'
import { readReasons, stateAfter } from '@parley/rules/oauth-apps/app-review'
import { differencesBetween } from '@parley/rules/oauth-apps/app-revision'
import { recordAppLogEvent } from '../event-log/record-event.ts'
import { readAfter, writeCursor } from '../platform/database/cursor.ts'
import { inTransaction, type Tx } from '../platform/database/database.ts'
import { problem } from '../platform/http/problem.ts'
import type { Random } from '../platform/random.ts'
import { type DocumentRow, findDocument } from './agent-clients/agent-client-store.ts'
import { recordAppChange } from './app-audit.ts'
import { queueAppDecisionEmail } from './app-emails.ts'
import { endGrantsOfApp, endTesting, trimGrantsOfApp } from './app-grants.ts'
import { type AppRow, fieldsOf, type RevisionRow, updateApp } from './app-store.ts'
import { loadApp } from './app-view.ts'
import { newClientId } from './client-store.ts'
import type { Dependencies } from './dependencies.ts'
import {
  countSubmitted,
  endOfQueuePage,
  findHistory,
  findReviewedApp,
  insertReviewLine,
  isReadingOutdated,
  listSubmitted,
  lockReviewedApp,
  mayDecide,
  ownerOf,
  recordReading,
  requireServiceReviewer,
  type SubmittedRow,
  toHistory,
  toRegistration,
} from './review-store.ts'

/** Register the endpoints of reviewers. */
export function registerReviews(dependencies: Dependencies): void {
  serveListReviews(dependencies)
  serveReadReview(dependencies)
  serveDecideReview(dependencies)
}

const defaultLimit = 50

/** List submitted apps of every organisation, the longest waiting first unless sorted otherwise. */
function serveListReviews({ serve }: Dependencies) {
  serve(listReviews, {
    read: ({ query }) => readAfter(query.after),
    handle: async ({ caller, query, input: after, database }) => {
      const { status = 'under_review', limit = defaultLimit, sort = 'submittedOn', order = 'asc' } = query
      await requireServiceReviewer(database, caller)
      const [totalCount, found] = await Promise.all([
        countSubmitted(database, status),
        listSubmitted(database, status, { sort, order, after, limit: limit + 1 }),
      ])
      const page = found.slice(0, limit)
      const last = page.at(-1)
      const moreAvailable = found.length > limit
      return {
        totalCount,
        moreAvailable,
        nextCursor: moreAvailable && last !== undefined ? writeCursor(endOfQueuePage(last)) : null,
        reviews: page.map(toReview),
      }
    },
  })
}

const toReview = (row: SubmittedRow): ReplyOf<typeof listReviews>['reviews'][number] => ({
  appId: row.appId,
  name: row.name,
  // A live revision is shown as approved even if a saved draft is not.
  status: row.revision === row.liveRevision && row.status !== 'suspended' ? 'approved' : row.status,
  ...toRegistration({ app: row, owner: ownerOf(row) }),
  revision: row.revision,
  submittedOn: row.submittedAt.toISOString(),
  isNew: row.liveRevision === null,
})

/** Read a submitted revision. A reviewer can approve only what this endpoint returned. */
function serveReadReview({ serve, clock }: Dependencies) {
  serve(readReview, {
    handle: async ({ caller, params: { appId }, database }) => {
      await requireServiceReviewer(database, caller)
      const found = await findReviewedApp(database, appId, 'all')
      if (found?.reviewed === undefined) throw problem('review_not_found')
      const { app, live, reviewed } = found
      const revision = reviewed.number
      // Recorded first, so that a submission that arrives while the rest is read counts as unread.
      await recordReading(database, caller.accountId, { appId: app.id, revision }, clock.now())
      const { checks = [], ...shown } = await loadApp(database, found, reviewed)
      const history = await findHistory(database, app.id)
      const copy = await findDocument(database, app.id)
      return {
        app: shown,
        ...toRegistration(found),
        ...(copy && { document: toDocument(copy) }),
        mayDecide: await mayDecide(database, app.ownerId, caller),
        revision,
        submittedOn: reviewed.submittedAt?.toISOString() ?? null,
        checks,
        differences: [
          ...differencesBetween(live && fieldsOf(live), fieldsOf(reviewed)),
          ...ownerDifference(live, reviewed),
        ],
        history: toHistory(history),
      }
    },
  })
}

const toDocument = ({ url, body, fetchedAt, failedAt, failure }: DocumentRow) => ({
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
  // Clients that no developer has registered have no owner.
  const isSame = before.join('\n') === after.join('\n') && (live !== undefined || after.length === 0)
  return isSame ? [] : [{ field: 'owner', before, after }]
}

const decisions = {
  approved: { step: 'approve', action: 'app.approved', outcome: 'was approved and is live' },
  rejected: { step: 'reject', action: 'app.rejected', outcome: 'was rejected' },
  on_hold: { step: 'hold', action: 'app.held', outcome: 'was put on hold' },
} as const

/**
 * Decide about a submitted revision. An approval replaces the live revision at once; otherwise it stays live. An
 * approval is refused when the revision has changed since the reviewer read it, also if the request names no revision.
 */
function serveDecideReview(dependencies: Dependencies) {
  const { serve, clock, random } = dependencies
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
        // A rejected or held draft works in the sandbox for its developer alone, also beside a live revision.
        if (decision !== 'approved' && app.registration === 'portal') await endTesting(tx, app, now)
        // Reviewers and administrators may have connected the client before its review.
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
        await queueAppDecisionEmail(tx, dependencies, { app: emailApp, caller, decision, reasons })
        const after = await findReviewedApp(tx, app.id, 'all')
        if (after === undefined) throw problem('review_not_found')
        return loadApp(tx, after, after.reviewed)
      }),
  })
}

type Decided = { decision: Decision; revision: number; now: Date; random: Random }

function decide(tx: Tx, app: AppRow, { decision, revision, now, random }: Decided) {
  if (decision !== 'approved') return updateApp(tx, app.id, { status: decision, modifiedAt: now })
  // A newer draft, which the developer saved while the app was on hold, stays a draft.
  const isDraft = app.draftRevision === revision
  return updateApp(tx, app.id, {
    status: isDraft ? 'approved' : 'draft',
    liveRevision: revision,
    draftRevision: isDraft ? null : app.draftRevision,
    liveByConfiguration: false,
    // The client id is issued once, and is stable across revisions.
    clientId: app.clientId ?? newClientId('real', random),
    modifiedAt: now,
  })
}
