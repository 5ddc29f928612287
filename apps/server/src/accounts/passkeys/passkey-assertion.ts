import { type BodyOf, type Passkey, preparePasskeyConfirmation, type signInWithPasskey } from '@parley/contract'
import { audit } from '../../access/audit.ts'
import { networkOf } from '../../access/network.ts'
import type { Config } from '../../platform/config/config.ts'
import { type Database, inTransaction, type Tx } from '../../platform/database/database.ts'
import { problem } from '../../platform/http/problem.ts'
import type { AccountRow } from '../account/account-store.ts'
import type { Dependencies } from '../dependencies.ts'
import { sessionOf } from '../sessions/sessions.ts'
import {
  challengeLifetimeMs,
  consumeChallenge,
  createChallenge,
  findPasskey,
  listPasskeyRows,
  lockPasskey,
  type PasskeyRow,
  recordPasskeyUse,
  suspectPasskey,
} from './passkey-store.ts'

/** Create a challenge that only this session can use, for the caller's own passkeys. */
export function registerPasskeyConfirmation({ serve, clock, random, config, attemptLimits }: Dependencies) {
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

type PasskeyConfirmation = {
  account: AccountRow
  sessionId: string
  credential: PasskeyCredential
  address: string
  now: Date
}

/**
 * Require that one of the account's passkeys has signed a challenge of this session.
 * @throws wrong_passkey
 */
export async function confirmByPasskey(
  database: Database,
  service: Dependencies,
  { account, sessionId, credential, address, now }: PasskeyConfirmation,
): Promise<void> {
  const { passkey, use } = await verifyPasskey(database, service, { credential, sessionId, now })
  if (passkey.accountId !== account.id) throw problem('wrong_passkey')
  const isConfirmed = await inTransaction(database, async (tx) => {
    const locked = await lockPasskey(tx, passkey.id)
    if (locked === undefined || locked.suspectedAt !== null) return false
    return countPasskeyUse(tx, service, locked, { ...use, account, address, now })
  })
  if (!isConfirmed) throw problem('wrong_passkey')
}

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
  { config }: Dependencies,
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
  // Loaded at the first use (test/source/lazy-packages.test.ts).
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
  { random }: Dependencies,
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

export const viewPasskey = (passkey: PasskeyRow): Passkey => ({
  _id: passkey.id,
  name: passkey.name,
  createdOn: passkey.createdAt.toISOString(),
  lastUsedOn: passkey.lastUsedAt?.toISOString() ?? null,
  synced: passkey.synced,
  suspectedOn: passkey.suspectedAt?.toISOString() ?? null,
})

/** A PublicKeyCredentialDescriptor (WebAuthn Level 3, 5.8.3). */
export const describePasskey = ({ credentialId, transports }: PasskeyRow) => ({
  id: credentialId.toString('base64url'),
  type: 'public-key' as const,
  transports,
})

/** PublicKeyCredentialRequestOptions (WebAuthn Level 3, 5.5). Without passkeys, the authenticator offers its own. */
export const viewRequestOptions = (rpId: string, challenge: Buffer, passkeys: readonly PasskeyRow[]) => ({
  publicKey: {
    rpId,
    challenge: challenge.toString('base64url'),
    timeout: challengeLifetimeMs,
    userVerification: 'required' as const,
    allowCredentials: passkeys.map(describePasskey),
  },
})

/**
 * Read the challenge from client data (WebAuthn Level 3, 5.8.1), to find it. Its signature is verified later with the
 * response. Undefined for malformed client data.
 */
export function readSignedChallenge(clientDataJson: string): string | undefined {
  try {
    const { challenge } = Object(JSON.parse(Buffer.from(clientDataJson, 'base64url').toString('utf8')))
    return typeof challenge === 'string' ? challenge : undefined
  } catch {
    return undefined
  }
}

/** The relying party of passkeys (WebAuthn Level 3, 4): the host of BASE_URL, not the Host header. */
export type RelyingParty = { id: string; name: string; origin: string }

export const relyingPartyOf = ({ baseUrl }: Pick<Config, 'baseUrl'>): RelyingParty => ({
  id: new URL(baseUrl).hostname,
  name: 'Parley',
  origin: baseUrl,
})

/** EdDSA, ES256 and RS256 (RFC 9053): every authenticator supports one of them. */
export const algorithms = [-8, -7, -257]

/** The user handle (WebAuthn Level 3, 5.4.3): the account's id, which reveals nothing about the person. */
export const userHandleOf = (account: { id: string }): string =>
  Buffer.from(account.id.replaceAll('-', ''), 'hex').toString('base64url')
