import { isScope, listGrants } from '@parley/contract'
import type { Service } from '../../access/service.ts'
import { listGrantRows } from './grant-store.ts'

/** The apps that somebody has connected, the newest first. */
export function serveListGrants({ serve, clock, config: { baseUrl } }: Service) {
  // From our own origin: the app's server does not learn who looks at their list.
  const logoUrl = (appId: string, revision: number) => `${baseUrl}/oauth2/logos/${appId}/${revision}`

  serve(listGrants, async ({ caller, database }) => {
    const rows = await listGrantRows(database, caller.accountId, clock.now())
    return {
      grants: rows.map(
        ({ id, appId, name, homepageUrl, revision, logoOf, sandbox, suspended, scopes, createdAt, lastUsedAt }) => ({
          _id: id,
          app: {
            _id: appId,
            name,
            homepageUrl,
            logoUrl: logoOf === null ? '' : logoUrl(appId, revision),
            sandbox,
            suspended,
          },
          scopes: scopes.filter(isScope),
          createdOn: createdAt.toISOString(),
          lastUsedOn: lastUsedAt?.toISOString() ?? null,
        }),
      ),
    }
  })
}
