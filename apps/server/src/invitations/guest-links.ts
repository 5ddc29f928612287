import { timingSafeEqual } from 'node:crypto'
import type { InvitationResponse } from '@parley/contract'
import type { Encryption } from '../platform/encryption.ts'

/** The purpose of a link in an email. A link that stops emails has no generation and stays valid, because it only stops. */
type GuestLink = 'answer link' | 'reminder stop link' | 'answer digest link'

/**
 * The person to whom a mail goes, and what the link is about: `subjectId` is the id of a meeting, or of the host's
 * account in a digest. `occurrence` is the original start of an occurrence of the meeting; absent: all of it.
 * `replyGeneration` ends answer links together with reply addresses (access/credentials/reply-addresses.ts).
 */
type Recipient = {
  subjectId: string
  addressKey: string
  occurrence?: Date | undefined
  replyGeneration?: string
}

/** 144 bits: unguessable, and the link still fits a line. */
const tokenBytes = 18

/**
 * Compute the token that proves receipt of a mail. The token is bound to the link's purpose, its subject and the
 * address, so that every mail about the subject carries the same token, and links of older mails keep working. The
 * token gives no access to the meeting or the account.
 */
export const guestToken = (encryption: Encryption, link: GuestLink, recipient: Recipient): string =>
  macOf(encryption, link, recipient).toString('base64url')

/** Find the person to whom a token belongs. Links do not contain the address itself, because logs would show it. */
export function personOfToken<Person extends { addressKey: string; replyGeneration?: string }>(
  encryption: Encryption,
  link: GuestLink,
  { subjectId, token, occurrence }: { subjectId: string; token: string; occurrence?: Date | undefined },
  people: readonly Person[],
): Person | undefined {
  const sent = Buffer.from(token, 'base64url')
  if (sent.length !== tokenBytes) return undefined
  return people.find(({ addressKey, replyGeneration }) => {
    const recipient = { subjectId, addressKey, occurrence, ...(replyGeneration !== undefined && { replyGeneration }) }
    return timingSafeEqual(sent, macOf(encryption, link, recipient))
  })
}

const macOf = (encryption: Encryption, link: GuestLink, recipient: Recipient) => {
  const { subjectId, addressKey, occurrence, replyGeneration } = recipient
  const named = [
    subjectId,
    addressKey,
    ...(occurrence === undefined ? [] : [occurrence.toISOString()]),
    ...(replyGeneration === undefined ? [] : [replyGeneration]),
  ]
  return encryption.mac(link, JSON.stringify(named)).subarray(0, tokenBytes)
}

export const responsePath = '/answer/:meetingId/:token/:answer'
/** `start` is the original start of one occurrence, such as 20300107T090000Z. */
export const occurrenceResponsePath = '/answer/:meetingId/:token/:start/:answer'

type NamedAnswer = {
  meetingId: string
  token: string
  /** The original start of the occurrence that is answered; undefined: the meeting. */
  occurrence: Date | undefined
  answer: InvitationResponse
}

/** The path of a response link. The token is of the same meeting and occurrence. */
export const responseLinkPath = ({ meetingId, token, occurrence, answer }: NamedAnswer): string =>
  ['/answer', meetingId, encodeURIComponent(token), ...(occurrence ? [writeStart(occurrence)] : []), answer].join('/')

/** Read the start that `responseLinkPath` writes; undefined for any other text. */
export function readStart(text: string): Date | undefined {
  const start = new Date(text.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/, '$1-$2-$3T$4:$5:$6Z'))
  return !Number.isNaN(start.getTime()) && writeStart(start) === text ? start : undefined
}

const writeStart = (start: Date): string => start.toISOString().replaceAll(/[-:]|\.\d+/g, '')

export const reminderStopPath = '/reminders/:meetingId/:token'
export const reminderResumePath = `${reminderStopPath}/resume`

/** Write the link that stops reminders. GET asks for confirmation; POST, by the button or a mail program, stops them. */
export const reminderStopLink = (baseUrl: string, meetingId: string, token: string) =>
  `${baseUrl}/reminders/${meetingId}/${token}`

export const digestStopPath = '/digest/:accountId/:token'
export const digestResumePath = `${digestStopPath}/resume`

/** Write the link that switches the digest off. GET asks for confirmation; POST, by the button or a mail program, does it. */
export const digestStopLink = (baseUrl: string, accountId: string, token: string) =>
  `${baseUrl}/digest/${accountId}/${token}`

/**
 * Write the headers with which mail programs offer to unsubscribe by posting to the link (RFC 8058). Posting needs an
 * https address; with another address mail programs only open the page (RFC 2369).
 */
export const unsubscribeHeaders = (link: string): Record<string, string> => ({
  'List-Unsubscribe': `<${link}>`,
  ...(link.startsWith('https:') && { 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' }),
})

/**
 * The token in a reply address. 96 bits bind it to guest, meeting and generation; 64 bits show without the database that
 * this service has made it, so that mail from strangers is dropped unread. Written in base32hex (RFC 4648, 7), because
 * mail programs may change the case of an address; the token fits a local part.
 */
const bindingBytes = 12
const checkBytes = 8
const replyTokenLength = ((bindingBytes + checkBytes) * 8) / 5
const replyTokenPattern = /\+([0-9a-v]{32})@/gi

/** A guest's reply addresses of earlier generations are refused (access/credentials/reply-addresses.ts). */
type AnsweringGuest = { meetingId: string; addressKey: string; replyGeneration: string }

const bindingOf = (encryption: Encryption, { meetingId, addressKey, replyGeneration }: AnsweringGuest) =>
  encryption.mac('reply address', JSON.stringify([meetingId, addressKey, replyGeneration])).subarray(0, bindingBytes)

const checkOf = (encryption: Encryption, binding: Buffer) =>
  encryption.mac('reply address check', binding).subarray(0, checkBytes)

const writeBase32 = (bytes: Buffer) =>
  BigInt(`0x${bytes.toString('hex')}`)
    .toString(32)
    .padStart(replyTokenLength, '0')

function readBase32(token: string): Buffer {
  const number = [...token.toLowerCase()].reduce((sum, digit) => sum * 32n + BigInt(Number.parseInt(digit, 32)), 0n)
  return Buffer.from(number.toString(16).padStart((bindingBytes + checkBytes) * 2, '0'), 'hex')
}

/** The address that takes one guest's answers about one meeting: `rsvp+TOKEN@meet.example.org`. */
export function guestReplyAddress(encryption: Encryption, replyAddress: string, guest: AnsweringGuest): string {
  const at = replyAddress.indexOf('@')
  const binding = bindingOf(encryption, guest)
  const token = writeBase32(Buffer.concat([binding, checkOf(encryption, binding)]))
  return `${replyAddress.slice(0, at)}+${token}${replyAddress.slice(at)}`
}

/** Mails have a few recipients; tokens beyond this number are ignored. */
const maxTokens = 50

/** Find the tokens of this service in the recipients of an envelope or the header of a mail, without the database. */
export function findReplyTokens(encryption: Encryption, text: string): Buffer[] {
  const found: Buffer[] = []
  let compared = 0
  for (const [, token = ''] of text.matchAll(replyTokenPattern)) {
    compared += 1
    if (compared > maxTokens) break
    const bytes = readBase32(token)
    const [binding, check] = [bytes.subarray(0, bindingBytes), bytes.subarray(bindingBytes)]
    if (timingSafeEqual(check, checkOf(encryption, binding))) found.push(binding)
  }
  return found
}

/** Return whether one of the tokens is this guest's, of the current generation. */
export function isReplyTokenAmong(encryption: Encryption, tokens: readonly Buffer[], guest: AnsweringGuest): boolean {
  const binding = bindingOf(encryption, guest)
  return tokens.some((token) => timingSafeEqual(token, binding))
}
