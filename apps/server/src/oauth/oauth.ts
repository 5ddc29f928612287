import type { Database } from '../platform/database/database.ts'
import type { ModuleJobs } from '../platform/jobs/module-jobs.ts'
import { registerAuthorizationPages } from './authorize/authorization-pages.ts'
import { deleteExpiredRequests } from './authorize/authorization-request-store.ts'
import type { Dependencies } from './dependencies.ts'
import { registerDiscovery } from './grants/discovery.ts'
import { registerGrants } from './grants/grants.ts'
import { registerUserProfile } from './grants/user-profile.ts'
import { createServeClient } from './token/client-endpoint.ts'
import { registerEmbedTickets } from './token/embed-tickets.ts'
import { registerRegistration } from './token/registration.ts'
import { registerRevocation } from './token/revocation.ts'
import { registerTokenEndpoint } from './token/token-endpoint.ts'
import { deleteExpiredTokens } from './token/token-store.ts'

/** Register the authorization pages, the endpoints for clients, and those for people about their connected apps. */
export function registerOauth(dependencies: Dependencies): void {
  registerDiscovery(dependencies)
  registerRegistration(dependencies)
  registerAuthorizationPages(dependencies)
  const serveClient = createServeClient(dependencies)
  registerTokenEndpoint(serveClient, dependencies)
  registerRevocation(serveClient, dependencies)
  registerEmbedTickets(dependencies)
  registerUserProfile(dependencies)
  registerGrants(dependencies)
}

/** Authorization requests, codes and tokens expire. */
export const createOauthJobs = ({ database }: { database: Database }): ModuleJobs => ({
  async deleteExpired(now) {
    await deleteExpiredTokens(database, now)
    await deleteExpiredRequests(database, now)
  },
})
