import ICAL from 'ical.js'
import { datesBetween, readCalendar } from './read-with-ical-js.ts'

type Held = { sequence: number; stampMs: number; events: ICAL.Event[] }

/**
 * A minimal calendar program: it holds the meetings of one person, receives only the mailed messages, and processes
 * each as RFC 5546 requires of an attendee. Parsing and expansion are done by ical.js.
 */
export class CalendarProgram {
  readonly #owner: string
  readonly #held = new Map<string, Held>()

  /** @param owner the person's mail address */
  constructor(owner: string) {
    this.#owner = owner
  }

  /** @throws when the message is not for this person */
  receive(message: string): void {
    const { method, events } = readCalendar(message)
    const [first] = events
    if (first === undefined) throw new Error('A message without an event')
    const attendees = first.attendees.map((attendee) => String(attendee.getFirstValue()))
    if (!attendees.includes(`mailto:${this.#owner}`)) throw new Error(`${this.#owner} is not among ${attendees}`)

    const held = this.#held.get(first.uid)
    const stamp = first.component.getFirstPropertyValue('dtstamp')
    if (!(stamp instanceof ICAL.Time)) throw new Error('A message that was never said')
    const stampMs = stamp.toJSDate().getTime()
    const sequence = first.sequence ?? 0
    // RFC 5546, 2.1.5: ignore messages that are older than the held version.
    if (held !== undefined && (sequence < held.sequence || (sequence === held.sequence && stampMs < held.stampMs)))
      return

    switch (method) {
      case 'REQUEST':
        if (!first.isRecurrenceException()) this.#held.set(first.uid, { sequence, stampMs, events })
        else if (held !== undefined) this.#replace(held, events, sequence, stampMs)
        return
      case 'CANCEL':
        if (held === undefined) return
        if (!first.isRecurrenceException()) this.#held.delete(first.uid)
        else for (const event of events) this.#skip(held, event, sequence, stampMs)
        return
      default:
        throw new Error(`A mail with the method ${method}`)
    }
  }

  /** Replace single instances of a held meeting (RFC 5546, 3.2.2). */
  #replace(held: Held, instances: readonly ICAL.Event[], sequence: number, stampMs: number) {
    const names = new Set(instances.map((event) => event.recurrenceId.toString()))
    const rest = held.events.filter(
      (event) => !event.isRecurrenceException() || !names.has(event.recurrenceId.toString()),
    )
    Object.assign(held, { sequence, stampMs, events: [...rest, ...instances] })
  }

  /** Remove one instance (RFC 5546, 3.2.5): its override, and its date in the rule. */
  #skip(held: Held, cancelled: ICAL.Event, sequence: number, stampMs: number) {
    const name = cancelled.recurrenceId
    held.events = held.events.filter(
      (event) => !event.isRecurrenceException() || event.recurrenceId.toString() !== name.toString(),
    )
    const exclusion = new ICAL.Property('exdate')
    exclusion.setValue(name)
    const zone = cancelled.component.getFirstProperty('recurrence-id')?.getFirstParameter('tzid')
    if (zone !== undefined) exclusion.setParameter('tzid', zone)
    const master = held.events.find((event) => !event.isRecurrenceException())
    master?.component.addProperty(exclusion)
    Object.assign(held, { sequence, stampMs })
  }

  /** Each date as `start/end topic`, in UTC. */
  dates(from: Date, until: Date): string[] {
    return [...this.#held.values()].flatMap(({ events }) =>
      datesBetween(events, from, until).map((date) => `${date} ${events[0]?.summary}`),
    )
  }

  /**
   * The held meetings as calendar objects without METHOD, as a program stores them on a CalDAV server (RFC 4791, 4.1).
   */
  get objects(): { uid: string; text: string }[] {
    return [...this.#held].map(([uid, { events }]) => {
      const calendar = new ICAL.Component('vcalendar')
      calendar.addPropertyWithValue('version', '2.0')
      calendar.addPropertyWithValue('prodid', '-//Parley//calendar program of the tests//EN')
      const zones = events.flatMap(({ component }) => component.parent?.getAllSubcomponents('vtimezone') ?? [])
      const byName = new Map(zones.map((zone) => [String(zone.getFirstPropertyValue('tzid')), zone]))
      for (const { jCal } of [...byName.values(), ...events.map(({ component }) => component)]) {
        calendar.addSubcomponent(new ICAL.Component(structuredClone(jCal)))
      }
      return { uid, text: `${calendar.toString()}\r\n` }
    })
  }

  /** The held events by UID. */
  get sequences(): Record<string, number> {
    return Object.fromEntries([...this.#held].map(([uid, { sequence }]) => [uid, sequence]))
  }
}
