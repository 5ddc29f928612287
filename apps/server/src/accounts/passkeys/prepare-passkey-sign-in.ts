import { preparePasskeySignIn } from '@parley/contract'
import { networkOf } from '../../access/network.ts'
import type { AccountsService } from '../accounts-service.ts'
import { challengeLifetimeMs, keepChallenge } from './passkey-challenge-store.ts'
import { relyingPartyOf } from './relying-party.ts'

/** Nobody says who they are: the authenticator offers the passkeys it has, so nothing here tells who has one. */
export function servePreparePasskeySignIn({ serve, clock, random, config, attemptLimits }: AccountsService) {
  const { id: rpId } = relyingPartyOf(config)
  serve(preparePasskeySignIn, async ({ request, database }) => {
    await attemptLimits.count('challengesOfNetwork', networkOf(request.address))
    const challenge = await keepChallenge(database, random, { sessionId: null, now: clock.now() })
    return {
      publicKey: {
        rpId,
        challenge: challenge.toString('base64url'),
        timeout: challengeLifetimeMs,
        userVerification: 'required' as const,
        allowCredentials: [],
      },
    }
  })
}
