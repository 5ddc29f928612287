import { decryptAccountSecrets } from '../../accounts/account/account-secrets.ts'
import { decryptSecrets } from '../../meetings/secrets/meeting-secrets.ts'
import type { Encryption } from '../../platform/encryption.ts'
import type { MeetingForEntry } from './meeting-for-entry.ts'

export type EntrySecrets = {
  pin: string
  /** Host key and host PIN each make their bearer the host. An own room has neither. */
  hostKey: string | undefined
  hostPin: string | undefined
}

export function decryptEntrySecrets(
  encryption: Encryption,
  { kind, id, host, sealedSecrets }: MeetingForEntry,
): EntrySecrets {
  if (kind === 'meeting') {
    const { pin, roomKey: hostKey, hostPin } = decryptSecrets(encryption, { id, sealedSecrets })
    return { pin, hostKey, hostPin }
  }
  const { roomPin } = decryptAccountSecrets(encryption, { id: host.id, sealedSecrets })
  return { pin: roomPin, hostKey: undefined, hostPin: undefined }
}
