import type { App, CheckResult, Reason } from '@parley/contract'
import type { Database } from '../tables/tables.ts'
import { fieldsOf } from './app-fields.ts'
import type { RegisteredApp, RevisionRow } from './app-store.ts'
import { flagNames } from './owner-identity.ts'
import { findChecks } from './review/revision-store.ts'
import { findReasons } from './review-store.ts'

type Told = { revision: RevisionRow; reasons: readonly Reason[]; checks?: CheckResult[] }

/** An app as its developer and its reviewers read it, with one of its revisions. */
export function viewApp({ app, live }: RegisteredApp, { revision, reasons, checks }: Told): App {
  // What is live stays approved, wherever a change of it stands; a suspension takes both.
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
    sandboxClientId: app.sandboxClientId,
    liveRevision: app.liveRevision,
    ...(app.draftRevision !== null && { draftRevision: app.draftRevision }),
    shownOwner: { name: revision.ownerName ?? '', organisation: revision.ownerOrganisation },
    ...(checks !== undefined && { checks }),
    createdOn: app.createdAt.toISOString(),
    modifiedOn: app.modifiedAt.toISOString(),
  }
}

/** The draft when there is one, else what is live. */
export function newestRevision({ app, live, draft }: RegisteredApp): RevisionRow {
  const revision = draft ?? live
  if (revision === undefined) throw new Error(`The app ${app.id} has no revision.`)
  return revision
}

/** One app with all that is told of it. */
export async function showApp(
  database: Database,
  registered: RegisteredApp,
  revision = newestRevision(registered),
): Promise<App> {
  const { id } = registered.app
  // One after the other: in a transaction there is one connection.
  const reasons = await findReasons(database, [id])
  const checks = [...(await findChecks(database, id, revision.number)), ...flagNames(revision)]
  return viewApp(registered, { revision, reasons: reasons.get(id) ?? [], checks })
}
