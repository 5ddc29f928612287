import { preparePasskeyConfirmation } from '@parley/contract'
import { networkOf } from '../../access/network.ts'
import { problem } from '../../platform/http/problem.ts'
import type { AccountsService } from '../accounts-service.ts'
import { sessionOf } from '../sessions/own-session.ts'
import { createChallenge } from './passkey-challenge-store.ts'
import { listPasskeyRows } from './passkey-store.ts'
import { viewRequestOptions } from './passkey-view.ts'
import { relyingPartyOf } from './relying-party.ts'

/** Create a challenge that only this session can use, for the caller's own passkeys. */
export function servePreparePasskeyConfirmation({ serve, clock, random, config, attemptLimits }: AccountsService) {
  const { id: rpId } = relyingPartyOf(config)
  serve(preparePasskeyConfirmation, {
    handle: async ({ caller, request, database }) => {
      await attemptLimits.countOrRefuse('challengesOfNetwork', networkOf(request.address))
      const passkeys = (await listPasskeyRows(database, caller.accountId)).filter(
        ({ suspectedAt }) => suspectedAt === null,
      )
      if (passkeys.length === 0) throw problem('passkey_not_found')
      const challenge = await createChallenge(database, random, { sessionId: sessionOf(caller), now: clock.now() })
      return viewRequestOptions(rpId, challenge, passkeys)
    },
  })
}
