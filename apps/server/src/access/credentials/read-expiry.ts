import { type Parsed, refuseAt } from '@parley/rules/text/parsed'
import { readTimestampField } from '@parley/rules/text/timestamp'

const path = '/expiresOn'

/**
 * Read when a credential expires; null means never. Any future time is allowed: credentials may also never expire, so a
 * maximum would only push people to that.
 */
export function readExpiry(expiresOn: string | null | undefined, now: Date): Parsed<Date | null> {
  if (expiresOn === undefined || expiresOn === null) return { value: null }
  const at = readTimestampField(path, expiresOn)
  if (at.violations !== undefined || at.value > now) return at
  return refuseAt(path, 'in_the_past', 'must be in the future')
}
