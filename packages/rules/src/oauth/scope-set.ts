/** OpenID Connect scopes that some clients always send. These scopes have no meaning here and are ignored. */
export const ignoredScopes: readonly string[] = ['openid', 'profile', 'email', 'offline_access']

/** The requested scopes in registered order, each once. Unregistered scopes are left out. */
export const inRegisteredOrder = <Scope extends string>(
  registered: readonly Scope[],
  requested: readonly string[],
): Scope[] => registered.filter((scope) => requested.includes(scope))

/** Split a `scope` parameter (RFC 6749, 3.3) into distinct names; undefined when its syntax is invalid. */
export function readScopes(text: string): string[] | undefined {
  if (!/^[\x21\x23-\x5b\x5d-\x7e]+(?: [\x21\x23-\x5b\x5d-\x7e]+)*$/.test(text)) return undefined
  return [...new Set(text.split(' '))]
}

/** The inverse of `readScopes`, for responses. */
export const writeScopes = (scopes: readonly string[]): string => scopes.join(' ')

export const includesAll = (scopes: readonly string[], requested: readonly string[]): boolean =>
  requested.every((scope) => scopes.includes(scope))

export const areSame = (scopes: readonly string[], others: readonly string[]): boolean =>
  includesAll(scopes, others) && includesAll(others, scopes)
