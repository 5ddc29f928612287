import type { ParsedMail } from 'mailparser'
import { type CalendarReply, readCalendarReply } from './read-calendar-reply.ts'

/** What a mail answers; all else of it is not looked at. */
export type ReplyMail = {
  from: string
  replies: readonly [CalendarReply, ...CalendarReply[]]
  /** The values of its header Authentication-Results, from the top. */
  authenticationResults: readonly string[]
}

/** Why a mail is no answer; the value of a label of a metric. */
export type MailRefusal = 'too-large' | 'unreadable' | 'automatic' | 'looping' | 'other-mail' | 'no-answer'

/** A calendar program's answer has up to six. */
const maxParts = 50
/** Of each part. The parser's work on addresses grows faster than their number. */
const maxHeaderBytes = 64 * 1024
/** A mail that has passed more servers goes in circles (Postfix: hopcount_limit). */
const maxHops = 50
/** An answer with the description of the meeting, several times. */
const maxCalendarBytes = 128 * 1024

const calendarTypes = new Set(['text/calendar', 'application/ics'])

/** Enough for the headers of one's own mail server, which stand first. */
const maxAuthenticationResults = 10
const maxAuthenticationResultsLength = 8 * 1024

/**
 * Read the answer in a mail, in the thread of mail-reader.ts. Nothing is taken from its text.
 */
export async function readReplyMail(content: Buffer): Promise<ReplyMail | MailRefusal> {
  const mail = await parse(content)
  if (mail === undefined) return 'unreadable'
  if (isAutomatic(mail)) return 'automatic'
  if (mail.headerLines.filter(({ key }) => key === 'received').length > maxHops) return 'looping'
  const [sender, ...others] = mail.from?.value ?? []
  // Programs disagree about which of several senders they show.
  const isFromOne = others.length === 0 && mail.headerLines.filter(({ key }) => key === 'from').length === 1
  const calendar = mail.attachments.find(({ contentType }) => calendarTypes.has(contentType.toLowerCase()))
  if (!isFromOne || sender?.address === undefined || calendar === undefined) return 'other-mail'
  if (calendar.size > maxCalendarBytes) return 'too-large'
  const [first, ...rest] = (await readCalendarReply(calendar.content.toString('utf8'), sender.address)) ?? []
  if (first === undefined) return 'no-answer'
  return { from: sender.address, replies: [first, ...rest], authenticationResults: authenticationResultsOf(mail) }
}

const authenticationResultsOf = ({ headerLines }: ParsedMail): string[] =>
  headerLines
    .filter(({ key }) => key === 'authentication-results')
    .slice(0, maxAuthenticationResults)
    .map(({ line }) => cutToMethods(line.slice(line.indexOf(':') + 1)))

/**
 * A header that is too long keeps its place above those that may have come with the mail. It is cut between two
 * methods, because a part of a domain is another domain.
 */
const cutToMethods = (header: string): string =>
  header.length <= maxAuthenticationResultsLength
    ? header
    : header.slice(0, header.lastIndexOf(';', maxAuthenticationResultsLength - 1) + 1)

/** The parser hands the last three to its splitter, which its declared type does not say. */
const parserOptions = {
  skipHtmlToText: true,
  skipTextToHtml: true,
  skipTextLinks: true,
  skipImageLinks: true,
  keepDeliveryStatus: true,
  ignoreEmbedded: true,
  maxHeadSize: maxHeaderBytes,
  maxChildNodes: maxParts,
}

/** Loaded by the first mail (docs/decisions/0106). */
async function parse(content: Buffer): Promise<ParsedMail | undefined> {
  const { simpleParser } = await import('mailparser')
  try {
    return await simpleParser(content, parserOptions)
  } catch {
    return undefined
  }
}

/**
 * Reports (RFC 3464, 8098), and answers that a person did not give (RFC 3834, 5). `auto-generated` is not among them:
 * calendar services send the answers of people with it.
 */
function isAutomatic({ headers, headerLines }: ParsedMail): boolean {
  const type = headers.get('content-type')
  const isReport = typeof type === 'object' && 'value' in type && type.value === 'multipart/report'
  const submitted = String(headers.get('auto-submitted') ?? 'no').toLowerCase()
  const isBounce = headerLines.some(({ key, line }) => key === 'return-path' && /^return-path:\s*<>\s*$/i.test(line))
  return isReport || isBounce || /^auto-(?:replied|notified)\b/.test(submitted)
}
