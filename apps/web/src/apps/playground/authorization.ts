export type Authorization = { url: string; state: string; verifier: string | undefined }

type AuthorizationOptions = {
  endpoint: string
  clientId: string
  redirectUri: string
  scopes: readonly string[]
  askAgain: boolean
}

/**
 * Build an authorization request (RFC 6749, 4.1.1) with a fresh state and, where the browser supports it, a challenge
 * (RFC 7636).
 */
export async function newAuthorization(options: AuthorizationOptions): Promise<Authorization> {
  const { endpoint, clientId, redirectUri, scopes, askAgain } = options
  const state = newSecretText()
  const verifier = newSecretText()
  const challenge = await challengeOf(verifier)
  const parameters = new URLSearchParams({
    response_type: 'code',
    client_id: clientId,
    redirect_uri: redirectUri,
    scope: scopes.join(' '),
    state,
    ...(challenge !== undefined && { code_challenge: challenge, code_challenge_method: 'S256' }),
    ...(askAgain && { prompt: 'consent' }),
  })
  return { url: `${endpoint}?${parameters}`, state, verifier: challenge === undefined ? undefined : verifier }
}

/** The authorization response, and whether it may be trusted. */
export type AuthorizationResponse = {
  parameters: readonly (readonly [string, string])[]
  /** Absent after a refusal. */
  code: string | undefined
  stateFits: boolean
  /** Undefined when the app has switched `iss` off. */
  issuerFits: boolean | undefined
}

/** Parse the authorization response. A wrong state or issuer marks a forged response (RFC 9700, 4.7; RFC 9207). */
export function readAuthorizationResponse(
  query: string,
  { state }: Pick<Authorization, 'state'>,
  issuer: string,
): AuthorizationResponse {
  const parameters = new URLSearchParams(query)
  const iss = parameters.get('iss')
  return {
    parameters: [...parameters],
    code: parameters.get('code') ?? undefined,
    stateFits: parameters.get('state') === state,
    issuerFits: iss === null ? undefined : iss === issuer,
  }
}

/** Recommended by RFC 7636, 4.1; `state` has the same length. */
const secretBytes = 32

const base64Url = (bytes: Uint8Array) =>
  btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '')

/** Generate 43 unguessable characters: a code verifier, or a state. */
export const newSecretText = (): string => base64Url(crypto.getRandomValues(new Uint8Array(secretBytes)))

/**
 * The S256 challenge of a verifier (RFC 7636, 4.2). Undefined without HTTPS, where browsers have no `crypto.subtle`.
 */
export async function challengeOf(verifier: string): Promise<string | undefined> {
  // Missing in insecure contexts, despite its type.
  const subtle: SubtleCrypto | undefined = crypto.subtle
  if (subtle === undefined) return undefined
  return base64Url(new Uint8Array(await subtle.digest('SHA-256', new TextEncoder().encode(verifier))))
}
