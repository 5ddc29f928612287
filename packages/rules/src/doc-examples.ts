/** Where the examples of docs/oauth.md say that Parley is served, and where their own program listens. */
const pageIssuer = 'http://localhost:3000'
export const pageCallback = 'http://localhost:8080/callback'

/** What a developer's own app has in place of the values of the examples. */
export type OwnValues = { issuer: string; callback: string; scopes: readonly string[] }

/** A list of scopes as a program writes it: after `user:read` come others, with what parts them. */
const scopeList = /user:read(?:(%20| |", "|', ')meeting:\w+)+/g

/** A program of the page with an app's own issuer, callback and scopes. */
export const fillIn = (text: string, { issuer, callback, scopes }: OwnValues): string =>
  text
    .replaceAll(pageIssuer, issuer)
    .replaceAll(pageCallback, callback)
    .replaceAll(scopeList, (_list, between: string) => scopes.join(between))

/** The callback that the page's programs listen on where the app has registered it; else its first one. */
export const callbackFor = (callbackUrls: readonly string[], preferred: string): string =>
  callbackUrls.includes(preferred) ? preferred : (callbackUrls[0] ?? preferred)
