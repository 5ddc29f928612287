import type { CheckResult } from '@parley/contract'
import { plainHttpFields } from '@parley/rules/oauth-apps/app-fields'
import type { Likeness } from '@parley/rules/oauth-apps/look-alike-names'
import { problem, tooManyRequests } from '../../platform/http/problem.ts'
import type { Database } from '../../tables/tables.ts'
import type { RegisteredFields } from '../app-fields.ts'
import { likenessToOthers } from '../app-name-store.ts'
import type { RegisteredApp } from '../app-store.ts'
import type { AppsService } from '../apps-service.ts'
import { type OwnerIdentity, readOwnerIdentity, validateOwnerName } from '../owner-identity.ts'
import { hasSubmissionsLeft } from '../review-store.ts'
import type { PageFindings } from './page-checks.ts'

/** What was found, and who submits: what was looked at is what is kept, whatever its developer changes meanwhile. */
export type Examination = PageFindings & { owner: OwnerIdentity }

export type Examined = { fields: RegisteredFields; found: RegisteredApp | undefined; developerId: string }

/** A moment later a submission is a day old. */
const retryAfterMs = 60 * 60 * 1000

/**
 * The pre-checks of a submission (oauth.md 4): what its developer reads and its reviewer sees. Takes seconds, since pages
 * are fetched: never call it in a transaction.
 * @throws app_name_taken, too_many_requests, invalid_app for what its developer is called
 */
export async function examineApp(
  { checkPages, clock, config }: AppsService,
  database: Database,
  { fields, found, developerId }: Examined,
): Promise<Examination> {
  if (config.rateLimits && !(await hasSubmissionsLeft(database, developerId, clock.now()))) {
    throw tooManyRequests(retryAfterMs)
  }
  const owner = await readOwnerIdentity(database, developerId, config)
  const violations = validateOwnerName(owner, found?.live?.ownerName)
  if (violations.length > 0) {
    throw problem('invalid_app', { detail: violations.map(({ message }) => message).join(' '), violations })
  }
  const likeness = await likenessToOthers(database, fields.name, found?.app.id)
  const { checks, logo } = await checkPages(fields)
  const all = [formCheck, nameCheck(likeness), ...plainHttpFields(fields).map(plainHttpCheck), ...checks]
  return { owner, checks: all, ...(logo !== undefined && { logo }) }
}

/** What breaks a rule of the form is refused before it comes here. */
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

const nameCheck = (likeness: Likeness): CheckResult => ({
  check: 'look_alike_name',
  field: 'name',
  result: likeness === 'none' ? 'passed' : 'noted',
  message: nameMessages[likeness],
})

const plainHttpCheck = (field: string): CheckResult => ({
  check: 'plain_http',
  field,
  result: 'noted',
  message: 'This address is http: what goes there can be read and changed on the way.',
})
