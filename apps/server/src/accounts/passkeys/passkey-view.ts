import type { Passkey } from '@parley/contract'
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
