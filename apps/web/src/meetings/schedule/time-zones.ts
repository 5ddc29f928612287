import { listTimeZones } from '@parley/contract'
import { queryOptions } from '@tanstack/react-query'
import { client } from '../../session/client.ts'

/** The short codes change with the operator's configuration alone. */
export const timeZonesQuery = queryOptions({
  queryKey: ['time-zones'],
  staleTime: Number.POSITIVE_INFINITY,
  queryFn: async () => (await client.call(listTimeZones)).timeZones,
})

export type TimeZoneCode = { code: string; timeZone: string }

/** The zone to compute with: what a short code means here, or what the browser knows by this name (time-zones.md). */
export const zoneIdOf = (timeZone: string, codes: readonly TimeZoneCode[]): string =>
  codes.find(({ code }) => code === timeZone.toUpperCase())?.timeZone ?? timeZone

/** Every zone by its name: V8 lists some by their older names only, the codes add today's. */
export const zoneNames = (codes: readonly TimeZoneCode[]): string[] =>
  [...new Set([...codes.map(({ timeZone }) => timeZone), ...Intl.supportedValuesOf('timeZone')])].toSorted()
