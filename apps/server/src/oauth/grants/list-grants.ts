import { isScope, listGrants } from '@parley/contract'
import { type Resource, resourceIdentifier, resources } from '@parley/rules/oauth/resource'
import { scopeColumns } from '../../access/credentials/live-grant.ts'
import type { Service } from '../../access/service.ts'
import { clientHostOf, shownNameText, shownPageOf } from '../../access/shown-app.ts'
import { listGrantRows } from './grant-store.ts'

/** What a grant is for, with the scopes of each. */
const resourcesOf = (row: Record<(typeof scopeColumns)[Resource], readonly string[]>, baseUrl: string) =>
  resources.flatMap((resource) => {
    const scopes = row[scopeColumns[resource]].filter(isScope)
    return scopes.length === 0 ? [] : [{ resource: resourceIdentifier(resource, baseUrl), scopes }]
  })

/** List the apps that the caller has connected, newest first. */
export function serveListGrants({ serve, clock, config: { baseUrl } }: Service) {
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
}
