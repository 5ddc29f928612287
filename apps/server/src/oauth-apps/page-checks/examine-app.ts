import type { CheckResult } from '@parley/contract'
import { plainHttpFields } from '@parley/rules/oauth-apps/app-fields'
import type { Likeness } from '@parley/rules/oauth-apps/look-alike-names'
import type { Database } from '../../platform/database/database.ts'
import { tooManyRequests } from '../../platform/http/problem.ts'
import type { RegisteredFields } from '../app-fields.ts'
import { requireDistinctName } from '../app-name-store.ts'
import type { RegisteredApp } from '../app-store.ts'
import type { AppsService } from '../apps-service.ts'
import { invalidApp } from '../invalid-app.ts'
import { findOwnerNameViolation, type OwnerIdentity, readOwnerIdentity } from '../owner-identity.ts'
import { hasSubmissionsLeft } from '../review-store.ts'
import type { PageFindings } from './page-checks.ts'

/**
 * The results of the pre-checks, and the owner as checked: exactly this is stored, whatever the developer changes
 * meanwhile.
 */
export type Examination = PageFindings & { owner: OwnerIdentity }

type ExaminedApp = { fields: RegisteredFields; found: RegisteredApp | undefined; developerId: string }

/** Some submissions leave the 24-hour window within this time. */
const retryAfterMs = 60 * 60 * 1000

/**
 * Run the pre-checks of a submission, whose results the developer and the reviewer see (docs/oauth.md, "Review"). Takes
 * seconds, because pages are fetched: never call it in a transaction.
 * @throws app_name_taken, too_many_requests, invalid_app for the owner's name
 */
export async function examineApp(
  { checkPages, clock, config }: AppsService,
  database: Database,
  { fields, found, developerId }: ExaminedApp,
): Promise<Examination> {
  if (config.rateLimits && !(await hasSubmissionsLeft(database, developerId, clock.now()))) {
    throw tooManyRequests(retryAfterMs)
  }
  const owner = await readOwnerIdentity(database, developerId, config)
  const violation = findOwnerNameViolation(owner, found?.live?.ownerName)
  if (violation !== undefined) throw invalidApp([violation])
  const likeness = await requireDistinctName(database, fields.name, found?.app.id)
  const { checks, logo } = await checkPages(fields)
  const all = [formCheck, nameCheck(likeness), ...plainHttpFields(fields).map(plainHttpCheck), ...checks]
  return { owner, checks: all, ...(logo !== undefined && { logo }) }
}

/** Violations of the form's rules are refused earlier. */
const formCheck: CheckResult = {
  check: 'format',
  field: '',
  result: 'passed',
  message: 'All fields keep to the rules: form, characters, hosts and parameters.',
}

const nameMessages = {
  same: 'Another app has the same name.',
  near: 'The name differs in one letter from that of another app.',
  ours: 'The name says that the app is official, verified, or Parley’s own.',
  none: 'No other app has a name that looks like this one.',
}

export const nameCheck = (likeness: Likeness): CheckResult => ({
  check: 'look_alike_name',
  field: 'name',
  result: likeness === 'none' ? 'passed' : likeness === 'same' ? 'failed' : 'noted',
  message: nameMessages[likeness],
})

const plainHttpCheck = (field: string): CheckResult => ({
  check: 'plain_http',
  field,
  result: 'noted',
  message: 'This address is http: what goes there can be read and changed on the way.',
})
