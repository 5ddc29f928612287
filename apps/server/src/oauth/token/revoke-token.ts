import { revokeToken } from '@parley/contract'
import { readAppToken } from './app-token.ts'
import type { TokenService } from './token-service.ts'
import { revokeOwnToken } from './token-store.ts'

/** Revoke a token (RFC 7009, 2.2). The reply is the same for a token that is unknown, ended, or another app's. */
export function serveRevokeToken({ serveClient, database }: TokenService) {
  serveClient(revokeToken, async ({ client, form, now }) => {
    const token = readAppToken(form.token)
    if (token !== undefined) await revokeOwnToken(database, { ...token, client, now })
    return {}
  })
}
