/** The issuer in the examples of docs/oauth.md, and the callback of their own program. */
const pageIssuer = 'http://localhost:3000'
export const pageCallback = 'http://localhost:8080/callback'

/** A developer's own values, which replace those of the examples. */
export type OwnValues = { issuer: string; callback: string; scopes: readonly string[] }

/** A list of scopes in a program: `user:read`, then others with any separator. */
const scopeList = /user:read(?:(%20| |", "|', ')meeting:\w+)+/g

/** Fill an app's own issuer, callback and scopes into an example program. */
export const fillIn = (text: string, { issuer, callback, scopes }: OwnValues): string =>
  text
    .replaceAll(pageIssuer, issuer)
    .replaceAll(pageCallback, callback)
    .replaceAll(scopeList, (_list, between: string) => scopes.join(between))

/** The callback that the example programs listen on, when the app has registered it; otherwise its first one. */
export const callbackFor = (callbackUrls: readonly string[], preferred: string): string =>
  callbackUrls.includes(preferred) ? preferred : (callbackUrls[0] ?? preferred)
