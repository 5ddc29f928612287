/**
 * Read the challenge from client data (WebAuthn Level 3, 5.8.1), to find it. Its signature is verified later with the
 * response. Undefined for malformed client data.
 */
export function readSignedChallenge(clientDataJson: string): string | undefined {
  try {
    const { challenge } = Object(JSON.parse(Buffer.from(clientDataJson, 'base64url').toString('utf8')))
    return typeof challenge === 'string' ? challenge : undefined
  } catch {
    return undefined
  }
}
