import { timingSafeEqual } from 'node:crypto'
import type { Encryption } from '../platform/encryption.ts'

/** The purpose of a link in a mail. */
type GuestLink = 'answer link' | 'reminder stop link'

/** 144 bits: unguessable, and the link still fits a line. */
const tokenBytes = 18

/**
 * Compute the token that proves receipt of a mail about a meeting. It is bound to the link's purpose, the meeting and
 * the address, so that every mail about the meeting carries the same one, and links of older mails keep working. It
 * gives no access to the meeting.
 */
export const guestToken = (
  encryption: Encryption,
  link: GuestLink,
  guest: { meetingId: string; addressKey: string },
): string => macOf(encryption, link, guest.meetingId, guest.addressKey).toString('base64url')

/** Find the person to whom a token belongs. Links do not contain the address itself, because logs would show it. */
export function personOfToken<Person extends { addressKey: string }>(
  encryption: Encryption,
  link: GuestLink,
  { meetingId, token }: { meetingId: string; token: string },
  people: readonly Person[],
): Person | undefined {
  const sent = Buffer.from(token, 'base64url')
  if (sent.length !== tokenBytes) return undefined
  return people.find(({ addressKey }) => timingSafeEqual(sent, macOf(encryption, link, meetingId, addressKey)))
}

const macOf = (encryption: Encryption, link: GuestLink, meetingId: string, addressKey: string) =>
  encryption.mac(link, JSON.stringify([meetingId, addressKey])).subarray(0, tokenBytes)
