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
