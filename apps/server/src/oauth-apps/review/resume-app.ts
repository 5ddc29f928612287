import { resumeApp } from '@parley/contract'
import { stateAfter } from '@parley/rules/oauth-apps/app-review'
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

/** Resume a suspended app. Its secrets and tokens work again: a suspension refuses them without revoking them. */
export function serveResumeApp(service: AppsService) {
  const { serve, clock, random } = service
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
        await queueAppDecisionEmail(tx, service, { app: emailApp, caller, decision: 'resumed', reasons: [] })
        const after = await findReviewedApp(tx, app.id, appsScope)
        if (after === undefined) throw problem('app_not_found')
        return showApp(tx, after, after.reviewed)
      }),
  })
}
