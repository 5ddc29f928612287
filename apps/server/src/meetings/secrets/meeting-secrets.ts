import { newPin } from '../../accounts/account/access-codes.ts'
import type { Encryption } from '../../platform/encryption.ts'
import type { Random } from '../../platform/random.ts'

type MeetingSecrets = {
  pin: string
  /** Makes its bearer the host. */
  roomKey: string
  /** The host PIN, for devices with digits only, such as phones and room systems. */
  hostPin: string
}

const purpose = 'meeting secrets'

export const newMeetingSecrets = (random: Random): MeetingSecrets => ({
  pin: newPin(random),
  roomKey: random.bytes(32).toString('base64url'),
  hostPin: String(random.below(100_000_000)).padStart(8, '0'),
})

/** Encrypted secrets are bound to the meeting, so that copying one meeting's row to another does not disclose them. */
export const encryptSecrets = (encryption: Encryption, meetingId: string, secrets: MeetingSecrets): Buffer =>
  encryption.encrypt(JSON.stringify(secrets), purpose, meetingId)

export const decryptSecrets = (
  encryption: Encryption,
  meeting: { id: string; sealedSecrets: Buffer },
): MeetingSecrets => JSON.parse(encryption.decrypt(meeting.sealedSecrets, purpose, meeting.id))
