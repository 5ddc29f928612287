import { revokeGrant } from '@parley/contract'
import { audit } from '../../access/audit.ts'
import { actedThrough } from '../../access/caller.ts'
import type { Service } from '../../access/service.ts'
import { shownNameText } from '../../access/shown-app.ts'
import { queueReconcileRoomsOfAccount } from '../../accounts/end-access.ts'
import { recordAppEvent } from '../../oauth-apps/events/app-event-store.ts'
import { inTransaction } from '../../platform/database/database.ts'
import { isUuid } from '../../platform/database/uuid.ts'
import { problem } from '../../platform/http/problem.ts'
import { lockOwnGrant, revokeGrantRow } from './grant-store.ts'

/** Disconnect an app. Every instance refuses the grant's tokens from the next request on. */
export function serveRevokeGrant({ serve, clock, random }: Service) {
  serve(revokeGrant, {
    handle: ({ caller, params: { grantId }, request, database }) =>
      inTransaction(database, async (tx) => {
        const now = clock.now()
        const grant = isUuid(grantId) ? await lockOwnGrant(tx, caller.accountId, grantId) : undefined
        if (grant === undefined) throw problem('grant_not_found')
        await revokeGrantRow(tx, grantId, 'the user disconnected the app', now)
        const { appId, sandbox, name, callbackUrls, ...app } = grant
        const shown = shownNameText({ ...app, name: { claimedName: name ?? '' } }, callbackUrls ?? [])
        const entry = { tenantId: caller.tenantId, actorId: caller.accountId, subjectId: caller.accountId }
        const detail = { grantId, appId, name: shown, sandbox, ...actedThrough(caller) }
        await audit(tx, random, now, { ...entry, action: 'grant.revoked', detail, address: request.address })
        const cause = 'A user disconnected the app.'
        await recordAppEvent(tx, { appId, sandbox, kind: 'grant_revoked', cause, requestId: request.id, now, random })
        // Disconnect participants who joined through the app.
        await queueReconcileRoomsOfAccount(tx, caller.accountId)
        return { status: 'The app is disconnected.' }
      }),
  })
}
