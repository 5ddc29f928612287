import { decryptAccountSecrets } from '../../accounts/account/account-secrets.ts'
import { openSecrets } from '../../meetings/secrets/meeting-secrets.ts'
import type { Encryption } from '../../platform/encryption.ts'
import type { MeetingForEntry } from './meeting-for-entry.ts'

export type EntrySecrets = {
  pin: string
  /** Room key and host PIN each make their bearer the host. An own room has neither. */
  roomKey: string | undefined
  hostPin: string | undefined
}

export function decryptEntrySecrets(
  encryption: Encryption,
  { kind, id, host, sealedSecrets }: MeetingForEntry,
): EntrySecrets {
  if (kind === 'meeting') return openSecrets(encryption, { id, sealedSecrets })
  const { roomPin } = decryptAccountSecrets(encryption, { id: host.id, sealedSecrets })
  return { pin: roomPin, roomKey: undefined, hostPin: undefined }
}
