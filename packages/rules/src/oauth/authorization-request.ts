import { type Prompt, readPrompts } from './prompt.ts'
import { type Resource, readResource } from './resource.ts'
import { ignoredScopes } from './scope-set.ts'

/** The parameters other than the client and the redirect URI, by name, with every value that was sent. */
type SentParameters = ReadonlyMap<string, readonly string[]>

/** The requesting app's approved scopes and its PKCE requirement. */
export type RequestingApp = { scopes: readonly string[]; requirePkce: boolean }

type AuthorizationRequest = {
  /** In the order in which the app has registered them. */
  scopes: readonly string[]
  codeChallenge: string | undefined
  prompts: readonly Prompt[]
  /** What the tokens are for (RFC 8707, 2.1); undefined when the request names none. */
  resource: Resource | undefined
}

type ParsedAuthorizationRequest =
  | { kind: 'read'; request: AuthorizationRequest }
  /** `cause` is for the app's developer, where it says more than the description in the redirect. */
  | { kind: 'refused'; error: AuthorizationRefusal; description: string; cause?: string }

type AuthorizationRefusal = 'invalid_request' | 'unsupported_response_type' | 'invalid_scope' | 'invalid_target'

/** Base64url of SHA-256 has 43 characters (RFC 7636, 4.2); no verifier can match any other challenge. */
const codeChallengePattern = /^[A-Za-z0-9_-]{43}$/

const maxStateBytes = 4096

/** More scopes than exist; further names are invented. */
const maxNamedScopes = 10

const parameters = [
  'response_type',
  'state',
  'scope',
  'code_challenge',
  'code_challenge_method',
  'prompt',
  'login_hint',
]

/**
 * The state to return unchanged: sent exactly once, and at most `maxStateBytes` long. An empty value counts as not sent
 * (RFC 6749, 3.1).
 */
export function stateToReturn(sent: SentParameters): string | undefined {
  const [state, ...others] = sent.get('state') ?? []
  return state === '' || others.length > 0 || (state?.length ?? 0) > maxStateBytes ? undefined : state
}

/**
 * Validate an authorization request whose client and redirect URI are already valid (RFC 6749, 4.1.1; RFC 7636, 4.3).
 * Refusals are returned over the redirect. Unknown parameters are ignored.
 */
export function readAuthorizationRequest(
  sent: SentParameters,
  app: RequestingApp,
  baseUrl: string,
): ParsedAuthorizationRequest {
  const repeated = parameters.find((name) => (sent.get(name)?.length ?? 0) > 1)
  if (repeated !== undefined) return refuse('invalid_request', `${repeated} was sent more than once`)
  const sole = (name: string) => sent.get(name)?.[0] || undefined

  const responseType = sole('response_type')
  if (responseType === undefined) return refuse('invalid_request', 'response_type is missing')
  if (responseType !== 'code') return refuse('unsupported_response_type', 'response_type must be code')
  if ((sole('state')?.length ?? 0) > maxStateBytes) {
    return refuse('invalid_request', `state is longer than ${maxStateBytes} bytes`)
  }

  const codeChallenge = sole('code_challenge')
  const challengeViolation = violationOfChallenge(codeChallenge, sole('code_challenge_method'), app)
  if (challengeViolation !== undefined) return refuse('invalid_request', challengeViolation)

  const prompts = readPrompts(sole('prompt') ?? '')
  if (prompts === undefined) {
    return refuse('invalid_request', 'prompt must be none, or some of login, consent and select_account')
  }

  const target = readResource(sent.get('resource') ?? [], baseUrl)
  if (target.kind === 'refused') return refuse('invalid_target', target.cause)

  const named = (sole('scope') ?? '').split(' ').filter((scope) => scope !== '' && !ignoredScopes.includes(scope))
  const foreign = named.filter((scope) => !app.scopes.includes(scope))
  if (foreign.length > 0) {
    const cause = `the app is not approved for ${foreign.slice(0, maxNamedScopes).join(', ')}`
    return refuse('invalid_scope', 'scope names something that the app is not approved for', cause)
  }
  const scopes = named.length === 0 ? app.scopes : app.scopes.filter((scope) => named.includes(scope))
  return { kind: 'read', request: { scopes, codeChallenge, prompts, resource: target.resource } }
}

function violationOfChallenge(
  challenge: string | undefined,
  method: string | undefined,
  { requirePkce }: RequestingApp,
) {
  if (challenge === undefined) {
    if (method !== undefined) return 'code_challenge_method was sent without code_challenge'
    return requirePkce ? 'code_challenge is missing; this app must use PKCE' : undefined
  }
  if (method !== 'S256') return 'code_challenge_method must be S256'
  return codeChallengePattern.test(challenge) ? undefined : 'code_challenge must be 43 characters of base64url'
}

const refuse = (error: AuthorizationRefusal, description: string, cause?: string): ParsedAuthorizationRequest => ({
  kind: 'refused',
  error,
  description,
  ...(cause !== undefined && { cause }),
})
