/**
 * Whether a redirect URI is one that the app has registered (RFC 9700, 2.1): the same characters, nothing normalised.
 * What an attacker can vary, a comparison that is kind forgives.
 */
export const isRegistered = (redirectUri: string, registered: readonly string[]): boolean =>
  registered.includes(redirectUri)

/** A value is text, or bytes that go back exactly as they came. */
export type RedirectParameter = readonly [name: string, value: string | Uint8Array]

/** The address to send the browser back to: the registered one with its own query, and these parameters (RFC 6749, 4.1.2). */
export function withParameters(redirectUri: string, parameters: readonly RedirectParameter[]): string {
  const added = parameters.map(([name, value]) => `${name}=${percentEncode(value)}`).join('&')
  if (!redirectUri.includes('?')) return `${redirectUri}?${added}`
  return /[?&]$/.test(redirectUri) ? redirectUri + added : `${redirectUri}&${added}`
}

/** Each byte that is not unreserved in RFC 3986 is written out: a space as %20, which every reader of forms takes too. */
function percentEncode(value: string | Uint8Array): string {
  const bytes = typeof value === 'string' ? new TextEncoder().encode(value) : value
  return Array.from(bytes, (byte) => {
    const character = String.fromCharCode(byte)
    return /[A-Za-z0-9\-._~]/.test(character) ? character : `%${byte.toString(16).toUpperCase().padStart(2, '0')}`
  }).join('')
}
