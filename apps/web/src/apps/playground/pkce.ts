/** RFC 7636, 4.1 recommends 32 octets; as many make a `state` that nobody guesses. */
const secretBytes = 32

const base64Url = (bytes: Uint8Array) =>
  btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '')

/** 43 characters that nobody guesses: a code verifier, or a state. */
export const newSecretText = (): string => base64Url(crypto.getRandomValues(new Uint8Array(secretBytes)))

/** The S256 challenge of a verifier (RFC 7636, 4.2). Undefined where the browser has no cryptography: without HTTPS. */
export async function challengeOf(verifier: string): Promise<string | undefined> {
  // Missing in insecure contexts, whatever its type says.
  const subtle: SubtleCrypto | undefined = crypto.subtle
  if (subtle === undefined) return undefined
  return base64Url(new Uint8Array(await subtle.digest('SHA-256', new TextEncoder().encode(verifier))))
}
