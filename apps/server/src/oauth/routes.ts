import type { AuthorizeService } from './authorize/authorize-service.ts'
import { servePages } from './authorize/serve-pages.ts'
import { serveTokens } from './grants/serve-tokens.ts'
import { serveRegisterClient } from './token/register-client.ts'
import type { TokenServiceDependencies } from './token/token-service.ts'

/** Register the authorization pages, the endpoints for clients, and those for people about their connected apps. */
export function registerOauthRoutes(service: AuthorizeService & TokenServiceDependencies): void {
  const { http } = service
  serveTokens(service)
  serveRegisterClient(service)
  servePages(http, service)
}
