import type { CheckResult } from '@parley/contract'
import type { Service } from '../access/service.ts'
import type { Config } from '../platform/config/config.ts'
import { createGuardedFetch } from '../platform/outbound/guarded-fetch.ts'
import { hostListChecker, readDeniedHosts } from './page-checks/denied-hosts.ts'
import { createPageChecks } from './page-checks/page-checks.ts'

/** What the pre-checks look at: the pages that a revision names. */
export type CheckedRevision = {
  name: string
  homepageUrl: string
  policyUrl: string
  logoUrl: string
  callbackUrls: readonly string[]
}

export type PageFindings = {
  checks: CheckResult[]
  /** The picture at `logoUrl`, when there is one that can be shown from our origin. */
  logo?: { mediaType: string; bytes: Buffer }
}

/**
 * Looks at the pages of a revision (oauth.md 4). What is wrong with a page is a result, never an error: a developer's
 * slow server must not refuse a submission. Called outside any transaction; ends by itself within some seconds.
 */
export type PageChecks = (revision: CheckedRevision) => Promise<PageFindings>

/** What the deeds of apps need beyond what every feature is handed. */
export type AppsService = Service & { checkPages: PageChecks }

export const createAppsService = (service: Service, checkPages = defaultPageChecks(service.config)): AppsService => ({
  ...service,
  checkPages,
})

/** APP_CHECKS=off: hosts are judged all the same, and nothing leaves the house. */
export const defaultPageChecks = ({ appChecks, baseUrl }: Pick<Config, 'appChecks' | 'baseUrl'>): PageChecks =>
  createPageChecks({
    fetch: appChecks === 'off' ? undefined : createGuardedFetch({ baseUrl }),
    hostCheckers: [hostListChecker(readDeniedHosts())],
  })
