/**
 * Format dates for the pages. `Temporal` is not in every browser yet, so instants come from the server, and Intl
 * formats them for a language and a time zone. The server computes which day an occurrence falls on.
 */

/** The reader's time zone, as an IANA name. */
export const ownTimeZone = (): string => new Intl.DateTimeFormat().resolvedOptions().timeZone

type DateFormatOptions = { language: string; timeZone: string }

/** The language with the reader's region: British and American English write dates differently. */
export const regional = (language: string): string =>
  navigator.languages.find((wanted) => wanted.split('-')[0] === language) ?? language

/** Constructing a formatter costs as much as a hundred uses of it. */
const made = new Map<string, Intl.DateTimeFormat>()

function formatter(
  { language, timeZone }: DateFormatOptions,
  options: Intl.DateTimeFormatOptions,
): Intl.DateTimeFormat {
  const key = JSON.stringify([language, timeZone, options])
  const known = made.get(key)
  if (known !== undefined) return known
  const format = new Intl.DateTimeFormat(regional(language), { ...options, timeZone })
  made.set(key, format)
  return format
}

/** "Monday, 7 January 2030" */
export const writeDay = (at: Date | string, dateFormat: DateFormatOptions): string =>
  formatter(dateFormat, { weekday: 'long', day: 'numeric', month: 'long', year: 'numeric' }).format(new Date(at))

/** "09:00" or "9:00 AM", by language. */
export const writeTime = (at: Date | string, dateFormat: DateFormatOptions): string =>
  formatter(dateFormat, { hour: 'numeric', minute: '2-digit' }).format(new Date(at))

/** "Mon, 7 Jan 2030, 09:00 – 09:30", without repeated parts. */
export const writeSpan = (from: Date | string, to: Date | string, dateFormat: DateFormatOptions): string =>
  formatter(dateFormat, {
    weekday: 'short',
    day: 'numeric',
    month: 'short',
    year: 'numeric',
    hour: 'numeric',
    minute: '2-digit',
  }).formatRange(new Date(from), new Date(to))

/** "Mon, 7 Jan 2030, 09:00" */
export const writeMoment = (at: Date | string, dateFormat: DateFormatOptions): string =>
  formatter(dateFormat, {
    weekday: 'short',
    day: 'numeric',
    month: 'short',
    year: 'numeric',
    hour: 'numeric',
    minute: '2-digit',
  }).format(new Date(at))

/** "09:00 – 09:30" */
export const writeTimes = (from: Date | string, to: Date | string, dateFormat: DateFormatOptions): string =>
  formatter(dateFormat, { hour: 'numeric', minute: '2-digit' }).formatRange(new Date(from), new Date(to))

/** "Indian Standard Time", or the offset when the language has no name for the zone. */
export function writeZone(at: Date | string, dateFormat: DateFormatOptions): string {
  const parts = formatter(dateFormat, { timeZoneName: 'long' }).formatToParts(new Date(at))
  return parts.find(({ type }) => type === 'timeZoneName')?.value ?? dateFormat.timeZone
}
