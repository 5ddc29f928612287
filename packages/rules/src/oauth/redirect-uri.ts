import { type ClientType, isPublic } from './client-type.ts'
import { withoutPort } from './loopback.ts'

/**
 * The redirect URI of the developer portal's playground. This URI is built in for the sandbox of each app: no app
 * registers it, so that no reviewer sees it and no live app has it.
 */
export const playgroundCallback = (baseUrl: string): string => `${baseUrl}/developers/playground/callback`

/** Whether an address leads to this service's own pages. */
export const isOwnAddress = (address: string, baseUrl: string): boolean =>
  URL.canParse(address) && new URL(address).origin === new URL(baseUrl).origin

type RedirectingClient = { sandbox: boolean; clientType: ClientType; callbackUrls: readonly string[] }

/**
 * Whether a client may have people sent to this redirect URI. Of this service's own pages, only sandbox clients may use
 * one, the playground's callback, whatever an app has registered.
 */
export function mayRedirectTo(redirectUri: string, client: RedirectingClient, baseUrl: string): boolean {
  if (isOwnAddress(redirectUri, baseUrl)) return client.sandbox && redirectUri === playgroundCallback(baseUrl)
  return isRegistered(redirectUri, client.callbackUrls, client.clientType)
}

/**
 * Whether the app has registered this redirect URI. The comparison is exact, without normalisation (RFC 9700, 2.1): any
 * tolerance would give attackers variants to choose from. Only a native app on a loopback address may use any port,
 * because it gets a free one from the operating system (RFC 8252, 7.3).
 */
export function isRegistered(redirectUri: string, registered: readonly string[], clientType: ClientType): boolean {
  if (registered.includes(redirectUri)) return true
  const sent = clientType === 'native' ? withoutPort(redirectUri) : undefined
  return sent !== undefined && registered.some((uri) => withoutPort(uri) === sent)
}

/**
 * Whether only the app itself can receive a redirect or use its code: a confidential client authenticates, and an https
 * address belongs to one owner. A loopback port or a private-use scheme can be taken by any program on the device, so
 * that users are asked each time (RFC 8252, 8.6).
 */
export const identifiesApp = (redirectUri: string, clientType: ClientType): boolean =>
  !isPublic(clientType) || /^https:/i.test(redirectUri)

/** A value is text, or bytes to return unchanged. */
export type RedirectParameter = readonly [name: string, value: string | Uint8Array]

/** Build the redirect: the registered URI with its own query and these parameters (RFC 6749, 4.1.2). */
export function withParameters(redirectUri: string, parameters: readonly RedirectParameter[]): string {
  const added = parameters.map(([name, value]) => `${name}=${percentEncode(value)}`).join('&')
  if (!redirectUri.includes('?')) return `${redirectUri}?${added}`
  return /[?&]$/.test(redirectUri) ? redirectUri + added : `${redirectUri}&${added}`
}

/** Encode each byte that is not unreserved in RFC 3986. A space becomes %20, which form decoders accept too. */
function percentEncode(value: string | Uint8Array): string {
  const bytes = typeof value === 'string' ? new TextEncoder().encode(value) : value
  return Array.from(bytes, (byte) => {
    const character = String.fromCharCode(byte)
    return /[A-Za-z0-9\-._~]/.test(character) ? character : `%${byte.toString(16).toUpperCase().padStart(2, '0')}`
  }).join('')
}
