import { preparePasskeySignIn } from '@parley/contract'
import { networkOf } from '../../access/network.ts'
import type { AccountsService } from '../accounts-service.ts'
import { createChallenge } from './passkey-challenge-store.ts'
import { viewRequestOptions } from './passkey-view.ts'
import { relyingPartyOf } from './relying-party.ts'

/**
 * Create a challenge for a sign-in. No account is named: the authenticator offers its passkeys, so the reply reveals no
 * accounts.
 */
export function servePreparePasskeySignIn({ serve, clock, random, config, attemptLimits }: AccountsService) {
  const { id: rpId } = relyingPartyOf(config)
  serve(preparePasskeySignIn, {
    handle: async ({ request, database }) => {
      await attemptLimits.countOrRefuse('challengesOfNetwork', networkOf(request.address))
      const challenge = await createChallenge(database, random, { sessionId: null, now: clock.now() })
      return viewRequestOptions(rpId, challenge, [])
    },
  })
}
