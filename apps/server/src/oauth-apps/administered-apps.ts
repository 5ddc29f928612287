import { listAdministeredApps, readAdministeredApp, resumeApp, suspendApp } from '@parley/contract'
import { readReasons, stateAfter } from '@parley/rules/oauth-apps/app-review'
import { accessIdOf, publishAccessEnded } from '../access/access-topic.ts'
import { recordAppLogEvent } from '../event-log/record-event.ts'
import { readAfter, writeCursor } from '../platform/database/cursor.ts'
import { inTransaction } from '../platform/database/database.ts'
import { isUuid } from '../platform/database/uuid.ts'
import { problem } from '../platform/http/problem.ts'
import {
  countAdministeredApps,
  endOfAppPage,
  findAdministeredRow,
  listAdministeredRows,
  toAdministeredApp,
} from './administered-app-store.ts'
import { recordAppChange } from './app-audit.ts'
import { queueAppDecisionEmail } from './app-emails.ts'
import { newestRevision, updateApp } from './app-store.ts'
import { loadApp } from './app-view.ts'
import type { Dependencies } from './dependencies.ts'
import {
  findHistory,
  findReviewedApp,
  findStoppableScope,
  insertReviewLine,
  lockReviewedApp,
  toHistory,
} from './review-store.ts'

/** Register the endpoints of administrators, who can stop apps. */
export function registerAdministeredApps(dependencies: Dependencies): void {
  serveListAdministeredApps(dependencies)
  serveReadAdministeredApp(dependencies)
  serveSuspendApp(dependencies)
  serveResumeApp(dependencies)
}

const defaultLimit = 50

/** List the apps that an administrator can stop, oldest first unless sorted otherwise. */
function serveListAdministeredApps({ serve, clock }: Dependencies) {
  serve(listAdministeredApps, {
    read: ({ query }) => readAfter(query.after),
    handle: async ({ caller, query, input: after, database }) => {
      const { limit = defaultLimit, q = '', suspended, sort = 'createdOn', order = 'asc' } = query
      const filter = { appsScope: await findStoppableScope(database, caller), q, suspended, now: clock.now() }
      const totalCount = await countAdministeredApps(database, filter)
      const found = await listAdministeredRows(database, filter, { sort, order, after, limit: limit + 1 })
      const page = found.slice(0, limit)
      const last = page.at(-1)
      const moreAvailable = found.length > limit
      return {
        totalCount,
        moreAvailable,
        nextCursor: moreAvailable && last !== undefined ? writeCursor(endOfAppPage(last, sort)) : null,
        apps: page.map(toAdministeredApp),
      }
    },
  })
}

function serveReadAdministeredApp({ serve, clock }: Dependencies) {
  serve(readAdministeredApp, {
    handle: async ({ caller, params: { appId }, database }) => {
      if (!isUuid(appId)) throw problem('app_not_found')
      const appsScope = await findStoppableScope(database, caller)
      const row = await findAdministeredRow(database, { appsScope, now: clock.now() }, appId)
      const found = await findReviewedApp(database, appId, appsScope)
      if (row === undefined || found === undefined) throw problem('app_not_found')
      const { live, draft } = found
      return {
        ...toAdministeredApp(row),
        ...(live && { live: await loadApp(database, found, live) }),
        ...(draft && { draft: await loadApp(database, found, draft) }),
        history: toHistory(await findHistory(database, appId)),
      }
    },
  })
}

/**
 * Suspend an app, as an administrator of the developer's organisation or of the organisation that runs the service. The
 * suspension takes effect on every instance at commit, because each look-up of a client or a token checks the status of
 * the app; open streams are notified.
 */
function serveSuspendApp(dependencies: Dependencies) {
  const { serve, clock, random } = dependencies
  serve(suspendApp, {
    read: ({ body }) => readReasons(body.reasons ?? [], false),
    handle: ({ caller, params: { appId }, input: reasons, request, database }) =>
      inTransaction(database, async (tx) => {
        const now = clock.now()
        const appsScope = await findStoppableScope(tx, caller)
        const found = await lockReviewedApp(tx, appId, appsScope)
        if (found === undefined) throw problem('app_not_found')
        const { app } = found
        // An app that was never submitted has no users and cannot be suspended.
        if (app.submittedAt === null || stateAfter(app.status, 'suspend') === undefined) {
          throw problem('wrong_app_state')
        }
        await updateApp(tx, app.id, { status: 'suspended', statusBefore: app.status, modifiedAt: now })
        await publishAccessEnded(tx, accessIdOf(app))
        const { number: revision, name } = found.reviewed ?? newestRevision(found)
        const line = { appId: app.id, revision, reasons, decidedBy: caller.accountId, now, random }
        await insertReviewLine(tx, { ...line, decision: 'suspended' })
        const cause = 'An administrator has suspended the app: no user can reach it, and its tokens are refused.'
        const event = { kind: 'app_suspended', cause }
        const change = { app, caller, request, now, random }
        await recordAppChange(tx, { ...change, action: 'app.suspended', detail: { reasons }, event })
        const data = { appId: app.id, name }
        await recordAppLogEvent(tx, { type: 'app.suspended', ownerId: app.ownerId, data, now })
        const emailApp = { id: app.id, name, owner: found.owner }
        await queueAppDecisionEmail(tx, dependencies, { app: emailApp, caller, decision: 'suspended', reasons })
        const after = await findReviewedApp(tx, app.id, appsScope)
        if (after === undefined) throw problem('app_not_found')
        return loadApp(tx, after, after.reviewed)
      }),
  })
}

/** Resume a suspended app. Its secrets and tokens work again, because a suspension does not revoke them. */
function serveResumeApp(dependencies: Dependencies) {
  const { serve, clock, random } = dependencies
  serve(resumeApp, {
    handle: ({ caller, params: { appId }, request, database }) =>
      inTransaction(database, async (tx) => {
        const now = clock.now()
        const appsScope = await findStoppableScope(tx, caller)
        const found = await lockReviewedApp(tx, appId, appsScope)
        if (found === undefined) throw problem('app_not_found')
        const { app } = found
        if (stateAfter(app.status, 'resume') !== 'before' || app.statusBefore === null) throw problem('wrong_app_state')
        await updateApp(tx, app.id, { status: app.statusBefore, statusBefore: null, modifiedAt: now })
        const { number: revision, name } = found.reviewed ?? newestRevision(found)
        const line = { appId: app.id, revision, reasons: [], decidedBy: caller.accountId, now, random }
        await insertReviewLine(tx, { ...line, decision: 'resumed' })
        const event = { kind: 'app_resumed', cause: 'An administrator has resumed the app; what it held works again.' }
        await recordAppChange(tx, { app, caller, request, now, random, action: 'app.resumed', event })
        if (app.liveRevision !== null) {
          const data = { appId: app.id, name }
          await recordAppLogEvent(tx, { type: 'app.approved', ownerId: app.ownerId, data, now })
        }
        const emailApp = { id: app.id, name, owner: found.owner }
        await queueAppDecisionEmail(tx, dependencies, { app: emailApp, caller, decision: 'resumed', reasons: [] })
        const after = await findReviewedApp(tx, app.id, appsScope)
        if (after === undefined) throw problem('app_not_found')
        return loadApp(tx, after, after.reviewed)
      }),
  })
}
