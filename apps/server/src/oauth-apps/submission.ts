import { type CheckResult, resubmitApp } from '@parley/contract'
import { plainHttpFields } from '@parley/rules/oauth-apps/app-fields'
import { type AppState, stateAfter } from '@parley/rules/oauth-apps/app-review'
import type { Likeness } from '@parley/rules/oauth-apps/look-alike-names'
import { type Database, inTransaction, type Tx } from '../platform/database/database.ts'
import { problem, tooManyRequests } from '../platform/http/problem.ts'
import { type AppChange, recordAppChange } from './app-audit.ts'
import { invalidApp, readFields, readReviewNotes } from './app-request.ts'
import {
  fieldsOf,
  insertRevision,
  type RegisteredApp,
  type RegisteredFields,
  recordFindings,
  requireDistinctName,
  requireOwnApp,
  requireOwnAppForUpdate,
  requireUnchanged,
  reserveName,
  updateApp,
} from './app-store.ts'
import { loadApp } from './app-view.ts'
import type { Dependencies } from './dependencies.ts'
import { requireOauth } from './oauth-access.ts'
import { findOwnerNameViolation, isSameOwner, type OwnerIdentity, readOwnerIdentity } from './owner-identity.ts'
import type { PageFindings } from './page-checks.ts'
import { hasSubmissionsLeft, insertReviewLine } from './review-store.ts'

/**
 * The results of the pre-checks, and the owner as checked. Exactly this is stored, even if the developer changes the
 * account meanwhile.
 */
type Examination = PageFindings & { owner: OwnerIdentity }

type ExaminedApp = { fields: RegisteredFields; found: RegisteredApp | undefined; developerId: string }

/** Retry-After of a submission above the limit of 24 hours; some submissions are older by then. */
const retryAfterMs = 60 * 60 * 1000

/**
 * Run the pre-checks of a submission, whose results the developer and the reviewer see (docs/oauth.md, "Review"). Never
 * call it in a transaction: it fetches pages, which takes seconds.
 * @throws app_name_taken, too_many_requests, invalid_app for the owner's name
 */
export async function examineApp(
  { checkPages, clock, config }: Dependencies,
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

/** Always passed: a request that violates the rules of the form is refused before. */
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

type Submission = Omit<AppChange, 'action' | 'detail' | 'event'> & {
  revision: number
  findings: Examination
  /** The developer's answer to the reasons of the previous decision. */
  answer: string | undefined
  /** The time of the app's first submission, which opens its sandbox. */
  submittedAt: Date | null
}

/** Submit a revision for review, in the transaction that wrote it. The app's row is locked. */
export async function recordSubmission(
  tx: Tx,
  { revision, findings, answer = '', submittedAt, ...change }: Submission,
) {
  const { app, caller, now, random } = change
  await recordFindings(tx, app.id, revision, findings, now)
  await updateApp(tx, app.id, {
    status: 'under_review',
    draftRevision: revision,
    submittedAt: submittedAt ?? now,
    modifiedAt: now,
  })
  const line = { appId: app.id, revision, decidedBy: caller.accountId, now, random }
  await insertReviewLine(tx, { ...line, decision: 'submitted', reasons: [], answer: answer.trim() })
  await recordAppChange(tx, {
    ...change,
    action: 'app.submitted',
    detail: { revision },
    event: { kind: 'app_submitted', cause: `Revision ${revision} was submitted for review.` },
  })
}

/**
 * Submit an unchanged app again: a rejected app, because a page that did not answer may do so now, or a live app whose
 * owner's name has changed, because the new name is shown only after a review.
 */
export function registerResubmission(dependencies: Dependencies) {
  const { serve, clock, random, config } = dependencies
  serve(resubmitApp, {
    handle: async ({ caller, params: { appId }, body, request, database }) => {
      await requireOauth(database, caller)
      const found = await requireOwnApp(database, appId, caller.accountId)
      readReviewNotes(body)
      const { status } = found.app
      if (status === 'under_review') return loadApp(database, found)
      const submitted =
        status === 'approved' ? await requireChangedOwner(database, dependencies, found, caller.accountId) : found.draft
      if (!isSubmittable(status) || submitted === undefined) throw problem('wrong_app_state')
      // The operator's rules may have become stricter since the save.
      const fields = readFields(fieldsOf(submitted), { ...config, liveName: found.live?.name })
      const findings = await examineApp(dependencies, database, { fields, found, developerId: caller.accountId })

      return inTransaction(database, async (tx) => {
        const now = clock.now()
        const { app, draft } = requireUnchanged(found, await requireOwnAppForUpdate(tx, appId, caller.accountId))
        await reserveName(tx, fields.name, app.id)
        const { owner } = findings
        const revision = draft?.number ?? (await insertRevision(tx, app.id, { fields, owner, now }))
        const { submittedAt } = app
        const change = { app, caller, request, now, random }
        await recordSubmission(tx, { ...change, revision, findings, answer: body.answer, submittedAt })
        return loadApp(tx, await requireOwnAppForUpdate(tx, app.id, caller.accountId))
      })
    },
  })
}

const isSubmittable = (status: AppState) => status === 'approved' || stateAfter(status, 'submit') !== undefined

/** Return the live revision if its owner's name or organisation has changed. @throws nothing_to_submit */
async function requireChangedOwner(
  database: Database,
  { config }: Dependencies,
  { live }: RegisteredApp,
  ownerId: string,
) {
  const owner = await readOwnerIdentity(database, ownerId, config)
  const shown = { name: live?.ownerName ?? owner.name, organisation: live?.ownerOrganisation ?? null }
  if (isSameOwner(owner, shown)) throw problem('nothing_to_submit')
  return live
}
