import { listTimeZones } from '@parley/contract'
import { timeZoneAliases } from '@parley/rules/recurrence/time-zone'
import type { Service } from '../access/service.ts'

/**
 * List the codes that this service accepts: the operator's own (TZ_ALIASES) take precedence over the built-in ones.
 */
export function serveListTimeZones({ serve, config }: Service) {
  const own = [...config.timeZoneAliases].map(([code, timeZone]) => ({ code, timeZone, settledAgainst: '' }))
  const rest = timeZoneAliases.filter(({ code }) => !config.timeZoneAliases.has(code))
  const timeZones = [...own, ...rest].toSorted((one, other) => one.code.localeCompare(other.code, 'en'))
  serve(listTimeZones, { handle: async () => ({ timeZones }) })
}
