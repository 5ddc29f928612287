/**
 * The challenge that an authenticator says it has signed (WebAuthn, 5.8.1): what it is looked up by. Whether it was
 * signed is judged with the whole answer. Undefined for what is no client data at all.
 */
export function challengeIn(clientDataJson: string): string | undefined {
  try {
    const { challenge } = Object(JSON.parse(Buffer.from(clientDataJson, 'base64url').toString('utf8')))
    return typeof challenge === 'string' ? challenge : undefined
  } catch {
    return undefined
  }
}
