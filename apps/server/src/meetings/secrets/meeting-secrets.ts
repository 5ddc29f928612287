import { newPin } from '../../accounts/account/pin.ts'
import type { Encryption } from '../../platform/encryption.ts'
import type { Random } from '../../platform/random.ts'

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

/** Bound to the meeting, so that writing one meeting's row over another's does not disclose its secrets. */
export const encryptSecrets = (encryption: Encryption, meetingId: string, secrets: MeetingSecrets): Buffer =>
  encryption.encrypt(JSON.stringify(secrets), purpose, meetingId)

export const openSecrets = (encryption: Encryption, meeting: { id: string; sealedSecrets: Buffer }): MeetingSecrets =>
  JSON.parse(encryption.decrypt(meeting.sealedSecrets, purpose, meeting.id))
