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
