import { preparePasskey } from '@parley/contract'
import { problem } from '../../platform/http/problem.ts'
import { findAccount } from '../account/account-store.ts'
import type { AccountsService } from '../accounts-service.ts'
import { sessionOf } from '../sessions/own-session.ts'
import { requireRecentSignIn } from '../sign-in/recent-sign-in.ts'
import { challengeLifetimeMs, createChallenge } from './passkey-challenge-store.ts'
import { listPasskeyRows, maxPasskeys } from './passkey-store.ts'
import { describePasskey } from './passkey-view.ts'
import { algorithms, relyingPartyOf, userHandleOf } from './relying-party.ts'

/** Create a challenge to add a passkey. A passkey gives lasting access, so a recent sign-in is required. */
export function servePreparePasskey(service: AccountsService) {
  const { serve, clock, random, config } = service
  const { id, name } = relyingPartyOf(config)
  serve(preparePasskey, {
    handle: async ({ caller, body: { currentPassword }, request: { address }, database }) => {
      const now = clock.now()
      const sessionId = sessionOf(caller)
      const account = await findAccount(database, caller.accountId)
      if (account === undefined) throw problem('unauthorized')
      await requireRecentSignIn(database, service, { account, sessionId, currentPassword, address, now })
      const passkeys = await listPasskeyRows(database, account.id)
      if (passkeys.length >= maxPasskeys) throw problem('too_many_passkeys')
      const challenge = await createChallenge(database, random, { sessionId, now })
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
          // Prevents a second passkey on the same authenticator.
          excludeCredentials: passkeys.map(describePasskey),
          authenticatorSelection: {
            residentKey: 'required' as const,
            requireResidentKey: true as const,
            userVerification: 'required' as const,
          },
          attestation: 'none' as const,
        },
      }
    },
  })
}
