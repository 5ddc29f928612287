import { ignoredScopes, readScopes } from './scope-set.ts'

/** The form's fields; each appears at most once, and none is empty. */
type TokenForm = {
  grant_type?: string
  code?: string
  redirect_uri?: string
  code_verifier?: string
  refresh_token?: string
  scope?: string
}

type TokenRequest =
  | { kind: 'code'; code: string; redirectUri: string | undefined; codeVerifier: string | undefined }
  /** `scopes` undefined: all scopes of the refresh token. */
  | { kind: 'refresh'; refreshToken: string; scopes: readonly string[] | undefined }
  | { kind: 'refused'; error: 'invalid_request' | 'unsupported_grant_type' | 'invalid_scope'; cause: string }

/** Read the request of an authenticated client at the token endpoint (RFC 6749, 4.1.3 and 6). */
export function readTokenRequest(form: TokenForm): TokenRequest {
  switch (form.grant_type) {
    case undefined:
      return refuse('invalid_request', 'grant_type is missing.')
    case 'authorization_code':
      if (form.code === undefined) return refuse('invalid_request', 'code is missing.')
      return { kind: 'code', code: form.code, redirectUri: form.redirect_uri, codeVerifier: form.code_verifier }
    case 'refresh_token':
      return readRefresh(form)
    default:
      return refuse('unsupported_grant_type', 'grant_type is neither authorization_code nor refresh_token.')
  }
}

function readRefresh({ refresh_token: refreshToken, scope }: TokenForm): TokenRequest {
  if (refreshToken === undefined) return refuse('invalid_request', 'refresh_token is missing.')
  if (scope === undefined) return { kind: 'refresh', refreshToken, scopes: undefined }
  const named = readScopes(scope)
  if (named === undefined) return refuse('invalid_scope', 'scope is not a list of scopes with single spaces between.')
  const scopes = named.filter((name) => !ignoredScopes.includes(name))
  return { kind: 'refresh', refreshToken, scopes: scopes.length === 0 ? undefined : scopes }
}

const refuse = (error: 'invalid_request' | 'unsupported_grant_type' | 'invalid_scope', cause: string) =>
  ({ kind: 'refused', error, cause }) as const
