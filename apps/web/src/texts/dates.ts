/**
 * Dates in words, for the pages. `Temporal` is not in every browser yet, so instants are what the server answers, and
 * Intl writes them in a language and a zone. What falls on which day is computed by the server.
 */

/** The reader's own zone, as an IANA name. */
export const ownTimeZone = (): string => new Intl.DateTimeFormat().resolvedOptions().timeZone

type Where = { language: string; timeZone: string }

/** The language as it is written where the reader is: English of London writes other dates than that of New York. */
export const regional = (language: string): string =>
  navigator.languages.find((wanted) => wanted.split('-')[0] === language) ?? language

/** Making a formatter costs as much as hundred uses of it. */
const made = new Map<string, Intl.DateTimeFormat>()

function formatter({ language, timeZone }: Where, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const key = JSON.stringify([language, timeZone, options])
  const known = made.get(key)
  if (known !== undefined) return known
  const format = new Intl.DateTimeFormat(regional(language), { ...options, timeZone })
  made.set(key, format)
  return format
}

/** "Monday, 7 January 2030" */
export const writeDay = (at: Date | string, where: Where): string =>
  formatter(where, { weekday: 'long', day: 'numeric', month: 'long', year: 'numeric' }).format(new Date(at))

/** "09:00" or "9:00 AM", as the language writes it. */
export const writeTime = (at: Date | string, where: Where): string =>
  formatter(where, { hour: 'numeric', minute: '2-digit' }).format(new Date(at))

/** "Mon, 7 Jan 2030, 09:00 – 09:30", with each part once. */
export const writeSpan = (from: Date | string, to: Date | string, where: Where): string =>
  formatter(where, {
    weekday: 'short',
    day: 'numeric',
    month: 'short',
    year: 'numeric',
    hour: 'numeric',
    minute: '2-digit',
  }).formatRange(new Date(from), new Date(to))

/** "Mon, 7 Jan 2030, 09:00" */
export const writeMoment = (at: Date | string, where: Where): string =>
  formatter(where, {
    weekday: 'short',
    day: 'numeric',
    month: 'short',
    year: 'numeric',
    hour: 'numeric',
    minute: '2-digit',
  }).format(new Date(at))

/** "09:00 – 09:30" */
export const writeTimes = (from: Date | string, to: Date | string, where: Where): string =>
  formatter(where, { hour: 'numeric', minute: '2-digit' }).formatRange(new Date(from), new Date(to))

/** "Indian Standard Time", or with the offset where the zone has no name in the language. */
export function writeZone(at: Date | string, where: Where): string {
  const parts = formatter(where, { timeZoneName: 'long' }).formatToParts(new Date(at))
  return parts.find(({ type }) => type === 'timeZoneName')?.value ?? where.timeZone
}
