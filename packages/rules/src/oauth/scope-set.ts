/** Scopes of OpenID Connect that clients send unasked: they name nothing here, and must not be in the way (oauth.md 1). */
export const ignoredScopes: readonly string[] = ['openid', 'profile', 'email', 'offline_access']

/** What is wanted, in the order in which it was registered, each once (oauth.md 3.2). What was not registered is left out. */
export const inRegisteredOrder = <Scope extends string>(
  registered: readonly Scope[],
  wanted: readonly string[],
): Scope[] => registered.filter((scope) => wanted.includes(scope))

/** The names in a `scope` parameter (RFC 6749, 3.3), each once; undefined when the text is no list of scopes. */
export function readScopes(text: string): string[] | undefined {
  if (!/^[\x21\x23-\x5b\x5d-\x7e]+(?: [\x21\x23-\x5b\x5d-\x7e]+)*$/.test(text)) return undefined
  return [...new Set(text.split(' '))]
}

/** In answers, and the other way round for `readScopes`. */
export const writeScopes = (scopes: readonly string[]): string => scopes.join(' ')

export const includesAll = (scopes: readonly string[], wanted: readonly string[]): boolean =>
  wanted.every((scope) => scopes.includes(scope))

export const areSame = (scopes: readonly string[], others: readonly string[]): boolean =>
  includesAll(scopes, others) && includesAll(others, scopes)
