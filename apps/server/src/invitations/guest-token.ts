import { timingSafeEqual } from 'node:crypto'
import type { Encryption } from '../platform/encryption.ts'

/** What a link in a mail lets its holder do. */
export type GuestLink = 'answer link' | 'reminder stop link'

/** 144 bits: nobody guesses one, and the link still fits a line. */
const tokenBytes = 18

/**
 * Proves that a person got a mail about a meeting: bound to what the link does, the meeting and the address, so that every
 * mail about the meeting carries the same, and an old one still works after an update. It opens nothing.
 */
export const guestToken = (
  encryption: Encryption,
  link: GuestLink,
  guest: { meetingId: string; addressKey: string },
): string => macOf(encryption, link, guest.meetingId, guest.addressKey).toString('base64url')

/** Whose token it is, of these people of the meeting. Links do not carry the address itself, which logs would show. */
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
