import { openAccountSecrets } from '../accounts/account-secrets.ts'
import { openSecrets } from '../meetings/meeting-secrets.ts'
import type { SealedBox } from '../platform/sealed-box.ts'
import type { DoorRow } from './door-store.ts'

export type DoorSecrets = {
  pin: string
  /** Each makes its bearer the host: the host's key and the host's PIN. An own room has none. */
  ofHost: readonly string[]
}

export function openDoorSecrets(box: SealedBox, { kind, host, sealedSecrets }: DoorRow): DoorSecrets {
  if (kind === 'own_room') return { pin: openAccountSecrets(box, { id: host.id, sealedSecrets }).roomPin, ofHost: [] }
  const { pin, roomKey, hostPin } = openSecrets(box, sealedSecrets)
  return { pin, ofHost: [roomKey, hostPin] }
}
