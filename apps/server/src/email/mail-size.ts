import type { Mail } from './mail.ts'

/** The size of a mail to a guest: far below what mail servers refuse, and read on phones. */
export const maxMailBytes = 512 * 1024

/** The headers and boundaries of the parts, and all header lines but those that name mails of the same thread. */
const bytesOfOtherHeaders = 8 * 1024
/** `References: ` puts each on a line of its own. */
const bytesAround = 4

export const bytesOfHead = ({ messageId, references = [] }: Pick<Mail, 'messageId' | 'references'>): number =>
  bytesOfOtherHeaders + (references.length + 2) * (Buffer.byteLength(messageId) + bytesAround)

/** RFC 2045, 6.8: a line of 76 characters holds 57 octets. */
const base64 = { bytes: 57, lineBytes: 78 }
/** RFC 2045, 6.7: an encoded octet takes three, and at least 64 of the 76 characters of a line are used. */
const quoted = { octet: 3, lineBytes: 64, breakBytes: 3 }

/** What a text takes in a mail at most, by either transfer encoding that mails use. */
export function maxTransferBytes(text: string): number {
  const octets = Buffer.from(text)
  let plain = 0
  for (const octet of octets) if ((octet >= 0x20 && octet < 0x7f && octet !== 0x3d) || octet === 0x0d) plain++
  const quotedBytes = plain + (octets.length - plain) * quoted.octet
  const breaks = Math.ceil(quotedBytes / quoted.lineBytes) * quoted.breakBytes
  return Math.max(quotedBytes + breaks, Math.ceil(octets.length / base64.bytes) * base64.lineBytes)
}

/** The number of octets of text that fit into `transferBytes` in base64. */
export const maxBytesIn = (transferBytes: number): number =>
  Math.max(0, Math.floor(transferBytes / base64.lineBytes) * base64.bytes)
