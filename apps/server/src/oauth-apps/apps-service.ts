import type { Service } from '../access/service.ts'
import { defaultPageChecks, type PageChecks } from './page-checks/page-checks.ts'

/** What handlers of app endpoints receive in addition to `Service`. */
export type AppsService = Service & { checkPages: PageChecks }

export type AppsOptions = {
  /** Looks at the pages of a submitted app; the guarded fetch when absent. */
  checkPages?: PageChecks
}

export const createAppsService = (
  service: Service,
  { checkPages = defaultPageChecks(service.config) }: AppsOptions,
): AppsService => ({ ...service, checkPages })
