import { type ReplyOf, readOauthAccess } from '@parley/contract'
import { findAccount } from '../accounts/account/account-store.ts'
import { findOauthRequest } from '../accounts/administration/oauth-request-store.ts'
import type { AppsService } from './apps-service.ts'

/** Tell the portal whether OAuth is enabled for the caller; its other endpoints are refused until then. */
export function serveReadOauthAccess({ serve }: AppsService) {
  serve(readOauthAccess, {
    handle: async ({ caller, database }): Promise<ReplyOf<typeof readOauthAccess>> => {
      const [account, request] = await Promise.all([
        findAccount(database, caller.accountId),
        findOauthRequest(database, caller.accountId),
      ])
      const noRequest = { requestedOn: null, declinedOn: null, declineReason: '' }
      if (account?.oauthEnabled === true) return { ...noRequest, status: 'enabled' }
      if (request === undefined) return { ...noRequest, status: 'none' }
      const requestedOn = request.createdAt.toISOString()
      if (request.declinedAt === null) return { ...noRequest, status: 'requested', requestedOn }
      const { declinedAt, declineReason } = request
      return { status: 'declined', requestedOn, declinedOn: declinedAt.toISOString(), declineReason }
    },
  })
}
