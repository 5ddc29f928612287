import type { App, CheckResult, Reason } from '@parley/contract'
import type { Database } from '../platform/database/database.ts'
import { fieldsOf } from './app-fields.ts'
import type { RegisteredApp, RevisionRow } from './app-store.ts'
import { flagNames } from './owner-identity.ts'
import { findChecks } from './review/revision-store.ts'
import { findReasons } from './review-store.ts'

type ViewedRevision = { revision: RevisionRow; reasons: readonly Reason[]; checks?: CheckResult[] }

/** View one revision of an app, for its developer and for reviewers. */
export function viewApp({ app, live }: RegisteredApp, { revision, reasons, checks }: ViewedRevision): App {
  // A live app is shown as approved whatever the state of its draft; a suspension affects both.
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

/** The draft if there is one, else the live revision. */
export function newestRevision({ app, live, draft }: RegisteredApp): RevisionRow {
  const revision = draft ?? live
  if (revision === undefined) throw new Error(`The app ${app.id} has no revision.`)
  return revision
}

/** View an app with its reasons and checks. */
export async function showApp(
  database: Database,
  registered: RegisteredApp,
  revision = newestRevision(registered),
): Promise<App> {
  const { id } = registered.app
  // Sequential, because a transaction has one connection.
  const reasons = await findReasons(database, [id])
  const checks = [...(await findChecks(database, id, revision.number)), ...flagNames(revision)]
  return viewApp(registered, { revision, reasons: reasons.get(id) ?? [], checks })
}
