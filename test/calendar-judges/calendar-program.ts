import ICAL from 'ical.js'
import { datesBetween, readCalendar } from './read-with-ical-js.ts'

type Held = { sequence: number; stampMs: number; events: ICAL.Event[] }

/**
 * The least that a calendar program has to be: it holds the meetings of one person and knows of them only what it is
 * mailed, and does with each message what RFC 5546 tells an attendee to do. Reading and expanding is ical.js.
 */
export class CalendarProgram {
  readonly #owner: string
  readonly #held = new Map<string, Held>()

  /** @param owner the person's mail address */
  constructor(owner: string) {
    this.#owner = owner
  }

  /** @throws when the message is none for this person */
  receive(message: string): void {
    const { method, events } = readCalendar(message)
    const [first] = events
    if (first === undefined) throw new Error('A message without an event')
    const asked = first.attendees.map((attendee) => String(attendee.getFirstValue()))
    if (!asked.includes(`mailto:${this.#owner}`)) throw new Error(`${this.#owner} is not among ${asked}`)

    const held = this.#held.get(first.uid)
    const stamp = first.component.getFirstPropertyValue('dtstamp')
    if (!(stamp instanceof ICAL.Time)) throw new Error('A message that was never said')
    const stampMs = stamp.toJSDate().getTime()
    const sequence = first.sequence ?? 0
    // RFC 5546, 2.1.5: what is older than what is held is not looked at.
    if (held !== undefined && (sequence < held.sequence || (sequence === held.sequence && stampMs < held.stampMs)))
      return

    switch (method) {
      case 'REQUEST':
        this.#held.set(first.uid, { sequence, stampMs, events })
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

  /** One instance goes (RFC 5546, 3.2.5): its override, and its date in the rule. */
  #skip(held: Held, cancelled: ICAL.Event, sequence: number, stampMs: number) {
    const name = cancelled.recurrenceId
    held.events = held.events.filter(
      (event) => !event.isRecurrenceException() || event.recurrenceId.toString() !== name.toString(),
    )
    const exclusion = new ICAL.Property('exdate')
    exclusion.setValue(name)
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

  /** What stands in the calendar, by UID. */
  get sequences(): Record<string, number> {
    return Object.fromEntries([...this.#held].map(([uid, { sequence }]) => [uid, sequence]))
  }
}
