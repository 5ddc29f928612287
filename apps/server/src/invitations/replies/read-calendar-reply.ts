import type { InvitationResponse } from '@parley/contract'
import type { RecurrenceId } from '@parley/rules/invitations/answerable-occurrence'
import type ICAL from 'ical.js'

/** An answer in a calendar object (RFC 5546, 3.2.3). */
export type CalendarReply = {
  uid: string
  attendee: string
  response: InvitationResponse
  sequence: number
  /** When it was given. */
  stamp: Date
  /** Null where it is about the whole meeting. */
  occurrence: RecurrenceId | null
}

/** A series with as many dates that are answered one by one. */
const maxEvents = 50
/** Components of any kind. Zones have two for each change of their rules. */
const maxComponents = 400

const responses: Readonly<Record<string, InvitationResponse>> = {
  ACCEPTED: 'accepted',
  TENTATIVE: 'tentative',
  DECLINED: 'declined',
}

/**
 * Read the answers of a calendar object; undefined where it has none. Rules of recurrence and of time zones are never
 * evaluated.
 */
export async function readCalendarReply(text: string): Promise<CalendarReply[] | undefined> {
  if ((text.match(/^BEGIN:/gim)?.length ?? 0) > maxComponents) return undefined
  const { default: ical } = await import('ical.js')
  try {
    const calendar = new ical.Component(ical.parse(text))
    if (textOf(calendar, 'method')?.toUpperCase() !== 'REPLY') return undefined
    const events = calendar.getAllSubcomponents('vevent')
    if (calendar.name !== 'vcalendar' || events.length > maxEvents) return undefined
    const replies = events.flatMap((event) => readEvent(event) ?? [])
    return replies.length > 0 && replies.length === events.length ? replies : undefined
  } catch {
    return undefined
  }
}

function readEvent(event: ICAL.Component): CalendarReply | undefined {
  const uid = textOf(event, 'uid')
  const stamp = readTime(textOf(event, 'dtstamp'))
  // RFC 5546, 3.2.3: a REPLY has exactly one attendee.
  const [attendee, ...others] = event.getAllProperties('attendee')
  if (uid === undefined || stamp?.zone !== 'UTC' || attendee === undefined || others.length > 0) return undefined
  const address = readAddress(attendee)
  const response = responses[String(attendee.getFirstParameter('partstat') ?? '').toUpperCase()]
  const occurrence = readRecurrenceId(event)
  if (address === undefined || response === undefined || occurrence === undefined) return undefined
  const sequence = Number(textOf(event, 'sequence') ?? 0)
  if (!Number.isInteger(sequence) || sequence < 0) return undefined
  return { uid, attendee: address, response, sequence, stamp: new Date(stamp.wallMs), occurrence }
}

/** Null where the answer is about the whole meeting; undefined where its occurrence cannot be read. */
function readRecurrenceId(event: ICAL.Component): RecurrenceId | null | undefined {
  const property = event.getFirstProperty('recurrence-id')
  if (property === null) return null
  // The rest of a series cannot be answered apart.
  if (property.getFirstParameter('range')) return undefined
  const time = readTime(String(property.getFirstValue()))
  return time && { wallMs: time.wallMs, timeZone: time.zone ?? property.getFirstParameter('tzid') ?? null }
}

/** Apple's addresses may be those of its servers, with the email address beside (RFC 7986, 6.2). */
function readAddress(attendee: ICAL.Property): string | undefined {
  const [, address] = /^mailto:([^?]+)/i.exec(String(attendee.getFirstValue())) ?? []
  return address === undefined ? (attendee.getFirstParameter('email') ?? undefined) : decodeURIComponent(address)
}

/** A date counts as its midnight. */
function readTime(text: string | undefined): { wallMs: number; zone: 'UTC' | null } | undefined {
  const [, day, time = '00:00:00', utc] = /^(\d{4}-\d\d-\d\d)(?:T(\d\d:\d\d:\d\d)(Z?))?$/.exec(text ?? '') ?? []
  const wallMs = Date.parse(`${day}T${time}Z`)
  return Number.isNaN(wallMs) ? undefined : { wallMs, zone: utc === 'Z' ? 'UTC' : null }
}

function textOf(component: ICAL.Component, name: string): string | undefined {
  const value = component.getFirstPropertyValue(name)
  return value === null ? undefined : String(value)
}
