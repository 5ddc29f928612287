/**
 * Whether the app has registered this redirect URI. The comparison is exact, without normalisation (RFC 9700, 2.1): any
 * tolerance would give attackers variants to choose from.
 */
export const isRegistered = (redirectUri: string, registered: readonly string[]): boolean =>
  registered.includes(redirectUri)

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
