import ICAL from 'ical.js'

/** Read a calendar with ical.js, Thunderbird's library. It knows only the time zones in the text. */
export type ReadCalendar = {
  method: string | undefined
  component: ICAL.Component
  events: ICAL.Event[]
}

export function readCalendar(text: string): ReadCalendar {
  const component = new ICAL.Component(ICAL.parse(text))
  const method = component.getFirstPropertyValue('method')
  const parts = component.getAllSubcomponents('vevent')
  // Left to itself, each ICAL.Event looks for its exceptions among all events.
  const exceptions = new Map(
    parts
      .filter((part) => part.hasProperty('recurrence-id'))
      .map((part) => [part, new ICAL.Event(part, { exceptions: [] })]),
  )
  const ofSeries = { exceptions: [...exceptions.values()] }
  const events = parts.map((part) => exceptions.get(part) ?? new ICAL.Event(part, ofSeries))
  return { method: method === null ? undefined : String(method), component, events }
}

/** The dates of one UID's events from `from` to `until`, each as `start/end` in UTC, in order. */
export function datesBetween(events: readonly ICAL.Event[], from: Date, until: Date): string[] {
  const master = events.find((event) => !event.isRecurrenceException())
  if (master === undefined) return []
  for (const event of events) if (event.isRecurrenceException()) master.relateException(event)
  const dates: { start: Date; end: Date }[] = []
  if (!master.isRecurring()) dates.push({ start: master.startDate.toJSDate(), end: master.endDate.toJSDate() })
  else {
    const iterator = master.iterator()
    for (let next = iterator.next(); next !== undefined && next !== null; next = iterator.next()) {
      const { startDate, endDate } = master.getOccurrenceDetails(next)
      const start = startDate.toJSDate()
      if (start.getTime() > until.getTime() + 86_400_000) break
      dates.push({ start, end: endDate.toJSDate() })
    }
  }
  return dates
    .filter(({ start }) => from <= start && start <= until)
    .sort((one, other) => one.start.getTime() - other.start.getTime())
    .map(({ start, end }) => `${start.toISOString()}/${end.toISOString()}`)
}
