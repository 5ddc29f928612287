import type { OccurrenceChange } from '@parley/rules/recurrence/recurrence'
import { readTimeZone } from '@parley/rules/recurrence/time-zone'
import { wallClockIn } from '@parley/rules/recurrence/wall-clock'
import type ICAL from 'ical.js'
import {
  callIn,
  type FoundEntry,
  type FoundMeeting,
  maxEntries,
  textsFor,
  Unreadable,
  usualFields,
} from './found-entry.ts'
import { partsOf, toRepeatOptions } from './read-recurrence.ts'
import { windowsZones } from './windows-zones.ts'

/** Read the meetings of a calendar (RFC 5545), as Google Calendar, Outlook, Apple Calendar and Zoom export it. */

type Context = {
  /** The host's, for times that name no zone. */
  defaultZone: string
  timeZoneAliases: ReadonlyMap<string, string>
}

/** How many dates of a rule are compared with ours. */
export const maxComparedDays = 100

type Event = { component: ICAL.Component; place: string }

/** @throws Unreadable */
export async function readCalendar(text: string, context: Context): Promise<readonly FoundEntry[]> {
  const lines = text.split(/\r?\n/)
  const starts = lines.flatMap((line, index) => (/^BEGIN:VEVENT\s*$/i.test(line) ? [index + 1] : []))
  if (starts.length > maxEntries) throw new Unreadable(`It has ${starts.length} events, and ${maxEntries} are read.`)
  const { default: ical } = await import('ical.js')
  const root = parse(ical, text)
  const calendars = root.map((one) => new ical.Component(one))
  const components = calendars.flatMap((calendar) => calendar.getAllSubcomponents('vevent'))
  const events = components.map((component, index) => ({ component, place: `line ${starts[index] ?? '?'}` }))
  const byUid = Map.groupBy(events, ({ component, place }) => textOf(component, 'uid') || `${place} without UID`)
  const zone = calendars.map((calendar) => textOf(calendar, 'x-wr-timezone')).find((name) => name !== '')
  const reader = createReader(ical, { ...context, ...(zone !== undefined && { calendarZone: zone }) })
  return [...byUid].flatMap(([uid, all]) => reader.readSeries(uid, all))
}

/** Every calendar of the file; some programs write several, one after the other. */
function parse(ical: typeof ICAL, text: string): ConstructorParameters<typeof ICAL.Component>[0][] {
  try {
    const parsed = ical.parse(text)
    const all = typeof parsed[0] === 'string' ? [parsed] : parsed
    if (all[0]?.[0] !== 'vcalendar') throw new Error('it does not begin with BEGIN:VCALENDAR')
    return all
  } catch (error) {
    throw new Unreadable(`It is no iCalendar file: ${error instanceof Error ? error.message : error}`)
  }
}

const textOf = (component: ICAL.Component, name: string): string => {
  const value = component.getFirstPropertyValue(name)
  return typeof value === 'string' ? value.trim() : ''
}

/** A wrong property of an event; the message is for people. */
class WrongProperty extends Error {}

type Instant = { at: Date; zone: string; isExactOnly: boolean }

function createReader(ical: typeof ICAL, context: Context & { calendarZone?: string }) {
  const { defaultZone, timeZoneAliases, calendarZone } = context

  function readSeries(uid: string, all: readonly Event[]): FoundEntry[] {
    const masters = all.filter(({ component }) => component.getFirstProperty('recurrence-id') === null)
    const overrides = all.filter(({ component }) => component.getFirstProperty('recurrence-id') !== null)
    const [master, ...repeated] = masters
    // A person who is invited to one date of a series has that date only.
    if (master === undefined)
      return overrides.map((one) => tryRead(one, `${uid}/${textOfTime(one.component, 'recurrence-id')}`, []))
    return [
      tryRead(master, uid, overrides),
      ...repeated.map((one) => omitted('skipped', one, 'has the UID of an earlier event of the file')),
    ]
  }

  function tryRead(event: Event, uid: string, overrides: readonly Event[]): FoundEntry {
    try {
      return readEvent(event, uid, overrides)
    } catch (error) {
      if (error instanceof WrongProperty) return omitted('refused', event, error.message)
      // ical.js throws its own errors at values that it cannot read.
      return omitted('refused', event, error instanceof Error ? error.message : String(error))
    }
  }

  function readEvent(event: Event, uid: string, overrides: readonly Event[]): FoundEntry {
    const { component, place } = event
    if (textOf(component, 'status').toUpperCase() === 'CANCELLED') return omitted('skipped', event, 'is cancelled')
    const start = timeOf(component, 'dtstart')
    if (start === undefined) throw new WrongProperty('DTSTART is missing')
    if (start.isDate) return omitted('skipped', event, 'lasts whole days, and meetings have times')
    const notes: string[] = []
    const rule = component.getFirstProperty('rrule')
    if (component.getAllProperties('rrule').length > 1) return omitted('skipped', event, 'has several rules (RRULE)')
    const begins = instantOf(component, 'dtstart', rule !== null)
    const ends = endOf(component, begins)
    const texts = textsFor(rawTexts(component), notes)
    const guests = guestsOf(component, notes)
    const common = {
      kind: 'meeting' as const,
      place,
      topic: texts.topic,
      uid,
      organizer: addressOf(component.getFirstPropertyValue('organizer')),
      isAppointment: guests.length === 0 && !hasCall(component),
      notes,
    }
    const body = {
      ...texts,
      ...usualFields,
      participants: guests,
      startTime: begins.at.toISOString(),
      endTime: ends.toISOString(),
    }
    if (begins.isExactOnly) notes.push(`its time zone is unknown: shown in ${begins.zone}`)
    if (rule === null) {
      const repeatOptions = { repeat: 'none' as const, timeZone: begins.zone }
      return { ...common, body: { ...body, repeatOptions }, days: undefined, cancelled: [], changed: [] }
    }
    if (begins.isExactOnly) return omitted('skipped', event, 'its time zone is unknown, and it repeats')
    const value = rule.getFirstValue() as ICAL.Recur
    const first = { month: start.month, day: start.day, weekday: start.dayOfWeek() - 1 }
    const repeatOptions = toRepeatOptions(partsOf(value.toString()), first)
    if (repeatOptions === undefined)
      return omitted('skipped', event, `has a rule that Parley cannot express: ${value.toString()}`)
    const until = value.until === null ? {} : { endDate: untilOf(value.until, begins.zone).toISOString() }
    if (component.getFirstProperty('rdate') !== null) notes.push('dates outside of its rule (RDATE) are left out')
    return {
      ...common,
      body: { ...body, repeatOptions: { ...repeatOptions, ...until, timeZone: begins.zone } },
      days: daysOf(value, start),
      ...exceptionsOf(
        component,
        begins.zone,
        overrides,
        { ...texts, durationMs: ends.getTime() - begins.at.getTime() },
        notes,
      ),
    }
  }

  const rawTexts = (component: ICAL.Component) => ({
    topic: textOf(component, 'summary'),
    description: textOf(component, 'description'),
    location: textOf(component, 'location'),
  })

  const hasCall = (component: ICAL.Component) =>
    ['x-google-conference', 'x-microsoft-skypeteamsmeetingurl', 'conference'].some(
      (name) => component.getFirstProperty(name) !== null,
    ) || callIn(['location', 'description', 'url'].map((name) => textOf(component, name)).join('\n')) !== undefined

  function guestsOf(component: ICAL.Component, notes: string[]) {
    return component.getAllProperties('attendee').flatMap((attendee) => {
      const name = String(attendee.getParameter('cn') ?? '')
      if (['RESOURCE', 'ROOM'].includes(String(attendee.getParameter('cutype') ?? '').toUpperCase())) {
        notes.push(`the room or device ${name || addressOf(attendee.getFirstValue())} is left out`)
        return []
      }
      const email = addressOf(attendee.getFirstValue())
      if (email === undefined) {
        notes.push(`a guest without an email address is left out: ${name}`)
        return []
      }
      const isName = name !== '' && name.toLowerCase() !== email.toLowerCase() && name.length <= 100
      return [isName ? { email, displayName: name } : { email }]
    })
  }

  function timeOf(component: ICAL.Component, name: string): ICAL.Time | undefined {
    const value = component.getFirstPropertyValue(name)
    if (value === null) return undefined
    if (value instanceof ical.Time) return value
    throw new WrongProperty(`${name.toUpperCase()} is no time`)
  }

  const textOfTime = (component: ICAL.Component, name: string) =>
    component.getFirstPropertyValue(name)?.toString() ?? ''

  /** The time zone of a property; undefined where it names one that is unknown. */
  function zoneOf(property: ICAL.Property | null, time: ICAL.Time, isSeries: boolean): string | undefined {
    const tzid = property?.getParameter('tzid')
    if (typeof tzid === 'string') return readZone(tzid)
    const isUtc = time.zone === ical.Timezone.utcTimezone
    // The rule of a series in UTC counts days in UTC.
    if (isUtc && isSeries) return 'Etc/UTC'
    return (calendarZone === undefined ? undefined : readZone(calendarZone)) ?? defaultZone
  }

  /** Some programs put their own folders before the name: `/citadel.org/20190914_1/Europe/Berlin`. */
  function readZone(tzid: string): string | undefined {
    const windows = windowsZones[tzid]
    if (windows !== undefined) return windows
    const parts = tzid.split('/')
    for (const name of [tzid, parts.slice(-3).join('/'), parts.slice(-2).join('/')]) {
      const read = readTimeZone(name, timeZoneAliases)
      if (read.kind === 'known') return read.timeZone
    }
    return undefined
  }

  function instantOf(component: ICAL.Component, name: string, isSeries: boolean): Instant {
    const time = timeOf(component, name)
    if (time === undefined) throw new WrongProperty(`${name.toUpperCase()} is missing`)
    const zone = zoneOf(component.getFirstProperty(name), time, isSeries)
    // The definition in the file (VTIMEZONE) says the instant, and no name for it.
    if (zone === undefined) return { at: time.toJSDate(), zone: defaultZone, isExactOnly: true }
    return { at: atZone(time, zone), zone, isExactOnly: false }
  }

  function atZone(time: ICAL.Time, zone: string): Date {
    if (time.zone === ical.Timezone.utcTimezone) return time.toJSDate()
    const wallMs = Date.UTC(time.year, time.month - 1, time.day, time.hour, time.minute, time.second)
    return new Date(wallClockIn(zone).instantOf(wallMs))
  }

  function endOf(component: ICAL.Component, begins: Instant): Date {
    if (component.getFirstProperty('dtend') !== null) {
      const end = timeOf(component, 'dtend')
      const zone = end && zoneOf(component.getFirstProperty('dtend'), end, false)
      if (end !== undefined) return zone === undefined ? end.toJSDate() : atZone(end, zone)
    }
    const duration = component.getFirstPropertyValue('duration')
    if (duration instanceof ical.Duration) return new Date(begins.at.getTime() + duration.toSeconds() * 1000)
    throw new WrongProperty('DTEND and DURATION are missing')
  }

  /** A date without a time includes its day. */
  function untilOf(until: ICAL.Time, zone: string): Date {
    if (!until.isDate) return atZone(until, zone)
    const wallMs = Date.UTC(until.year, until.month - 1, until.day, 23, 59, 59)
    return new Date(wallClockIn(zone).instantOf(wallMs))
  }

  /** The first days of a rule by ical.js, with which our reading of the rule is compared. */
  function daysOf(rule: ICAL.Recur, start: ICAL.Time): string[] {
    const iterator = rule.iterator(start)
    const days: string[] = []
    for (let next = iterator.next(); next && days.length < maxComparedDays; next = iterator.next())
      days.push(next.toString().slice(0, 10))
    return days
  }

  function exceptionsOf(
    component: ICAL.Component,
    zone: string,
    overrides: readonly Event[],
    series: { topic: string; description: string; location: string; durationMs: number },
    notes: string[],
  ): Pick<FoundMeeting, 'cancelled' | 'changed'> {
    const excluded = component.getAllProperties('exdate').flatMap((property) =>
      property.getValues().flatMap((value) => {
        if (!(value instanceof ical.Time)) return []
        return [atZone(value.isDate ? onDay(value, component) : value, zoneOf(property, value, true) ?? zone)]
      }),
    )
    const cancelled = [...excluded]
    const changed: OccurrenceChange[] = []
    for (const { component: one } of overrides) {
      const original = timeOf(one, 'recurrence-id')
      if (original === undefined) continue
      const property = one.getFirstProperty('recurrence-id')
      const isUtc = original.zone === ical.Timezone.utcTimezone
      const originalZone = isUtc ? zone : (zoneOf(property, original, true) ?? zone)
      const originalStart = atZone(original.isDate ? onDay(original, component) : original, originalZone)
      if (textOf(one, 'status').toUpperCase() === 'CANCELLED') {
        cancelled.push(originalStart)
        continue
      }
      const begins = instantOf(one, 'dtstart', false)
      const endsAt = endOf(one, begins)
      const isMoved =
        begins.at.getTime() !== originalStart.getTime() || endsAt.getTime() - begins.at.getTime() !== series.durationMs
      const own = textsFor(rawTexts(one), [])
      const texts = {
        topic: own.topic === series.topic ? null : own.topic,
        description: own.description === series.description ? null : own.description,
        location: own.location === series.location ? null : own.location,
      }
      if (isMoved || Object.values(texts).some((text) => text !== null))
        changed.push({ originalStart, times: isMoved ? { startsAt: begins.at, endsAt } : null, ...texts })
    }
    if (
      overrides.some(
        ({ component: one }) =>
          one.getAllProperties('attendee').length !== component.getAllProperties('attendee').length,
      )
    )
      notes.push('some dates have other guests: all dates get those of the series')
    return { cancelled, changed }
  }

  /** An exception that names a day is the occurrence of that day. */
  function onDay(day: ICAL.Time, component: ICAL.Component): ICAL.Time {
    const start = timeOf(component, 'dtstart')
    const time = day.clone()
    time.isDate = false
    time.hour = start?.hour ?? 0
    time.minute = start?.minute ?? 0
    time.second = start?.second ?? 0
    return time
  }

  return { readSeries }
}

const omitted = (kind: 'refused' | 'skipped', { component, place }: Event, reason: string): FoundEntry => ({
  kind,
  place,
  topic: textOf(component, 'summary') || 'Untitled',
  reason,
})

function addressOf(value: unknown): string | undefined {
  const [, address] = /^mailto:(.+)$/i.exec(String(value ?? '').trim()) ?? []
  return address
}
