import type { ClientType } from './oauth/client-type.ts'

/** The issuer in the examples of docs/oauth.md. */
const pageIssuer = 'http://localhost:3000'

/** The callbacks of the example programs, by where they run. */
export const exampleCallbacks: Record<ClientType, string> = {
  confidential: 'http://localhost:8080/callback',
  native: 'http://127.0.0.1/callback',
  single_page: 'http://localhost:8080/app/',
}

/** In programs that do not read it from their environment. */
const pageClientId = 'your-client-id'

/** A developer's own values, which replace those of the examples. */
export type OwnValues = { issuer: string; callback: string; scopes: readonly string[]; clientId?: string }

/** A list of scopes in a program: `user:read`, then others with any separator. */
const scopeList = /user:read(?:(%20| |", "|', ')meeting:\w+)+/g

/**
 * Fill an app's own issuer, callback, scopes and, where it is known, client id into an example program. Native programs
 * build their callback from the port that they get.
 */
export const fillIn = (text: string, { issuer, callback, scopes, clientId = pageClientId }: OwnValues): string =>
  text
    .replaceAll(pageIssuer, issuer)
    .replaceAll(exampleCallbacks.confidential, callback)
    .replaceAll(exampleCallbacks.single_page, callback)
    .replaceAll(pageClientId, clientId)
    .replaceAll(scopeList, (_list, between: string) => scopes.join(between))

/** The callback that the example programs listen on, when the app has registered it; otherwise its first one. */
export const callbackFor = (callbackUrls: readonly string[], preferred: string): string =>
  callbackUrls.includes(preferred) ? preferred : (callbackUrls[0] ?? preferred)
