import { type ReplyOf, readOauthAccess } from '@parley/contract'
import { findAccount } from '../accounts/account/account-store.ts'
import { findOauthRequest } from '../accounts/administration/oauth-request-store.ts'
import type { AppsService } from './apps-service.ts'

/** What the portal asks first: everything else of it is refused until OAuth is enabled. */
export function serveReadOauthAccess({ serve }: AppsService) {
  serve(readOauthAccess, async ({ caller, database }): Promise<ReplyOf<typeof readOauthAccess>> => {
    const [account, request] = await Promise.all([
      findAccount(database, caller.accountId),
      findOauthRequest(database, caller.accountId),
    ])
    const unanswered = { requestedOn: null, declinedOn: null, declineReason: '' }
    if (account?.oauthEnabled === true) return { ...unanswered, status: 'enabled' }
    if (request === undefined) return { ...unanswered, status: 'none' }
    const requestedOn = request.createdAt.toISOString()
    if (request.declinedAt === null) return { ...unanswered, status: 'requested', requestedOn }
    const { declinedAt, declineReason } = request
    return { status: 'declined', requestedOn, declinedOn: declinedAt.toISOString(), declineReason }
  })
}
