import { type Parsed, refuseAt } from '../text/parsed.ts'
import { timeZoneAliases } from './time-zone-aliases.ts'
import { currentTimeZoneName } from './time-zone-name.ts'

export { type TimeZoneAlias, timeZoneAliases } from './time-zone-aliases.ts'

type ParsedTimeZone = { kind: 'known'; timeZone: string } | { kind: 'unknown'; nearby: readonly string[] }
type ParsedTimeZoneAliases =
  | { kind: 'read'; aliases: ReadonlyMap<string, string> }
  | { kind: 'refused'; message: string }

/** In characters. The longest IANA id has 32; longer texts get no suggestions. */
const maxZoneNameLength = 64
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
 * take precedence. Return the id in its canonical spelling and under its current name: Asia/Kolkata for Asia/Calcutta.
 */
export function readTimeZone(text: string, overrides: ReadonlyMap<string, string> = new Map()): ParsedTimeZone {
  if (text.length > maxZoneNameLength) return { kind: 'unknown', nearby: [] }
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
export function readTimeZoneField(path: string, text: string, overrides: ReadonlyMap<string, string>): Parsed<string> {
  const parsed = readTimeZone(text, overrides)
  if (parsed.kind === 'known') return { value: parsed.timeZone }
  const nearby = parsed.nearby.length === 0 ? '' : ` Did you mean ${parsed.nearby.join(', ')}?`
  const message = `names no time zone.${nearby} GET /api/time-zones lists the short codes; IANA names and offsets are taken as well`
  return refuseAt(path, 'unknown_time_zone', message)
}

/**
 * Read an operator's codes, `IST=Asia/Jerusalem,BST=Asia/Dhaka`. The message of a refusal lists every invalid entry.
 */
export function readTimeZoneAliases(text: string): ParsedTimeZoneAliases {
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

/**
 * Find the names that a person who wrote `text` may have meant, best first. Case is ignored, and for a zone id its city
 * is compared too. A name is similar when one contains the other or few letters differ.
 */
function findSimilarNames(text: string, names: readonly string[], limit: number): readonly string[] {
  const wanted = plain(text)
  const near = [...new Set(names)]
    .map((name) => ({ name, distance: distanceTo(wanted, name) }))
    .filter(({ distance }) => distance <= maxDistance(wanted))
    .sort((a, b) => a.distance - b.distance) // stable: equal distances keep the given order
  return near
    .filter(({ distance }) => distance <= (near[0]?.distance ?? 0) + 1) // Berlin as a match excludes Dublin
    .slice(0, limit)
    .map(({ name }) => name)
}

const plain = (text: string) => text.toLowerCase().replace(/[\s_-]+/g, '_')

const maxDistance = (wanted: string) => Math.floor(wanted.length / 3)

function distanceTo(wanted: string, name: string): number {
  const whole = plain(name)
  const city = whole.slice(whole.lastIndexOf('/') + 1)
  const contained = wanted.length >= 3 && (whole.includes(wanted) || (city.length >= 4 && wanted.includes(city)))
  return Math.min(editDistance(wanted, whole), editDistance(wanted, city), contained ? 0.5 : Number.POSITIVE_INFINITY)
}

/** The Levenshtein distance: how many letters must be inserted, deleted or replaced. */
function editDistance(first: string, second: string): number {
  // The difference in length is a lower bound. Beyond the limit the exact distance is not needed.
  if (Math.abs(first.length - second.length) > maxDistance(first)) return Number.POSITIVE_INFINITY
  let row = Array.from({ length: second.length + 1 }, (_, column) => column)
  for (const letter of first) {
    const next = [(row[0] ?? 0) + 1]
    for (let column = 1; column <= second.length; column++) {
      const changed = (row[column - 1] ?? 0) + (letter === second[column - 1] ? 0 : 1)
      next.push(Math.min(changed, (row[column] ?? 0) + 1, (next[column - 1] ?? 0) + 1))
    }
    row = next
  }
  return row[second.length] ?? 0
}
