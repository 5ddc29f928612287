import type { App, CheckResult, Reason } from '@parley/contract'
import type { Database } from '../platform/database/database.ts'
import { fieldsOf, findChecks, newestRevision, type RegisteredApp, type RevisionRow } from './app-store.ts'
import { flagNames } from './owner-identity.ts'
import { findReasons } from './review-store.ts'

type ViewedRevision = { revision: RevisionRow; reasons: readonly Reason[]; checks?: CheckResult[] }

/** Convert one revision of an app to the reply of the API, for its developer and for reviewers. */
export function toApp({ app, live }: RegisteredApp, { revision, reasons, checks }: ViewedRevision): App {
  // A live app is shown as approved even if its draft is not; a suspension affects both.
  const isLive = live !== undefined && app.status !== 'suspended'
  const isAboutDraft = revision.number !== live?.number
  return {
    _id: app.id,
    ...fieldsOf(revision),
    status: isLive ? 'approved' : app.status,
    ...(isLive && app.draftRevision !== null && { draftStatus: app.status }),
    reasons: isAboutDraft || app.status === 'suspended' ? [...reasons] : [],
    scopeReasons: app.scopeReasons,
    reviewNotes: app.reviewNotes,
    ...(app.clientId !== null && { clientId: app.clientId }),
    sandboxClientId: app.sandboxClientId ?? '',
    liveRevision: app.liveRevision,
    ...(app.draftRevision !== null && { draftRevision: app.draftRevision }),
    shownOwner: { name: revision.ownerName ?? '', organisation: revision.ownerOrganisation },
    ...(checks !== undefined && { checks }),
    createdOn: app.createdAt.toISOString(),
    modifiedOn: app.modifiedAt.toISOString(),
  }
}

/** Load the reasons and checks of an app, and convert it to the reply of the API. */
export async function loadApp(
  database: Database,
  registered: RegisteredApp,
  revision = newestRevision(registered),
): Promise<App> {
  const { id } = registered.app
  // Sequential, because a transaction has one connection.
  const reasons = await findReasons(database, [id])
  const checks = [...(await findChecks(database, id, revision.number)), ...flagNames(revision)]
  return toApp(registered, { revision, reasons: reasons.get(id) ?? [], checks })
}
