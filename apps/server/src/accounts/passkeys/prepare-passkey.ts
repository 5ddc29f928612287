import { preparePasskey } from '@parley/contract'
import { problem } from '../../platform/http/problem.ts'
import { findAccount } from '../account/account-store.ts'
import type { AccountsService } from '../accounts-service.ts'
import { sessionOf } from '../sessions/own-session.ts'
import { requireRecentSignIn } from '../sign-in/recent-sign-in.ts'
import { challengeLifetimeMs, keepChallenge } from './passkey-challenge-store.ts'
import { listPasskeyRows, maxPasskeys } from './passkey-store.ts'
import { describePasskey } from './passkey-view.ts'
import { algorithms, relyingPartyOf, userHandleOf } from './relying-party.ts'

/** A passkey opens the account for good, so whoever adds one proves once more who they are. */
export function servePreparePasskey(service: AccountsService) {
  const { serve, clock, random, config } = service
  const { id, name } = relyingPartyOf(config)
  serve(preparePasskey, async ({ caller, body: { currentPassword }, request: { address }, database }) => {
    const now = clock.now()
    const sessionId = sessionOf(caller)
    const account = await findAccount(database, caller.accountId)
    if (account === undefined) throw problem('unauthorized')
    await requireRecentSignIn(service, { account, sessionId, currentPassword, address, now })
    const passkeys = await listPasskeyRows(database, account.id)
    if (passkeys.length >= maxPasskeys) throw problem('too_many_passkeys')
    const challenge = await keepChallenge(database, random, { sessionId, now })
    return {
      publicKey: {
        rp: { id, name },
        user: {
          id: userHandleOf(account),
          name: account.email,
          displayName: `${account.name} ${account.lname}`.trim(),
        },
        challenge: challenge.toString('base64url'),
        pubKeyCredParams: algorithms.map((alg) => ({ type: 'public-key' as const, alg })),
        timeout: challengeLifetimeMs,
        // The same authenticator makes no second one.
        excludeCredentials: passkeys.map(describePasskey),
        authenticatorSelection: {
          residentKey: 'required' as const,
          requireResidentKey: true as const,
          userVerification: 'required' as const,
        },
        attestation: 'none' as const,
      },
    }
  })
}
