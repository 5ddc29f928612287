import { newPin } from '../accounts/pin.ts'
import type { Random } from '../platform/random.ts'
import type { SealedBox } from '../platform/sealed-box.ts'

export type MeetingSecrets = {
  pin: string
  /** Makes its bearer the host. */
  roomKey: string
  /** The host's PIN where only digits can be typed: a phone, a room system. */
  hostPin: string
}

const purpose = 'meeting secrets'

export const newMeetingSecrets = (random: Random): MeetingSecrets => ({
  pin: newPin(random),
  roomKey: random.bytes(32).toString('base64url'),
  hostPin: String(random.below(100_000_000)).padStart(8, '0'),
})

export const sealSecrets = (box: SealedBox, secrets: MeetingSecrets) => box.seal(JSON.stringify(secrets), purpose)

export const openSecrets = (box: SealedBox, sealed: Buffer): MeetingSecrets => JSON.parse(box.open(sealed, purpose))
