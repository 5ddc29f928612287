import type { Encryption } from '../platform/encryption.ts'

/** The UID of a meeting in mails, feeds and files, constant for its life (RFC 5545, 3.8.4.7). */
export const calendarUid = (meetingId: string, baseUrl: string) => `${meetingId}@${hostOf(baseUrl)}`

/**
 * The Message-ID of an email: the same at every attempt, so that mail programs show duplicates once, and different for
 * each recipient, so that it reveals nothing about the others.
 */
export function emailMessageId(
  encryption: Encryption,
  baseUrl: string,
  email: { mailId: string; addressKey: string },
): string {
  const mac = encryption.mac('letter message id', JSON.stringify([email.mailId, email.addressKey]))
  return `<${email.mailId}.${mac.subarray(0, 9).toString('hex')}@${hostOf(baseUrl)}>`
}

/** An IPv6 address is in brackets, which are valid in a UID and in our Message-IDs. */
const hostOf = (baseUrl: string) => new URL(baseUrl).hostname
