import { listTimeZones } from '@parley/contract'
import { currentTimeZoneName } from '@parley/rules/recurrence/time-zone-name'
import { queryOptions } from '@tanstack/react-query'
import { client } from '../../session/client.ts'

/** The short codes change only with the operator's configuration. */
export const timeZonesQuery = queryOptions({
  queryKey: ['time-zones'],
  staleTime: Number.POSITIVE_INFINITY,
  queryFn: async () => (await client.call(listTimeZones)).timeZones,
})

export type TimeZoneCode = { code: string; timeZone: string }

/** The IANA time zone for computing and display: the meaning of a short code, or a zone's current name. */
export const zoneIdOf = (timeZone: string, codes: readonly TimeZoneCode[]): string =>
  currentTimeZoneName(meaningOf(timeZone, codes) ?? timeZone)

export const isCode = (timeZone: string, codes: readonly TimeZoneCode[]): boolean =>
  meaningOf(timeZone, codes) !== undefined

const meaningOf = (timeZone: string, codes: readonly TimeZoneCode[]) =>
  codes.find(({ code }) => code === timeZone.toUpperCase())?.timeZone

/** Every time zone once, by its current name. */
export const zoneNames = (codes: readonly TimeZoneCode[]): string[] => {
  const names = [...codes.map(({ timeZone }) => timeZone), ...Intl.supportedValuesOf('timeZone')]
  return [...new Set(names.map(currentTimeZoneName))].toSorted()
}

/** Large cities that name no time zone, in their own and the English spelling, by the zone that they are in. */
const cities: Record<string, string> = {
  'Africa/Cairo': 'Alexandria',
  'Africa/Casablanca': 'Rabat, Marrakesh',
  'Africa/Johannesburg': 'Cape Town, Durban, Pretoria',
  'Africa/Lagos': 'Abuja',
  'America/Chicago': 'Houston, Dallas, Austin, Minneapolis, New Orleans',
  'America/Los_Angeles': 'San Francisco, San Diego, Seattle, Portland, Las Vegas',
  'America/Mexico_City': 'Guadalajara',
  'America/New_York': 'Washington, Boston, Philadelphia, Atlanta, Miami',
  'America/Sao_Paulo': 'Rio de Janeiro, Brasilia, Belo Horizonte',
  'America/Toronto': 'Montreal, Ottawa, Quebec',
  'Asia/Dubai': 'Abu Dhabi',
  'Asia/Ho_Chi_Minh': 'Hanoi, Saigon',
  'Asia/Jerusalem': 'Tel Aviv, Haifa',
  'Asia/Karachi': 'Islamabad, Lahore',
  'Asia/Kolkata': 'New Delhi, Mumbai, Bombay, Bangalore, Bengaluru, Chennai, Hyderabad, Pune, Calcutta',
  'Asia/Riyadh': 'Jeddah, Mecca, Medina',
  'Asia/Shanghai': 'Beijing, Peking, Shenzhen, Guangzhou',
  'Asia/Tokyo': 'Osaka, Kyoto, Yokohama',
  'Australia/Sydney': 'Canberra',
  'Europe/Berlin': 'Munich, München, Hamburg, Frankfurt, Cologne, Köln, Stuttgart, Düsseldorf, Leipzig',
  'Europe/Istanbul': 'Ankara, Izmir',
  'Europe/London': 'Manchester, Birmingham, Edinburgh, Glasgow, Cardiff, Leeds',
  'Europe/Madrid': 'Barcelona, Valencia, Sevilla',
  'Europe/Moscow': 'Saint Petersburg',
  'Europe/Paris': 'Lyon, Marseille, Toulouse, Nice, Strasbourg',
  'Europe/Rome': 'Milan, Milano, Naples, Napoli, Turin, Florence',
  'Europe/Zurich': 'Geneva, Genève, Genf, Basel, Bern',
  'Pacific/Auckland': 'Wellington',
}

/** Without case, accents and punctuation. */
const plainWords = (text: string): string[] =>
  text
    .normalize('NFD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter(Boolean)

type Place = { names: string[]; countries: string[] }

const placesByLanguage = new Map<string, Map<string, Place>>()

/** What each zone is searched by: its city and others in it, and its countries in English and the reader's language. */
function placesIn(language: string): Map<string, Place> {
  const known = placesByLanguage.get(language)
  if (known !== undefined) return known
  const places = new Map<string, Place>()
  const placeOf = (zone: string) => {
    const named = { names: [zone.split('/').at(-1) ?? zone, ...(cities[zone]?.split(', ') ?? [])], countries: [] }
    const place = places.get(zone) ?? { ...named, names: named.names.map((name) => plainWords(name).join(' ')) }
    places.set(zone, place)
    return place
  }
  for (const zone of Intl.supportedValuesOf('timeZone')) placeOf(currentTimeZoneName(zone))
  const languages = ['en', language].map((one) => new Intl.DisplayNames(one, { type: 'region', fallback: 'none' }))
  for (const region of regionCodes) {
    const countries = languages.flatMap((names) => plainWords(names.of(region) ?? '').join(' ') || [])
    // Regions that are no countries have no name; older browsers know no zones of a region.
    if (countries.length === 0) continue
    const locale = new Intl.Locale(`und-${region}`)
    for (const zone of locale.getTimeZones?.() ?? []) placeOf(currentTimeZoneName(zone)).countries.push(...countries)
  }
  placesByLanguage.set(language, places)
  return places
}

const letters = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ']
const regionCodes = letters.flatMap((first) => letters.map((second) => first + second))

const offsetSearch = /^(?:utc|gmt)?\s*([+\-\u2212])\s*(\d{1,2})(?::?([0-5]\d))?$/i

/** "+05:30" for "UTC+5:30", "gmt +530" and "+5:30". */
function offsetOf(search: string): string | undefined {
  const [, sign, hours = '', minutes = '00'] = offsetSearch.exec(search.trim()) ?? []
  return sign && `${sign === '+' ? '+' : '-'}${hours.padStart(2, '0')}:${minutes}`
}

/** "+05:30" at this instant. */
function offsetAt(zone: string, at: Date): string {
  const format = new Intl.DateTimeFormat('en', { timeZone: zone, timeZoneName: 'longOffset' })
  const name = format.formatToParts(at).find(({ type }) => type === 'timeZoneName')?.value ?? ''
  return name.replace('GMT', '') || '+00:00'
}

type ZoneSearch = { language: string; at: Date }

/**
 * Rank a zone by a search for a city, a country, a name or an offset from UTC; undefined where it does not match. Lower
 * is better: a whole name, then its beginning, then a word of it.
 */
export function rankZone(
  zone: string,
  label: string,
  search: string,
  { language, at }: ZoneSearch,
): number | undefined {
  const offset = offsetOf(search)
  const isLarge = Object.hasOwn(cities, zone) ? 0 : 0.5
  if (offset !== undefined) return offsetAt(zone, at) === offset ? isLarge : undefined
  const words = plainWords(search)
  const wanted = words.join(' ')
  if (wanted === '') return 0
  const { names, countries } = placesIn(language).get(zone) ?? { names: [], countries: [] }
  const all = [...names, ...countries]
  if (all.includes(wanted)) return isLarge
  if (names.some((name) => name.startsWith(wanted))) return 1 + isLarge
  if (countries.some((name) => name.startsWith(wanted))) return 2 + isLarge
  const said = [...all.flatMap((name) => name.split(' ')), ...plainWords(label)]
  if (words.every((word) => said.some((one) => one.startsWith(word)))) return 3 + isLarge
  return words.every((word) => said.some((one) => one.includes(word))) ? 4 + isLarge : undefined
}
