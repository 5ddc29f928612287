import { isScope, listGrants, revokeGrant } from '@parley/contract'
import { type Resource, resourceIdentifier, resources } from '@parley/rules/oauth/resource'
import { audit } from '../../access/audit.ts'
import { actedThrough } from '../../access/caller.ts'
import { scopeColumns } from '../../access/credentials/live-grant.ts'
import { clientHostOf, shownNameText, shownPageOf } from '../../access/shown-app.ts'
import { queueReconcileRoomsOfAccount } from '../../accounts/end-access.ts'
import { recordAppEvent } from '../../oauth-apps/events/app-event-store.ts'
import { inTransaction } from '../../platform/database/database.ts'
import { isUuid } from '../../platform/database/uuid.ts'
import { problem } from '../../platform/http/problem.ts'
import type { Dependencies } from '../dependencies.ts'
import { listGrantRows, lockOwnGrant, revokeGrantRow } from './grant-store.ts'

/** Register the apps that a person has connected: list them, newest first, and disconnect one. */
export function registerGrants({
  serve,
  clock,
  random,
  config: { baseUrl },
}: Pick<Dependencies, 'serve' | 'clock' | 'random' | 'config'>): void {
  // Logos come from our own origin, so that the app's server does not learn who views the list.
  const logoUrl = (appId: string, revision: number) => `${baseUrl}/oauth2/logos/${appId}/${revision}`

  serve(listGrants, {
    handle: async ({ caller, database }) => {
      const rows = await listGrantRows(database, caller.accountId, clock.now())
      return {
        grants: rows.map(
          ({
            id,
            appId,
            name,
            callbackUrls,
            homepageUrl,
            revision,
            logoOf,
            sandbox,
            suspended,
            scopes,
            apiScopes,
            mcpScopes,
            createdAt,
            lastUsedAt,
            ...app
          }) => ({
            _id: id,
            app: {
              _id: appId,
              name: shownNameText({ ...app, name: { claimedName: name } }, callbackUrls),
              reviewed: app.isReviewed,
              homepageUrl: shownPageOf(app, homepageUrl),
              ...clientHostOf(app),
              logoUrl: logoOf === null ? '' : logoUrl(appId, revision),
              sandbox,
              suspended,
            },
            scopes: scopes.filter(isScope),
            resources: resourcesOf({ apiScopes, mcpScopes }, baseUrl),
            createdOn: createdAt.toISOString(),
            lastUsedOn: lastUsedAt?.toISOString() ?? null,
          }),
        ),
      }
    },
  })

  // Every instance refuses the grant's tokens from the next request on.
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

/** What a grant is for, with the scopes of each. */
const resourcesOf = (row: Record<(typeof scopeColumns)[Resource], readonly string[]>, baseUrl: string) =>
  resources.flatMap((resource) => {
    const scopes = row[scopeColumns[resource]].filter(isScope)
    return scopes.length === 0 ? [] : [{ resource: resourceIdentifier(resource, baseUrl), scopes }]
  })
