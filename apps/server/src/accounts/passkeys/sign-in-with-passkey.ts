import { type BodyOf, signInWithPasskey } from '@parley/contract'
import { verifyAuthenticationResponse } from '@simplewebauthn/server'
import { audit } from '../../access/audit.ts'
import type { Ask } from '../../access/serve.ts'
import { isAddressTrusted } from '../../access/trusted-address.ts'
import { inTransaction } from '../../platform/database/database.ts'
import { problem } from '../../platform/http/problem.ts'
import type { Tx } from '../../tables/tables.ts'
import { type AccountRow, holdAccount } from '../account/account-store.ts'
import type { AccountsService } from '../accounts-service.ts'
import { beginSession } from '../sessions/begin-session.ts'
import { useChallenge } from './passkey-challenge-store.ts'
import { findPasskey, lockPasskey, type PasskeyRow, suspectPasskey, usePasskey } from './passkey-store.ts'
import { relyingPartyOf, userHandleOf } from './relying-party.ts'
import { challengeIn } from './signed-challenge.ts'

export type PasskeyCredential = BodyOf<typeof signInWithPasskey>['credential']

export function serveSignInWithPasskey(service: AccountsService) {
  const { serve, clock, sessionCookie } = service
  serve(signInWithPasskey, async ({ body: { credential }, request, answer }) => {
    const session = await signInByPasskey(service, { credential, request, now: clock.now() })
    answer.header('set-cookie', sessionCookie.set(session.token))
    return session
  })
}

export type PasskeySignIn = {
  credential: PasskeyCredential
  request: Pick<Ask<typeof signInWithPasskey>['request'], 'address' | 'userAgent' | 'acceptLanguage'>
  now: Date
}

/**
 * Signs somebody in by what their passkey has answered, and does `also` in the transaction that begins the session. A
 * passkey proves possession and, by the device's own lock, the person: there is no second step.
 * @throws wrong_passkey, email_not_verified
 */
export async function signInByPasskey(
  service: AccountsService,
  { credential, request, now }: PasskeySignIn,
  also: (tx: Tx, account: AccountRow) => Promise<void> = async () => {},
) {
  const { database } = service
  const challenge = challengeIn(credential.response.clientDataJSON) ?? ''
  if (!(await useChallenge(database, challenge, { sessionId: null, now }))) throw problem('wrong_passkey')
  const passkey = await findPasskey(database, Buffer.from(credential.id, 'base64url'))
  if (passkey === undefined) throw problem('wrong_passkey')
  const use = await verify(service, passkey, { credential, challenge })

  const session = await beginSessionBy(service, passkey, { ...use, request, now, also })
  if (session === undefined) throw problem('wrong_passkey')
  return session
}

/**
 * WebAuthn, 7.2. The counter is judged later, under a lock: handed in as 0, the library takes any.
 * @throws wrong_passkey for whatever is wrong
 */
async function verify(
  { config }: AccountsService,
  { accountId, credentialId, publicKey }: PasskeyRow,
  { credential, challenge }: { credential: PasskeyCredential; challenge: string },
) {
  const { id, rawId, type, clientExtensionResults, response } = credential
  const { clientDataJSON, authenticatorData, signature, userHandle } = response
  if (userHandle && userHandle !== userHandleOf({ id: accountId })) throw problem('wrong_passkey')
  const party = relyingPartyOf(config)
  const { verified, authenticationInfo } = await verifyAuthenticationResponse({
    response: { id, rawId, type, clientExtensionResults, response: { clientDataJSON, authenticatorData, signature } },
    expectedChallenge: challenge,
    expectedOrigin: party.origin,
    expectedRPID: party.id,
    credential: { id: credentialId.toString('base64url'), publicKey: new Uint8Array(publicKey), counter: 0 },
    requireUserVerification: true,
  }).catch(() => {
    throw problem('wrong_passkey')
  })
  if (!verified) throw problem('wrong_passkey')
  return { counter: authenticationInfo.newCounter, synced: authenticationInfo.credentialBackedUp }
}

type Use = Omit<PasskeySignIn, 'credential'> & {
  counter: number
  synced: boolean
  also: (tx: Tx, account: AccountRow) => Promise<void>
}

/** Undefined when the passkey opens nothing; what was learned of it on the way is kept all the same. */
function beginSessionBy(service: AccountsService, { id }: PasskeyRow, { counter, synced, now, request, also }: Use) {
  const { database, random, config } = service
  return inTransaction(database, async (tx) => {
    const passkey = await lockPasskey(tx, id)
    const account = passkey && (await holdAccount(tx, passkey.accountId))
    if (passkey === undefined || account === undefined) return undefined
    if (account.disabledAt !== null || passkey.suspectedAt !== null) return undefined
    if (!isAddressTrusted(account, config)) throw problem('email_not_verified')
    // Only what was copied says a number that was said before; 0 says that there is no counter (WebAuthn, 6.1.1).
    if ((counter !== 0 || passkey.counter !== 0) && counter <= passkey.counter) {
      await suspectPasskey(tx, id, now)
      const entry = { tenantId: account.tenantId, actorId: null, subjectId: account.id }
      const detail = { passkeyId: id, name: passkey.name, kept: passkey.counter, said: counter }
      await audit(tx, random, now, { ...entry, action: 'passkey.suspected', detail, address: request.address })
      return undefined
    }
    await usePasskey(tx, id, { counter, synced, now })
    await also(tx, account)
    return beginSession(tx, service, account, { request, now, by: 'passkey' })
  })
}
