import { submitApp } from '@parley/contract'
import { inTransaction, type Tx } from '../../platform/database/database.ts'
import { problem } from '../../platform/http/problem.ts'
import { recordAppChange } from '../app-audit.ts'
import { readFields } from '../app-fields.ts'
import { reserveName } from '../app-name-store.ts'
import { insertApp, lockOwnApp } from '../app-store.ts'
import { showApp } from '../app-view.ts'
import type { AppsService } from '../apps-service.ts'
import { newClientId } from '../credentials/client-id.ts'
import { requireOauth } from '../oauth-access.ts'
import { readOwnerIdentity } from '../owner-identity.ts'
import { examineApp } from '../page-checks/examine-app.ts'
import { readReviewNotes } from './review-notes.ts'
import { insertRevision } from './revision-store.ts'
import { recordSubmission } from './submission.ts'

/** More than one developer maintains; the list fits on one page. */
const maxApps = 100

export function serveSubmitApp(service: AppsService) {
  const { serve, clock, random, config } = service
  serve(submitApp, {
    handle: async ({ caller, body, request, database }) => {
      await requireOauth(database, caller)
      const notes = readReviewNotes(body)
      const fields = readFields(body, config)
      await requireFreeAppSlot(database, caller.accountId)
      const developerId = caller.accountId
      const findings = body.draft
        ? undefined
        : await examineApp(service, database, { fields, found: undefined, developerId })

      return inTransaction(database, async (tx) => {
        const now = clock.now()
        // Serialize a developer's submissions, so that they are counted correctly.
        await tx.selectFrom('account').select('id').where('id', '=', caller.accountId).forNoKeyUpdate().execute()
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
        await tx.updateTable('app').set({ draftRevision: number }).where('id', '=', app.id).execute()
        const change = { app, caller, request, now, random }
        await recordAppChange(tx, { ...change, action: 'app.created', detail: { name: fields.name } })
        if (findings !== undefined)
          await recordSubmission(tx, { ...change, revision: number, findings, answer: undefined, submittedAt: null })
        const registered = await lockOwnApp(tx, app.id, caller.accountId)
        if (registered === undefined) throw problem('app_not_found')
        return showApp(tx, registered)
      })
    },
  })
}

/** @throws too_many_apps */
async function requireFreeAppSlot(database: Pick<Tx, 'selectFrom'>, ownerId: string) {
  const { count } = await database
    .selectFrom('app')
    .select((app) => app.fn.countAll<number>().as('count'))
    .where('ownerId', '=', ownerId)
    .where('deletedAt', 'is', null)
    .executeTakeFirstOrThrow()
  if (count >= maxApps) throw problem('too_many_apps')
}
