import type { Database } from '../../platform/database/database.ts'
import type { Encryption } from '../../platform/encryption.ts'
import { privateKeyBytes, type ReceiverKeys } from './push-message.ts'
import { findOrInsertPushKey } from './push-store.ts'

const keyPurpose = 'push key'
const receiverPurpose = 'push receiver'

/**
 * Find the private key of the service, which is made when it is first needed and then never changes: browsers make
 * subscriptions for this key alone. It is derived from the secret key, and thus the same again after a restore of a backup
 * that has none yet.
 */
export async function findPushKey(database: Database, encryption: Encryption): Promise<Buffer> {
  const encrypted = await findOrInsertPushKey(database, () =>
    encryption.encrypt(encryption.derive(keyPurpose, privateKeyBytes).toString('base64url'), keyPurpose),
  )
  return Buffer.from(encryption.decrypt(encrypted, keyPurpose), 'base64url')
}

/** Where messages to a browser go, and how they are encrypted. */
type Receiver = ReceiverKeys & { endpoint: string }

/** Encrypt a receiver for one subscription. In the row of another subscription, it cannot be decrypted. */
export const encryptReceiver = (encryption: Encryption, { endpoint, p256dh, auth }: Receiver, id: string): Buffer =>
  encryption.encrypt(
    JSON.stringify({ endpoint, p256dh: p256dh.toString('base64url'), auth: auth.toString('base64url') }),
    receiverPurpose,
    id,
  )

export function decryptReceiver(encryption: Encryption, encrypted: Buffer, id: string): Receiver {
  const { endpoint, p256dh, auth } = JSON.parse(encryption.decrypt(encrypted, receiverPurpose, id))
  return { endpoint, p256dh: Buffer.from(p256dh, 'base64url'), auth: Buffer.from(auth, 'base64url') }
}
