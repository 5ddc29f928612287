import { type BodyOf, deleteApp, editApp, listApps, listUseCases, readApp, submitApp, useCases } from '@parley/contract'
import { isPublic } from '@parley/rules/oauth/client-type'
import { stateAfter } from '@parley/rules/oauth-apps/app-review'
import { differencesBetween, type EditPlan, isEqual, planEdit } from '@parley/rules/oauth-apps/app-revision'
import { callbackFor, exampleCallbacks } from '@parley/rules/oauth-apps/example-programs'
import type { FastifyRequest } from 'fastify'
import type { Caller } from '../access/caller.ts'
import { lockAccount } from '../accounts/account/account-store.ts'
import { type Database, inTransaction, type Tx } from '../platform/database/database.ts'
import { ProblemError, problem } from '../platform/http/problem.ts'
import { type AppChange, recordAppChange } from './app-audit.ts'
import { endGrantsOfApp, trimGrantsOfApp } from './app-grants.ts'
import { readFields, readReviewNotes } from './app-request.ts'
import { retireAllSecrets } from './app-secret-store.ts'
import {
  countOwnApps,
  deleteUnsubmittedRevision,
  fieldsOf,
  findOwnApp,
  insertApp,
  insertRevision,
  listOwnApps,
  newestRevision,
  type RegisteredApp,
  type RegisteredFields,
  requireOwnApp,
  requireOwnAppForUpdate,
  requireUnchanged,
  reserveName,
  updateApp,
  updateRevision,
} from './app-store.ts'
import { loadApp, toApp } from './app-view.ts'
import { newClientId } from './client-store.ts'
import type { Dependencies } from './dependencies.ts'
import { requireOauth } from './oauth-access.ts'
import { type OwnerIdentity, readOwnerIdentity } from './owner-identity.ts'
import { findReasons, insertReviewLine } from './review-store.ts'
import { examineApp, recordSubmission } from './submission.ts'

/** Register the endpoints of a developer's apps. */
export function registerApps(dependencies: Dependencies): void {
  serveSubmitApp(dependencies)
  serveReadApp(dependencies)
  serveListApps(dependencies)
  serveEditApp(dependencies)
  serveDeleteApp(dependencies)
  serveListUseCases(dependencies)
}

/** More than one developer maintains; the list fits on one page. */
const maxApps = 100

/** Create an app, as a draft or submitted for review. */
function serveSubmitApp(dependencies: Dependencies) {
  const { serve, clock, random, config } = dependencies
  serve(submitApp, {
    handle: async ({ caller, body, request, database }) => {
      await requireOauth(database, caller)
      const notes = readReviewNotes(body)
      const fields = readFields(body, config)
      await requireFreeAppSlot(database, caller.accountId)
      const developerId = caller.accountId
      const findings = body.draft
        ? undefined
        : await examineApp(dependencies, database, { fields, found: undefined, developerId })

      return inTransaction(database, async (tx) => {
        const now = clock.now()
        // Concurrent submissions of a developer wait here, so that all apps are counted.
        await lockAccount(tx, caller.accountId)
        await requireFreeAppSlot(tx, caller.accountId)
        const app = { id: random.uuid(now), ownerId: caller.accountId }
        await reserveName(tx, fields.name, app.id)
        await insertApp(tx, {
          ...app,
          status: 'draft',
          clientType: fields.clientType,
          statusBefore: null,
          clientId: null,
          sandboxClientId: newClientId('sandbox', random),
          liveRevision: null,
          draftRevision: null,
          submittedAt: null,
          deletedAt: null,
          createdAt: now,
          modifiedAt: now,
          ...notes,
        })
        const owner = findings?.owner ?? (await readOwnerIdentity(tx, caller.accountId, config))
        const number = await insertRevision(tx, app.id, { fields, owner, now })
        await updateApp(tx, app.id, { draftRevision: number })
        const change = { app, caller, request, now, random }
        await recordAppChange(tx, { ...change, action: 'app.created', detail: { name: fields.name } })
        if (findings !== undefined) {
          await recordSubmission(tx, { ...change, revision: number, findings, answer: undefined, submittedAt: null })
        }
        return loadApp(tx, await requireOwnAppForUpdate(tx, app.id, caller.accountId))
      })
    },
  })
}

/** @throws too_many_apps */
async function requireFreeAppSlot(database: Database, ownerId: string): Promise<void> {
  if ((await countOwnApps(database, ownerId)) >= maxApps) throw problem('too_many_apps')
}

function serveReadApp({ serve }: Dependencies) {
  serve(readApp, {
    handle: async ({ caller, params: { appId }, query, database }) => {
      await requireOauth(database, caller)
      const registered = await requireOwnApp(database, appId, caller.accountId)
      const revision = query.revision === undefined ? newestRevision(registered) : registered[query.revision]
      if (revision === undefined)
        throw problem('app_not_found', { detail: `This app has no ${query.revision} revision.` })
      return loadApp(database, registered, revision)
    },
  })
}

/** List all apps of the caller; `maxApps` limits the reply. */
function serveListApps({ serve }: Dependencies) {
  serve(listApps, {
    handle: async ({ caller, database }) => {
      await requireOauth(database, caller)
      const registered = await listOwnApps(database, caller.accountId)
      const ids = registered.map(({ app }) => app.id)
      const reasons = await findReasons(database, ids)
      return {
        apps: registered.map((own) =>
          toApp(own, { revision: newestRevision(own), reasons: reasons.get(own.app.id) ?? [] }),
        ),
      }
    },
  })
}

/**
 * Edit an app. Changes that need a review go into a draft beside the live revision, which is submitted unless the
 * developer only saves it. An app under review stays under review with the new revision, which its reviewer has to read
 * before an approval.
 */
function serveEditApp(dependencies: Dependencies) {
  const { serve, clock, random, config } = dependencies
  serve(editApp, {
    handle: async ({ caller, params: { appId }, body, request, database }) => {
      await requireOauth(database, caller)
      const found = await requireOwnApp(database, appId, caller.accountId)
      if (stateAfter(found.app.status, 'edit') === undefined) throw problem('wrong_app_state')
      const notes = readReviewNotes(body)
      const { clientType, submittedAt } = found.app
      const requested = readFields(
        body,
        { ...config, liveName: found.live?.name, fixedClientType: submittedAt === null ? undefined : clientType },
        fieldsOf(newestRevision(found)),
      )
      const plan = planEdit(found.live && fieldsOf(found.live), requested)
      const examined = { fields: requested, found, developerId: caller.accountId }
      const findings = isSubmission(found, plan, body) ? await examineApp(dependencies, database, examined) : undefined

      return inTransaction(database, async (tx) => {
        const now = clock.now()
        const { app, live, draft } = requireUnchanged(found, await requireOwnAppForUpdate(tx, appId, caller.accountId))
        const before = newestRevision(found)
        await reserveName(tx, requested.name, app.id)
        if (plan.live !== undefined && live !== undefined) {
          await updateRevision(tx, app.id, live.number, { fields: plan.live })
        }
        const owner = findings?.owner ?? (await readOwnerIdentity(tx, caller.accountId, config))
        const change = { app, caller, request, now, random }
        const revision = await saveDraft(tx, { app, live, draft }, { fields: plan.draft, owner, now })
        await updateAppState(tx, { app, live, draft }, revision, body, change)
        await updateApp(tx, app.id, { ...notes, clientType: requested.clientType })
        // The draft of a confidential app may have secrets for the sandbox.
        if (isPublic(requested.clientType)) await retireAllSecrets(tx, app.id, now)
        await trimGrantsOfApp(tx, app, now)
        const differences = differencesBetween(fieldsOf(before), requested)
        if (differences.length > 0) {
          await recordAppChange(tx, { ...change, action: 'app.edited', detail: { differences } })
        }
        if (findings !== undefined && revision !== null) {
          const { submittedAt } = app
          await recordSubmission(tx, { ...change, revision, findings, answer: body.answer, submittedAt })
        }
        return loadApp(tx, await requireOwnAppForUpdate(tx, app.id, caller.accountId))
      })
    },
  })
}

type Body = Pick<BodyOf<typeof editApp>, 'draft'>

/**
 * Decide whether the edit submits the draft. A saved draft is submitted only when the request asks for it; an unchanged
 * draft under review is not checked again.
 */
function isSubmission({ app, draft }: RegisteredApp, plan: EditPlan<RegisteredFields>, body: Body): boolean {
  if (plan.draft === undefined || (body.draft ?? app.status === 'draft')) return false
  return app.status !== 'under_review' || draft === undefined || !isEqual(fieldsOf(draft), plan.draft)
}

/** Save or delete the draft. Submitted revisions are never rewritten. @returns the number of the draft, or null */
async function saveDraft(
  tx: Tx,
  { app, draft }: RegisteredApp,
  { fields, owner, now }: { fields: RegisteredFields | undefined; owner: OwnerIdentity; now: Date },
) {
  if (fields === undefined) {
    if (draft !== undefined) {
      await updateApp(tx, app.id, { draftRevision: null })
      await deleteUnsubmittedRevision(tx, app.id, draft.number)
    }
    return null
  }
  if (draft !== undefined && isEqual(fieldsOf(draft), fields)) return draft.number
  if (draft === undefined || draft.submittedAt !== null) return insertRevision(tx, app.id, { fields, owner, now })
  await updateRevision(tx, app.id, draft.number, { fields, owner })
  return draft.number
}

/** Update the state of the app after a save. A submission is recorded afterwards. */
async function updateAppState(
  tx: Tx,
  { app, draft }: RegisteredApp,
  revision: number | null,
  body: Body,
  { caller, now, random }: Omit<AppChange, 'action'>,
) {
  const withdrawn = app.status === 'under_review' && (revision === null || body.draft === true)
  if (withdrawn && draft !== undefined) {
    const line = { appId: app.id, revision: draft.number, decidedBy: caller.accountId, now, random }
    await insertReviewLine(tx, { ...line, decision: 'withdrawn', reasons: [] })
  }
  const startsDraft = withdrawn || app.status === 'approved'
  const status = revision === null ? 'approved' : startsDraft ? 'draft' : app.status
  await updateApp(tx, app.id, { draftRevision: revision, status, modifiedAt: now })
}

/** Delete an app: revoke its grants and secrets, and mark its row, which other rows refer to. */
function serveDeleteApp({ serve, clock, random }: Dependencies) {
  serve(deleteApp, {
    handle: async ({ caller, params: { appId }, request, database }) => {
      await requireOauth(database, caller)
      return inTransaction(database, async (tx) => {
        const now = clock.now()
        const registered = await requireOwnAppForUpdate(tx, appId, caller.accountId)
        const { app } = registered
        await updateApp(tx, app.id, { deletedAt: now, modifiedAt: now })
        await retireAllSecrets(tx, app.id, now)
        await endGrantsOfApp(tx, app, now)
        const detail = { name: newestRevision(registered).name }
        await recordAppChange(tx, { app, caller, request, now, random, action: 'app.deleted', detail })
        return { status: 'The app is deleted; every token of it has ended.' }
      })
    },
  })
}

function serveListUseCases({ serve }: Dependencies) {
  const reply = { useCases: Object.entries(useCases).map(([code, name]) => ({ code, name })) }
  serve(listUseCases, { handle: async () => reply })
}

type AppExamples = { callback: string; scopes: readonly string[] }

type ExampleDependencies = { database: Database; authenticate: (request: FastifyRequest) => Promise<Caller> }

/**
 * Find the values that the examples of the documentation show for an app. Only its signed-in owner gets them, so that
 * no link makes our pages show the callback of another party.
 */
export const createFindAppExamples =
  ({ database, authenticate }: ExampleDependencies) =>
  async (request: FastifyRequest, appId: string): Promise<AppExamples | undefined> => {
    const caller = await authenticate(request).catch((error) => {
      if (error instanceof ProblemError) return undefined
      throw error
    })
    if (caller?.credential.kind !== 'session') return undefined
    const found = await findOwnApp(database, appId, caller.accountId)
    if (found === undefined) return undefined
    const { callbackUrls, clientType, scopes } = newestRevision(found)
    return { callback: callbackFor(callbackUrls, exampleCallbacks[clientType]), scopes }
  }
