import { suspendApp } from '@parley/contract'
import { readReasons, stateAfter } from '@parley/rules/oauth-apps/app-review'
import { accessIdOf, publishAccessEnded } from '../../access/access-topic.ts'
import { recordAppLogEvent } from '../../event-log/record-event.ts'
import { inTransaction } from '../../platform/database/database.ts'
import { problem } from '../../platform/http/problem.ts'
import { recordAppChange } from '../app-audit.ts'
import { updateApp } from '../app-store.ts'
import { newestRevision, showApp } from '../app-view.ts'
import type { AppsService } from '../apps-service.ts'
import { queueAppDecisionEmail } from '../queue-app-decision-email.ts'
import { insertReviewLine } from '../review-store.ts'
import { findReviewedApp, findStoppableScope, lockReviewedApp } from './reviewed-app-store.ts'

/**
 * Suspend an app, as an administrator of the developer's organisation or of the one that runs the service. Every
 * look-up of a client or a token checks the app's status, so that it takes effect on every instance at commit; open
 * streams are notified.
 */
export function serveSuspendApp(service: AppsService) {
  const { serve, clock, random } = service
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
        if (app.submittedAt === null || stateAfter(app.status, 'suspend') === undefined)
          throw problem('wrong_app_state')
        await updateApp(tx, app.id, { status: 'suspended', statusBefore: app.status, modifiedAt: now })
        await publishAccessEnded(tx, accessIdOf(app))
        const { number: revision, name } = found.reviewed ?? newestRevision(found)
        const line = { appId: app.id, revision, reasons, decidedBy: caller.accountId, now, random }
        await insertReviewLine(tx, { ...line, decision: 'suspended' })
        const cause = 'An administrator has suspended the app: nobody can use it, and its tokens are refused.'
        const event = { kind: 'app_suspended', cause }
        const change = { app, caller, request, now, random }
        await recordAppChange(tx, { ...change, action: 'app.suspended', detail: { reasons }, event })
        const data = { appId: app.id, name }
        await recordAppLogEvent(tx, { type: 'app.suspended', ownerId: app.ownerId, data, now })
        const emailApp = { id: app.id, name, owner: found.owner }
        await queueAppDecisionEmail(tx, service, { app: emailApp, caller, decision: 'suspended', reasons })
        const after = await findReviewedApp(tx, app.id, appsScope)
        if (after === undefined) throw problem('app_not_found')
        return showApp(tx, after, after.reviewed)
      }),
  })
}
