import type { BodyOf, signInWithPasskey } from '@parley/contract'
import { audit } from '../../access/audit.ts'
import type { Database, Tx } from '../../platform/database/database.ts'
import { problem } from '../../platform/http/problem.ts'
import type { AccountRow } from '../account/account-store.ts'
import type { AccountsService } from '../accounts-service.ts'
import { consumeChallenge } from './passkey-challenge-store.ts'
import { findPasskey, type PasskeyRow, recordPasskeyUse, suspectPasskey } from './passkey-store.ts'
import { relyingPartyOf, userHandleOf } from './relying-party.ts'
import { readSignedChallenge } from './signed-challenge.ts'

export type PasskeyCredential = BodyOf<typeof signInWithPasskey>['credential']

/** What an authenticator reports with each use. */
export type PasskeyUse = { counter: number; synced: boolean }

type Response = {
  credential: PasskeyCredential
  /** The session of the challenge; null for a sign-in. */
  sessionId: string | null
  now: Date
}

/**
 * Verify an authentication response (WebAuthn Level 3, 7.2), and consume its challenge. `countPasskeyUse` checks the
 * counter later, under a lock: with 0 as the stored counter, the library accepts any.
 * @throws wrong_passkey for any error
 */
export async function verifyPasskey(
  database: Database,
  { config }: AccountsService,
  { credential, sessionId, now }: Response,
): Promise<{ passkey: PasskeyRow; use: PasskeyUse }> {
  const { id, rawId, type, clientExtensionResults, response } = credential
  const { clientDataJSON, authenticatorData, signature, userHandle } = response
  const challenge = readSignedChallenge(clientDataJSON) ?? ''
  if (!(await consumeChallenge(database, challenge, { sessionId, now }))) throw problem('wrong_passkey')
  const passkey = await findPasskey(database, Buffer.from(id, 'base64url'))
  if (passkey === undefined) throw problem('wrong_passkey')
  if (userHandle && userHandle !== userHandleOf({ id: passkey.accountId })) throw problem('wrong_passkey')
  const party = relyingPartyOf(config)
  const { credentialId, publicKey } = passkey
  // Loaded at the first use (decision 0106).
  const { verifyAuthenticationResponse } = await import('@simplewebauthn/server')
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
  return { passkey, use: { counter: authenticationInfo.newCounter, synced: authenticationInfo.credentialBackedUp } }
}

type CountedUse = PasskeyUse & { account: AccountRow; address: string; now: Date }

/**
 * Record a use of a locked passkey; false when its counter indicates a cloned authenticator, which is then recorded as
 * well. Only a clone repeats a number; 0 means that the authenticator has no counter (WebAuthn Level 3, 6.1.1).
 */
export async function countPasskeyUse(
  tx: Tx,
  { random }: AccountsService,
  passkey: PasskeyRow,
  { counter, synced, account, address, now }: CountedUse,
): Promise<boolean> {
  if ((counter === 0 && passkey.counter === 0) || counter > passkey.counter) {
    await recordPasskeyUse(tx, passkey.id, { counter, synced, now })
    return true
  }
  await suspectPasskey(tx, passkey.id, now)
  const entry = { tenantId: account.tenantId, actorId: null, subjectId: account.id }
  const detail = { passkeyId: passkey.id, name: passkey.name, kept: passkey.counter, said: counter }
  await audit(tx, random, now, { ...entry, action: 'passkey.suspected', detail, address })
  return false
}
