import { nowMs } from './computer-inputs.ts'
import { CommandError } from './terminal.ts'

/** The service as an authorization server (RFC 8414), and the id that this program has there. */
export type AuthorizationServer = {
  issuer: string
  clientId: string
  authorizationEndpoint: string
  tokenEndpoint: string
  revocationEndpoint: string
}

/** The address of a service as people type it: `meet.example.org` is https. */
export function readAddress(text: string): string {
  const address = /^[a-z][a-z\d+.-]*:\/\//i.test(text) ? text : `https://${text}`
  if (!URL.canParse(address)) throw new CommandError(`${text} is not the address of a service.`)
  const { protocol, hostname, origin } = new URL(address)
  if (protocol === 'https:' || (protocol === 'http:' && /^(localhost|127\.0\.0\.1|\[::1\])$/.test(hostname)))
    return origin
  throw new CommandError(`${text} must begin with https:// for tokens to stay secret on the way.`)
}

/** Read what the service says about itself. */
export async function findServer(base: string): Promise<AuthorizationServer> {
  const metadata = await readJson(`${base}/.well-known/oauth-authorization-server`)
  const { issuer, authorization_endpoint, token_endpoint, revocation_endpoint } = metadata
  if (issuer !== base) throw new CommandError(`The service calls itself ${issuer}. Use this address.`)
  const endpoints = [authorization_endpoint, token_endpoint, revocation_endpoint].map(String)
  const foreign = endpoints.find((endpoint) => !endpoint.startsWith(`${issuer}/`))
  if (foreign !== undefined) throw new CommandError(`The service names an address that is not its own: ${foreign}`)
  const [authorizationEndpoint = '', tokenEndpoint = '', revocationEndpoint = ''] = endpoints
  const clientId = `${issuer}/oauth2/command-line.json`
  return { issuer, clientId, authorizationEndpoint, tokenEndpoint, revocationEndpoint }
}

async function readJson(address: string): Promise<Record<string, string>> {
  try {
    const response = await fetch(address, { redirect: 'error' })
    if (response.ok) return (await response.json()) as Record<string, string>
  } catch {
    // No answer, or none in JSON: the same for the person.
  }
  throw new CommandError(`There is no Parley service at ${new URL(address).origin}.`)
}

type Tokens = { accessToken: string; refreshToken: string; expiresAt: number }

/**
 * Request tokens (RFC 6749, 4.1.3 and 6).
 * @returns undefined when the code or the refresh token is no longer valid
 */
export async function requestTokens(
  { tokenEndpoint, clientId }: AuthorizationServer,
  grant: Record<string, string>,
): Promise<Tokens | undefined> {
  const body = new URLSearchParams({ ...grant, client_id: clientId })
  const response = await fetch(tokenEndpoint, { method: 'POST', body, redirect: 'error' })
  const answer = (await response.json().catch(() => ({}))) as Record<string, string | number>
  if (answer.error === 'invalid_grant' || answer.error === 'invalid_client') return undefined
  const { access_token, refresh_token, expires_in } = answer
  if (!response.ok || typeof access_token !== 'string' || typeof refresh_token !== 'string') {
    throw new CommandError(`The service gave no token: ${answer.error_description ?? `status ${response.status}`}`)
  }
  return { accessToken: access_token, refreshToken: refresh_token, expiresAt: nowMs() + Number(expires_in) * 1000 }
}

/** Revoke a refresh token, and with it the access (RFC 7009). */
export async function revoke(server: AuthorizationServer, refreshToken: string): Promise<void> {
  const body = new URLSearchParams({ token: refreshToken, client_id: server.clientId })
  const { ok, status } = await fetch(server.revocationEndpoint, { method: 'POST', body, redirect: 'error' })
  if (!ok) throw new CommandError(`The service did not revoke the access: status ${status}`)
}
