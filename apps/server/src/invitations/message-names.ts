import type { Encryption } from '../platform/encryption.ts'

/** The UID of a meeting in every calendar that hears of it, by mail, feed or file: one for its life (RFC 5545, 3.8.4.7). */
export const calendarUid = (meetingId: string, baseUrl: string) => `${meetingId}@${hostOf(baseUrl)}`

/**
 * The Message-ID of one letter: the same at every try, so that readers who get it twice see one; nobody else's, so that
 * it tells nothing about other recipients.
 */
export function emailMessageId(
  encryption: Encryption,
  baseUrl: string,
  letter: { mailId: string; addressKey: string },
): string {
  const mac = encryption.mac('letter message id', JSON.stringify([letter.mailId, letter.addressKey]))
  return `<${letter.mailId}.${mac.subarray(0, 9).toString('hex')}@${hostOf(baseUrl)}>`
}

/** An IPv6 address stands in brackets, which neither a UID nor the form of our Message-IDs minds. */
const hostOf = (baseUrl: string) => new URL(baseUrl).hostname
