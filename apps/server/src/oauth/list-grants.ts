import { listGrants } from '@parley/contract'
import type { Service } from '../access/service.ts'
import { listGrantRows } from './grant-store.ts'

/** The apps that somebody has connected, the newest first. */
export function serveListGrants({ serve, clock }: Service) {
  serve(listGrants, async ({ caller, database }) => {
    const rows = await listGrantRows(database, caller.accountId, clock.now())
    return {
      grants: rows.map(({ id, appId, name, homepageUrl, logoUrl, sandbox, scopes, createdAt, lastUsedAt }) => ({
        _id: id,
        app: { _id: appId, name, homepageUrl, logoUrl, sandbox },
        scopes,
        createdOn: createdAt.toISOString(),
        lastUsedOn: lastUsedAt?.toISOString() ?? null,
      })),
    }
  })
}
