import type { InvitationResponse } from '@parley/contract'
import type { RecurrenceId } from '@parley/rules/invitations/answerable-occurrence'
import { readComment } from '@parley/rules/invitations/response-comment'
import type { WrittenProposal, WrittenTime } from '@parley/rules/invitations/time-proposal'
import type { ForeignObservance } from '@parley/rules/recurrence/vtimezone-offset'
import type ICAL from 'ical.js'
import type { ParsedMail } from 'mailparser'

/** The parts of a mail that make an answer; the rest of the mail is ignored. */
export type ReplyMail = {
  from: string
  replies: readonly [CalendarReply, ...CalendarReply[]]
  /** The values of its header Authentication-Results, from the top. */
  authenticationResults: readonly string[]
}

/** Why a mail is no answer; the value of a label of a metric. */
export type MailRefusal = 'too-large' | 'unreadable' | 'automatic' | 'looping' | 'other-mail' | 'no-answer'

/** The answers of calendar programs have up to six. */
const maxParts = 50
/** The limit of each part's header. The parser's work on addresses grows faster than their number. */
const maxPartHeaderBytes = 64 * 1024
/** A mail that has passed more servers goes in circles (Postfix: hopcount_limit). */
const maxHops = 50
/** Enough for an answer that repeats the description of the meeting several times. */
const maxCalendarBytes = 128 * 1024

const calendarTypes = new Set(['text/calendar', 'application/ics'])

/** Enough for the headers of one's own mail server, which stand first. */
const maxAuthenticationResults = 10
const maxAuthenticationResultsLength = 8 * 1024

/** Read the answer in the calendar object of a mail, in the thread of mail-reader.ts. The text of the mail is ignored. */
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
 * Shorten a header that is too long instead of dropping it: otherwise a header that the sender wrote would be topmost.
 * Cut after a `;`, so that no domain becomes another one.
 */
const cutToMethods = (header: string): string =>
  header.length <= maxAuthenticationResultsLength
    ? header
    : header.slice(0, header.lastIndexOf(';', maxAuthenticationResultsLength - 1) + 1)

/** The parser passes the last three options to its splitter, although its declared type omits them. */
const parserOptions = {
  skipHtmlToText: true,
  skipTextToHtml: true,
  skipTextLinks: true,
  skipImageLinks: true,
  keepDeliveryStatus: true,
  ignoreEmbedded: true,
  maxHeadSize: maxPartHeaderBytes,
  maxChildNodes: maxParts,
}

/** Loaded by the first mail (test/source/lazy-packages.test.ts). */
async function parse(content: Buffer): Promise<ParsedMail | undefined> {
  const { simpleParser } = await import('mailparser')
  try {
    return await simpleParser(content, parserOptions)
  } catch {
    return undefined
  }
}

/**
 * Return whether a mail is a report (RFC 3464, 8098) or an automatic reply (RFC 3834, 5). `auto-generated` does not count:
 * calendar services mark the answers of people with it.
 */
function isAutomatic({ headers, headerLines }: ParsedMail): boolean {
  const type = headers.get('content-type')
  const isReport = typeof type === 'object' && 'value' in type && type.value === 'multipart/report'
  const submitted = String(headers.get('auto-submitted') ?? 'no').toLowerCase()
  const isBounce = headerLines.some(({ key, line }) => key === 'return-path' && /^return-path:\s*<>\s*$/i.test(line))
  return isReport || isBounce || /^auto-(?:replied|notified)\b/.test(submitted)
}

/** An answer in a calendar object (RFC 5546, 3.2.3 and 3.2.7). */
export type CalendarReply = {
  uid: string
  attendee: string
  /** Null in a counterproposal of a person who has not answered. */
  response: InvitationResponse | null
  sequence: number
  /** When it was given. */
  stamp: Date
  /** Null where it is about the whole meeting. */
  occurrence: RecurrenceId | null
  comment: string | null
  /** Null in a reply. */
  proposal: WrittenProposal | null
}

/** Enough for a series whose dates are answered one by one. */
const maxEvents = 50
/** Of any kind; a time zone has two components for each change of its rules. */
const maxComponents = 400
/** A counterproposal names all guests of the meeting. */
const maxAttendees = 1000

const responses: Readonly<Record<string, InvitationResponse>> = {
  ACCEPTED: 'accepted',
  TENTATIVE: 'tentative',
  DECLINED: 'declined',
}

/**
 * Read the answers of a calendar object that `sender` has mailed; undefined where it has none. Rules of recurrence are
 * never evaluated, and those of a time zone as `offsetOfForeignZone` does.
 */
async function readCalendarReply(text: string, sender: string): Promise<CalendarReply[] | undefined> {
  if ((text.match(/^BEGIN:/gim)?.length ?? 0) > maxComponents) return undefined
  const { default: ical } = await import('ical.js')
  try {
    const calendar = new ical.Component(ical.parse(text))
    const method = textOf(calendar, 'method')?.toUpperCase()
    const events = calendar.getAllSubcomponents('vevent')
    if (calendar.name !== 'vcalendar' || events.length > maxEvents) return undefined
    if (method === 'COUNTER') return readCounter(calendar, events, sender)
    if (method !== 'REPLY') return undefined
    const replies = events.flatMap((event) => readEvent(event, onlyAttendee(event)) ?? [])
    const areAnswers = replies.every(({ response }) => response !== null)
    return replies.length > 0 && replies.length === events.length && areAnswers ? replies : undefined
  } catch {
    return undefined
  }
}

/** Read a counterproposal: it is about one meeting or one date of it, and lists all guests. */
function readCounter(calendar: ICAL.Component, events: readonly ICAL.Component[], sender: string) {
  const [event, ...others] = events
  if (event === undefined || others.length > 0) return undefined
  const attendees = event.getAllProperties('attendee')
  if (attendees.length > maxAttendees) return undefined
  const own = attendees.find((attendee) => readAddress(attendee)?.toLowerCase() === sender.toLowerCase())
  const reply = readEvent(event, own)
  const start = readZonedTime(calendar, event, 'dtstart')
  if (reply === undefined || start === undefined) return undefined
  return [{ ...reply, proposal: { start, end: readEnd(calendar, event) } }]
}

/** Find the attendee of a REPLY, which has exactly one (RFC 5546, 3.2.3). */
function onlyAttendee(event: ICAL.Component): ICAL.Property | undefined {
  const [attendee, ...others] = event.getAllProperties('attendee')
  return others.length === 0 ? attendee : undefined
}

function readEvent(event: ICAL.Component, attendee: ICAL.Property | undefined): CalendarReply | undefined {
  const uid = textOf(event, 'uid')
  const stamp = readTime(textOf(event, 'dtstamp'))
  if (uid === undefined || stamp?.zone !== 'UTC' || attendee === undefined) return undefined
  const address = readAddress(attendee)
  const response = responses[String(attendee.getFirstParameter('partstat') ?? '').toUpperCase()] ?? null
  const occurrence = readRecurrenceId(event)
  if (address === undefined || occurrence === undefined) return undefined
  const sequence = Number(textOf(event, 'sequence') ?? 0)
  if (!Number.isInteger(sequence) || sequence < 0) return undefined
  const comment = readComments(event)
  return {
    uid,
    attendee: address,
    response,
    sequence,
    stamp: new Date(stamp.wallMs),
    occurrence,
    comment,
    proposal: null,
  }
}

const readComments = (event: ICAL.Component): string | null =>
  readComment(
    event
      .getAllProperties('comment')
      .map((comment) => String(comment.getFirstValue() ?? ''))
      .join('\n'),
  )

/** Null where the answer is about the whole meeting; undefined where its occurrence cannot be read. */
function readRecurrenceId(event: ICAL.Component): RecurrenceId | null | undefined {
  const property = event.getFirstProperty('recurrence-id')
  if (property === null) return null
  // The rest of a series cannot be answered apart.
  if (property.getFirstParameter('range')) return undefined
  return readLocalTime(property)
}

function readLocalTime(property: ICAL.Property): RecurrenceId | undefined {
  const time = readTime(String(property.getFirstValue()))
  return time && { wallMs: time.wallMs, timeZone: time.zone ?? property.getFirstParameter('tzid') ?? null }
}

function readZonedTime(calendar: ICAL.Component, event: ICAL.Component, name: string): WrittenTime | undefined {
  const property = event.getFirstProperty(name)
  const time = property === null ? undefined : readLocalTime(property)
  return time && { ...time, zone: readZone(calendar, time.timeZone) }
}

function readEnd(calendar: ICAL.Component, event: ICAL.Component): WrittenProposal['end'] {
  const end = readZonedTime(calendar, event, 'dtend')
  if (end !== undefined) return end
  const duration = event.getFirstPropertyValue('duration')
  return duration !== null && typeof duration === 'object' && 'toSeconds' in duration
    ? { durationMs: Number(duration.toSeconds()) * 1000 }
    : null
}

function readZone(calendar: ICAL.Component, timeZone: string | null): ForeignObservance[] {
  const zone = calendar.getAllSubcomponents('vtimezone').find((one) => textOf(one, 'tzid') === timeZone)
  const observances = ['standard', 'daylight'].flatMap((kind) => zone?.getAllSubcomponents(kind) ?? [])
  return observances.flatMap((observance) => readObservance(observance) ?? [])
}

const weekdays = ['SU', 'MO', 'TU', 'WE', 'TH', 'FR', 'SA']

/** Read when a time zone changes its offset. Of a rule in another form, only the first change counts. */
function readObservance(observance: ICAL.Component): ForeignObservance | undefined {
  const onset = readTime(textOf(observance, 'dtstart'))
  const [, sign, hours, minutes] = /^([+-])(\d\d):?(\d\d)/.exec(textOf(observance, 'tzoffsetto') ?? '') ?? []
  if (onset === undefined || hours === undefined) return undefined
  const offsetToMs = (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes)) * 60_000
  const rule = textOf(observance, 'rrule') ?? ''
  const parts = rule.split(';').map((part) => part.split('='))
  const partOf = (name: string) => parts.find(([key]) => key === name)?.[1] ?? ''
  const month = /^(?:[1-9]|1[0-2])$/.test(partOf('BYMONTH')) ? Number(partOf('BYMONTH')) : undefined
  const [, nth, day = ''] = /^(-?[1-5])([A-Z]{2})$/.exec(partOf('BYDAY')) ?? []
  const weekday = weekdays.indexOf(day)
  const isYearly = partOf('FREQ') === 'YEARLY' && month !== undefined && weekday >= 0
  const yearly = isYearly ? { month, weekday, nth: Number(nth) } : null
  return { offsetToMs, firstOnsetWallMs: onset.wallMs, yearly }
}

/**
 * Read an attendee's address. Apple may write an address of its own server, with the person's in the parameter EMAIL
 * (RFC 7986, 6.2).
 */
function readAddress(attendee: ICAL.Property): string | undefined {
  const [, address] = /^mailto:([^?]+)/i.exec(String(attendee.getFirstValue())) ?? []
  return address === undefined ? (attendee.getFirstParameter('email') ?? undefined) : decodeURIComponent(address)
}

/** Read a time; a date counts as its midnight. */
function readTime(text: string | undefined): { wallMs: number; zone: 'UTC' | null } | undefined {
  const [, day, time = '00:00:00', utc] = /^(\d{4}-\d\d-\d\d)(?:T(\d\d:\d\d:\d\d)(Z?))?$/.exec(text ?? '') ?? []
  const wallMs = Date.parse(`${day}T${time}Z`)
  return Number.isNaN(wallMs) ? undefined : { wallMs, zone: utc === 'Z' ? 'UTC' : null }
}

function textOf(component: ICAL.Component, name: string): string | undefined {
  const value = component.getFirstPropertyValue(name)
  return value === null ? undefined : String(value)
}
