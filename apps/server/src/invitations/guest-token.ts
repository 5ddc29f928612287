import { timingSafeEqual } from 'node:crypto'
import type { Encryption } from '../platform/encryption.ts'

/** The purpose of a link in a mail, or of an address. */
type GuestLink = 'answer link' | 'reminder stop link' | 'reply address' | 'answer digest link'

/**
 * The person to whom a mail goes, and what the link is about: `subjectId` is the id of a meeting, or of the host's
 * account in a digest. `occurrence` is the original start of an occurrence of the meeting; absent: all of it.
 */
type Recipient = { subjectId: string; addressKey: string; occurrence?: Date | undefined }
type Guest = { meetingId: string; addressKey: string }

/** 144 bits: unguessable, and the link still fits a line. */
const tokenBytes = 18

/**
 * Compute the token that proves receipt of a mail. It is bound to the link's purpose, its subject and the address, so
 * that every mail about the subject carries the same one, and links of older mails keep working. It gives no access to
 * the meeting or the account.
 */
export const guestToken = (encryption: Encryption, link: GuestLink, recipient: Recipient): string =>
  macOf(encryption, link, recipient).toString('base64url')

/** Find the person to whom a token belongs. Links do not contain the address itself, because logs would show it. */
export function personOfToken<Person extends { addressKey: string }>(
  encryption: Encryption,
  link: GuestLink,
  { subjectId, token, occurrence }: { subjectId: string; token: string; occurrence?: Date | undefined },
  people: readonly Person[],
): Person | undefined {
  const sent = Buffer.from(token, 'base64url')
  if (sent.length !== tokenBytes) return undefined
  return people.find(({ addressKey }) =>
    timingSafeEqual(sent, macOf(encryption, link, { subjectId, addressKey, occurrence })),
  )
}

/** 144 bits in base32hex (RFC 4648, 7). */
const replyTokenLength = 29

/** A token in an address: shorter than a hexadecimal one, and mail programs may change its case. */
const replyTokenOf = (encryption: Encryption, { meetingId, addressKey }: Guest) =>
  BigInt(`0x${macOf(encryption, 'reply address', { subjectId: meetingId, addressKey }).toString('hex')}`)
    .toString(32)
    .padStart(replyTokenLength, '0')

/** The address that takes one guest's answers about one meeting: `rsvp+TOKEN@meet.example.org`. */
export function guestReplyAddress(encryption: Encryption, replyAddress: string, guest: Guest): string {
  const at = replyAddress.indexOf('@')
  return `${replyAddress.slice(0, at)}+${replyTokenOf(encryption, guest)}${replyAddress.slice(at)}`
}

/** Whether one of the addresses that a mail was sent to has this guest's token. */
export function isGuestReplyAddressAmong(encryption: Encryption, recipients: readonly string[], guest: Guest): boolean {
  const expected = Buffer.from(replyTokenOf(encryption, guest))
  return recipients.some((recipient) => {
    const sent = Buffer.from(/\+([0-9a-v]{29})@/i.exec(recipient)?.[1]?.toLowerCase() ?? '')
    return sent.length === expected.length && timingSafeEqual(sent, expected)
  })
}

const macOf = (encryption: Encryption, link: GuestLink, { subjectId, addressKey, occurrence }: Recipient) => {
  const named = occurrence === undefined ? [subjectId, addressKey] : [subjectId, addressKey, occurrence.toISOString()]
  return encryption.mac(link, JSON.stringify(named)).subarray(0, tokenBytes)
}
