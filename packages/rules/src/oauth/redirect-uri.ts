import { type ClientType, isPublic } from './client-type.ts'
import { withoutPort } from './loopback.ts'

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
