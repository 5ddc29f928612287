import type { AddressObject, ParsedMail } from 'mailparser'

/** The parts of a mail that can hold an answer; all else is not looked at. */
type ReadMail = {
  from: string
  /** The addresses in its header. */
  recipients: readonly string[]
  calendar: string
}

/** Why a mail is no answer; the value of a label of a metric. */
type MailRefusal = 'too-large' | 'unreadable' | 'automatic' | 'looping' | 'other-mail'

/**
 * The answers of large organisations have logos and the whole invitation in them. Announced as SIZE (RFC 1870). At
 * this size the worst mail that is known takes a few tenths of a second.
 */
export const maxMailBytes = 512 * 1024
/** A calendar program's answer has up to six. */
const maxParts = 50
/** Of each part. The parser's work on addresses grows faster than their number. */
const maxHeaderBytes = 64 * 1024
/** A mail that has passed more servers goes in circles (Postfix: hopcount_limit). */
const maxHops = 50
/** An answer with the description of the meeting, several times. */
const maxCalendarBytes = 128 * 1024

const calendarTypes = new Set(['text/calendar', 'application/ics'])

/** Read a mail. Nothing is taken from its text. */
export async function readMail(content: Buffer): Promise<ReadMail | MailRefusal> {
  if (content.length > maxMailBytes) return 'too-large'
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
  return { from: sender.address, recipients: recipientsOf(mail), calendar: calendar.content.toString('utf8') }
}

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

/** Mail servers add the address that they deliver to; the pipe of a mail server gives no other one. */
const recipientHeaders = ['delivered-to', 'x-original-to', 'to', 'cc']

const recipientsOf = ({ headers }: ParsedMail): string[] =>
  recipientHeaders.flatMap((name) => {
    const values = [headers.get(name) ?? []].flat()
    return values.flatMap((value) =>
      typeof value === 'string' ? [value] : isAddresses(value) ? addressesOf(value) : [],
    )
  })

const isAddresses = (value: object): value is AddressObject => 'value' in value && Array.isArray(value.value)
const addressesOf = ({ value }: AddressObject) => value.flatMap(({ address }) => address ?? [])
