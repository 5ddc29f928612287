import { CalendarProgram } from '../calendar-readers/calendar-program.ts'
import type { GuestResult } from './run-deliveries.ts'

/**
 * The dates of a guest's calendar as `start/end` in UTC, computed by a program that receives the mails in order of
 * arrival.
 */
export type Attendee = (result: GuestResult) => string[] | Promise<string[]>

/** The dates that ical.js, Thunderbird's library, shows. */
export function byIcalJs({ guest, mails, from, until }: GuestResult): string[] {
  const program = new CalendarProgram(guest)
  for (const { calendar } of mails) program.receive(calendar)
  // A running occurrence counts as future.
  const early = new Date(from.getTime() - 24 * 3_600_000)
  const shown = program.dates(early, until).map((date) => date.split(' ')[0] ?? '')
  return shown.filter((date) => new Date(date.split('/')[1] ?? '') > from)
}

const sequenceOf = (calendar: string) => Number(/^SEQUENCE:(\d+)/m.exec(calendar)?.[1])

/** Everything that happened to one guest: the steps, and each mail. */
export function explain({ name, guest, story, mails, expected }: GuestResult, shown: readonly string[]): string {
  const list = mails.map(
    ({ subject, text, calendar }) => `${subject}\n\n${text}\n${calendar.slice(calendar.indexOf('BEGIN:VEVENT'))}`,
  )
  return [`${name}, ${guest}`, ...story, ...list, 'expected', ...expected, 'shown', ...shown].join('\n')
}

/** Find calendars that differ from the meeting, and SEQUENCE numbers that decrease or identify two contents. */
export async function findWrong(
  results: readonly GuestResult[],
  attendee: Attendee,
  isKnown: (result: GuestResult, shown: readonly string[]) => boolean = () => false,
): Promise<string[]> {
  const wrong: string[] = []
  for (const result of results) {
    const said = new Map<number, string>()
    let last = -1
    for (const { calendar } of result.mails) {
      const sequence = sequenceOf(calendar)
      if (sequence < last) wrong.push(`SEQUENCE goes back from ${last} to ${sequence}\n${explain(result, [])}`)
      if ((said.get(sequence) ?? calendar) !== calendar)
        wrong.push(`SEQUENCE ${sequence} twice\n${explain(result, [])}`)
      said.set(sequence, calendar)
      last = sequence
    }
    const shown = await attendee(result)
    const isRight = JSON.stringify(shown) === JSON.stringify(result.expected)
    if (!isRight && !isKnown(result, shown)) wrong.push(explain(result, shown))
  }
  return wrong
}

/** Formatted for the output of a run. */
export const summary = (
  run: { cases: number; results: readonly GuestResult[]; mails: number; skipped: Record<string, number> },
  wrong: readonly string[],
): string =>
  `${run.cases} meetings, ${run.results.length} guests, ${run.mails} mails: ${wrong.length} wrong; not compared: ` +
  `${run.skipped.quietlyCancelled} meetings that were cancelled quietly, ${run.skipped.unreachable} guests who could not ` +
  'be reached any more'
