import { openAccountSecrets } from '../../accounts/account/account-secrets.ts'
import { openSecrets } from '../../meetings/secrets/meeting-secrets.ts'
import type { SealedBox } from '../../platform/sealed-box.ts'
import type { DoorRow } from './door-row.ts'

export type DoorSecrets = {
  pin: string
  /** Each makes its bearer the host. An own room has neither. */
  roomKey: string | undefined
  hostPin: string | undefined
}

export function openDoorSecrets(box: SealedBox, { kind, id, host, sealedSecrets }: DoorRow): DoorSecrets {
  if (kind === 'meeting') return openSecrets(box, { id, sealedSecrets })
  const { roomPin } = openAccountSecrets(box, { id: host.id, sealedSecrets })
  return { pin: roomPin, roomKey: undefined, hostPin: undefined }
}
