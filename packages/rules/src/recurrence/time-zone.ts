import { findSimilarNames } from '../oauth-apps/similar-names.ts'
import { type Reading, refuseAt } from '../text/reading.ts'
import { timeZoneAliases } from './time-zone-aliases.ts'
import { currentTimeZoneName } from './time-zone-name.ts'

export { type TimeZoneAlias, timeZoneAliases } from './time-zone-aliases.ts'

type TimeZoneReading = { kind: 'known'; timeZone: string } | { kind: 'unknown'; nearby: readonly string[] }
type TimeZoneAliasesReading =
  | { kind: 'read'; aliases: ReadonlyMap<string, string> }
  | { kind: 'refused'; message: string }

/** In characters. The longest IANA id has 32; longer texts get no suggestions. */
const maxNameLength = 64
const maxSuggestions = 5

/**
 * An offset with two digits of hours, or one behind UTC or GMT; Intl prints `UTC+5:30`, `GMT-5`, in French `UTC−5` and
 * in Finnish `UTC+5.30`, and `date +%Z` prints `+0530` and `+05`.
 */
const offsetPattern = /^(?:(?:UTC|GMT)([+-]\d{1,2})|([+-]\d\d))(?:[:.]?([0-5]\d))?$/

/** The largest offset in use is ±14:00. */
const maxOffsetHours = 14

const zoneOfCode: ReadonlyMap<string, string> = new Map(timeZoneAliases.map(({ code, timeZone }) => [code, timeZone]))

/**
 * Read a short zone code, an IANA id (both case-insensitively) or an offset, in this order: EST, MST, CET and others
 * are IANA ids too, some of them without daylight saving time. `overrides` are an operator's own codes in capitals and
 * take precedence. Returns the id in its canonical spelling and under its current name: Asia/Kolkata for Asia/Calcutta.
 */
export function readTimeZone(text: string, overrides: ReadonlyMap<string, string> = new Map()): TimeZoneReading {
  if (text.length > maxNameLength) return { kind: 'unknown', nearby: [] }
  const code = text.toUpperCase()
  const timeZone = overrides.get(code) ?? zoneOfCode.get(code) ?? readZoneId(text) ?? readOffset(code)
  // ASCII and the minus sign only: `ſ` in upper case is S and would match a code.
  if (timeZone !== undefined && /^[!-~\u2212]+$/.test(text)) return { kind: 'known', timeZone }

  const names = [
    ...overrides.keys(),
    ...zoneOfCode.keys(),
    ...zoneOfCode.values(),
    ...Intl.supportedValuesOf('timeZone').map(currentTimeZoneName),
  ]
  return { kind: 'unknown', nearby: findSimilarNames(text, names, maxSuggestions) }
}

/** Read a time zone at a JSON Pointer of a request. */
export function readTimeZoneField(path: string, text: string, overrides: ReadonlyMap<string, string>): Reading<string> {
  const reading = readTimeZone(text, overrides)
  if (reading.kind === 'known') return { value: reading.timeZone }
  const nearby = reading.nearby.length === 0 ? '' : ` Did you mean ${reading.nearby.join(', ')}?`
  const message = `names no time zone.${nearby} GET /api/time-zones lists the short codes; IANA names and offsets are taken as well`
  return refuseAt(path, 'unknown_time_zone', message)
}

/**
 * Read an operator's codes, `IST=Asia/Jerusalem,BST=Asia/Dhaka`. The message of a refusal lists every invalid entry.
 */
export function readTimeZoneAliases(text: string): TimeZoneAliasesReading {
  const aliases = new Map<string, string>()
  const wrong: string[] = []
  for (const entry of text.split(',').map((part) => part.trim())) {
    if (entry === '') continue
    const [, code, name] = /^([a-z][a-z0-9]{0,9})\s*=\s*(\S+)$/i.exec(entry) ?? []
    const zone = name === undefined ? undefined : readTimeZone(name)
    if (code === undefined || zone === undefined) wrong.push(`"${entry}" is not of the form CODE=Area/City`)
    else if (zone.kind === 'unknown') wrong.push(`"${entry}" does not name a time zone`)
    else if (aliases.has(code.toUpperCase())) wrong.push(`"${code}" is given twice`)
    else aliases.set(code.toUpperCase(), zone.timeZone)
  }
  return wrong.length === 0 ? { kind: 'read', aliases } : { kind: 'refused', message: wrong.join('; ') }
}

function readZoneId(text: string): string | undefined {
  if (/^[+-]/.test(text)) return undefined // Temporal accepts more forms of offsets than we do
  try {
    return currentTimeZoneName(new Temporal.ZonedDateTime(0n, text).timeZoneId)
  } catch (error) {
    if (error instanceof RangeError) return undefined
    throw error
  }
}

/** Read `UTC±h[h][:mm]`, `GMT±h[h][:mm]` or `±hh[:mm]`, in capitals, with or without the separator. */
function readOffset(code: string): string | undefined {
  const [, prefixed, bare, minutes = '00'] = offsetPattern.exec(code.replace('\u2212', '-')) ?? []
  const hours = prefixed ?? bare
  if (hours === undefined) return undefined
  const size = Number(hours.slice(1))
  if (size > maxOffsetHours || (size === maxOffsetHours && minutes !== '00')) return undefined
  return new Temporal.ZonedDateTime(0n, `${hours.charAt(0)}${String(size).padStart(2, '0')}:${minutes}`).timeZoneId
}
