import type { Passkey } from '@parley/contract'
import { challengeLifetimeMs } from './passkey-challenge-store.ts'
import type { PasskeyRow } from './passkey-store.ts'

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
