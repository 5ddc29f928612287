import type { Service } from '../access/service.ts'
import { defaultDocumentFetch, type FetchDocument } from './agent-clients/fetch-document.ts'
import { defaultPageChecks, type PageChecks } from './page-checks/page-checks.ts'

/** What handlers of app endpoints receive in addition to `Service`. */
export type AppsService = Service & { checkPages: PageChecks; fetchDocument: FetchDocument }

export type AppsOptions = {
  /** Looks at the pages of a submitted app; the guarded fetch when absent. */
  checkPages?: PageChecks
  /** Fetches client ID metadata documents; the guarded fetch when absent. */
  fetchDocument?: FetchDocument
}

export const createAppsService = <Given extends Service>(
  service: Given,
  { checkPages = defaultPageChecks(service.config), fetchDocument = defaultDocumentFetch(service.config) }: AppsOptions,
): Given & AppsService => ({ ...service, checkPages, fetchDocument })
