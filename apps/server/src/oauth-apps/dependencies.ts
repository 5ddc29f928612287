import type { Access } from '../access/access.ts'
import type { Platform } from '../platform/platform.ts'
import { withOwnDocument } from './agent-clients/command-line-client.ts'
import { defaultDocumentFetch, type FetchDocument } from './agent-clients/fetch-document.ts'
import { defaultPageChecks, type PageChecks } from './page-checks.ts'

type Given = Pick<Platform, 'config' | 'clock' | 'http' | 'random' | 'encryption' | 'database'> & Pick<Access, 'serve'>

/** What the module receives. Endpoints use the database of their handler's context, which may be a transaction. */
export type Dependencies = Given & { checkPages: PageChecks; fetchDocument: FetchDocument }

export type AppsOptions = {
  /** The checker of a submitted app's pages; the guarded fetch when absent. */
  checkPages?: PageChecks
  /** Fetches client ID metadata documents; the guarded fetch when absent. */
  fetchDocument?: FetchDocument
}

export const createAppsDependencies = <More extends Given>(
  given: More,
  { checkPages = defaultPageChecks(given.config), fetchDocument = defaultDocumentFetch(given.config) }: AppsOptions,
): More & Dependencies => ({ ...given, checkPages, fetchDocument: withOwnDocument(given.config, fetchDocument) })
