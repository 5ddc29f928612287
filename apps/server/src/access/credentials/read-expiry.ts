import { type Reading, refuse } from '@parley/rules/text/reading'
import { readTimestamp } from '@parley/rules/text/timestamp'

const path = '/expiresOn'

/**
 * Read when a credential expires; null means never. Any future time is allowed: credentials may also never expire, so a
 * maximum would only push people to that.
 */
export function readExpiry(expiresOn: string | null | undefined, now: Date): Reading<Date | null> {
  if (expiresOn === undefined || expiresOn === null) return { value: null }
  const at = readTimestamp(expiresOn)
  if (at === undefined) {
    const message = 'expiresOn must be an RFC 3339 timestamp, such as 2030-01-31T00:00:00Z.'
    return refuse({ path, code: 'bad_format', message })
  }
  return at > now ? { value: at } : refuse({ path, code: 'in_the_past', message: 'expiresOn must be in the future.' })
}
