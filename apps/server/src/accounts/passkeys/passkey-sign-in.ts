import { preparePasskeySignIn, signInWithPasskey } from '@parley/contract'
import { networkOf } from '../../access/network.ts'
import type { HandlerContext } from '../../access/serve.ts'
import { isAddressTrusted } from '../../access/trusted-address.ts'
import { type Database, inTransaction, type Tx } from '../../platform/database/database.ts'
import { problem } from '../../platform/http/problem.ts'
import { type AccountRow, lockAccountForShare } from '../account/account-store.ts'
import type { Dependencies } from '../dependencies.ts'
import { beginSession } from '../sessions/sessions.ts'
import {
  countPasskeyUse,
  type PasskeyCredential,
  type PasskeyUse,
  relyingPartyOf,
  verifyPasskey,
  viewRequestOptions,
} from './passkey-assertion.ts'
import { createChallenge, lockPasskey, type PasskeyRow } from './passkey-store.ts'

/** Register the endpoints of signing in with a passkey. */
export function registerPasskeySignIn(dependencies: Dependencies): void {
  servePreparePasskeySignIn(dependencies)
  serveSignInWithPasskey(dependencies)
}

/**
 * Create a challenge for a sign-in. No account is named: the authenticator offers its passkeys, so the reply reveals no
 * accounts.
 */
function servePreparePasskeySignIn({ serve, clock, random, config, attemptLimits }: Dependencies) {
  const { id: rpId } = relyingPartyOf(config)
  serve(preparePasskeySignIn, {
    handle: async ({ request, database }) => {
      await attemptLimits.countOrRefuse('challengesOfNetwork', networkOf(request.address))
      const challenge = await createChallenge(database, random, { sessionId: null, now: clock.now() })
      return viewRequestOptions(rpId, challenge, [])
    },
  })
}

function serveSignInWithPasskey(service: Dependencies) {
  const { serve, clock, sessionCookie } = service
  serve(signInWithPasskey, {
    handle: async ({ body: { credential }, request, answer, database }) => {
      const session = await signInByPasskey(database, service, { credential, request, now: clock.now() })
      answer.header('set-cookie', sessionCookie.set(session.token))
      return session
    },
  })
}

type PasskeySignIn = {
  credential: PasskeyCredential
  request: Pick<HandlerContext<typeof signInWithPasskey>['request'], 'address' | 'userAgent' | 'acceptLanguage'>
  now: Date
}

/**
 * Sign in by a passkey assertion, and run `onSignIn` in the transaction that begins the session. A passkey proves
 * possession and, by the device's lock, the person: there is no second factor.
 * @throws wrong_passkey, email_not_verified
 */
export async function signInByPasskey(
  database: Database,
  service: Dependencies,
  { credential, request, now }: PasskeySignIn,
  onSignIn: (tx: Tx, account: AccountRow) => Promise<void> = async () => {},
) {
  const { passkey, use } = await verifyPasskey(database, service, { credential, sessionId: null, now })
  const session = await beginSessionBy(database, service, passkey, { ...use, request, now, onSignIn })
  if (session === undefined) throw problem('wrong_passkey')
  return session
}

type Use = Omit<PasskeySignIn, 'credential'> &
  PasskeyUse & {
    onSignIn: (tx: Tx, account: AccountRow) => Promise<void>
  }

/**
 * Begin the session; undefined when the passkey is refused. What the use revealed about the passkey is committed in
 * either case.
 */
function beginSessionBy(
  database: Database,
  service: Dependencies,
  { id }: PasskeyRow,
  { counter, synced, now, request, onSignIn }: Use,
) {
  const { config } = service
  return inTransaction(database, async (tx) => {
    const passkey = await lockPasskey(tx, id)
    const account = passkey && (await lockAccountForShare(tx, passkey.accountId))
    if (passkey === undefined || account === undefined) return undefined
    if (account.disabledAt !== null || passkey.suspectedAt !== null) return undefined
    if (!isAddressTrusted(account, config)) throw problem('email_not_verified')
    const use = { counter, synced, account, address: request.address, now }
    if (!(await countPasskeyUse(tx, service, passkey, use))) return undefined
    await onSignIn(tx, account)
    return beginSession(tx, service, account, { request, now, by: 'passkey' })
  })
}
