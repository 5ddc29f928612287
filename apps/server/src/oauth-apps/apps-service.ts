import type { Service } from '../access/service.ts'
import { defaultPageChecks, type PageChecks } from './page-checks/page-checks.ts'

/** What the deeds of apps need beyond what every feature is handed. */
export type AppsService = Service & { checkPages: PageChecks }

export const createAppsService = (service: Service, checkPages = defaultPageChecks(service.config)): AppsService => ({
  ...service,
  checkPages,
})
