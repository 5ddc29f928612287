import { newPin } from '../../accounts/account/pin.ts'
import type { Random } from '../../platform/random.ts'
import type { SealedBox } from '../../platform/sealed-box.ts'

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
export const sealSecrets = (box: SealedBox, meetingId: string, secrets: MeetingSecrets): Buffer =>
  box.seal(JSON.stringify(secrets), purpose, meetingId)

export const openSecrets = (box: SealedBox, meeting: { id: string; sealedSecrets: Buffer }): MeetingSecrets =>
  JSON.parse(box.open(meeting.sealedSecrets, purpose, meeting.id))
