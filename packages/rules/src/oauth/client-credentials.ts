/** The client credentials of a request; a parameter without a value counts as not sent (RFC 6749, 3.2). */
export type SentCredentials = {
  /** The Authorization header. */
  authorization: string | undefined
  clientId: string | undefined
  clientSecret: string | undefined
}

type ClientCredentials =
  | { kind: 'presented'; method: 'basic' | 'post'; clientId: string; secret: string }
  /** A client id alone, as public clients send it (RFC 6749, 3.2.1). */
  | { kind: 'presented'; method: 'none'; clientId: string }
  | {
      kind: 'refused'
      error: 'invalid_client' | 'invalid_request'
      /** The client that the request names, if any. */
      clientId: string | undefined
      /** Whether Basic was used: only then does the response carry a WWW-Authenticate challenge (RFC 6749, 5.2). */
      basic: boolean
      cause: string
    }

/**
 * Read client credentials from the Authorization header or from the form, never from both (RFC 6749, 2.3.1). A
 * client_id in the form in addition to Basic is accepted if it is the same.
 */
export function readClientCredentials(sent: SentCredentials): ClientCredentials {
  const { authorization, clientId, clientSecret } = sent
  if (authorization === undefined) {
    if (clientId === undefined) return refuse('invalid_client', sent, 'The request names no client.')
    if (clientSecret === undefined) return { kind: 'presented', method: 'none', clientId }
    return { kind: 'presented', method: 'post', clientId, secret: clientSecret }
  }
  const encoded = /^basic (.*)$/is.exec(authorization)?.[1]
  const pair = encoded === undefined ? undefined : readBasic(encoded.trim())
  const named = { clientId: pair?.clientId ?? clientId }
  if (clientSecret !== undefined) {
    const cause = 'The request holds a client secret in the form beside an Authorization header.'
    return refuse('invalid_request', named, cause)
  }
  if (encoded === undefined) {
    return refuse('invalid_client', named, 'The Authorization header is not of the scheme Basic.')
  }
  if (pair === undefined) {
    const cause = 'The Authorization header is not the Base64 of client_id:client_secret.'
    return { ...refuse('invalid_client', named, cause), basic: true }
  }
  if (clientId !== undefined && clientId !== pair.clientId) {
    return refuse('invalid_request', named, 'The client_id in the form is not the one in the Authorization header.')
  }
  return { kind: 'presented', method: 'basic', ...pair }
}

function readBasic(encoded: string): { clientId: string; secret: string } | undefined {
  const text = decodeBase64(encoded)
  const colon = text?.indexOf(':') ?? -1
  if (text === undefined || colon < 1) return undefined
  return { clientId: formDecode(text.slice(0, colon)), secret: formDecode(text.slice(colon + 1)) }
}

function decodeBase64(encoded: string): string | undefined {
  try {
    return atob(encoded)
  } catch {
    return undefined
  }
}

/**
 * RFC 6749, 2.3.1. Parley's ids and secrets contain no character that needs encoding, so unencoded ones read the same.
 */
function formDecode(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '))
  } catch {
    return text
  }
}

const refuse = (
  error: 'invalid_client' | 'invalid_request',
  { clientId }: { clientId: string | undefined },
  cause: string,
) => ({ kind: 'refused', error, clientId, basic: false, cause }) as const

/** A secret of the app that was tried, of either environment. */
type TriedSecret = { name: string; sandbox: boolean; retiredAt: Date | null; expiresAt: Date | null }

/**
 * Describe for the app's developer why a secret that the app has, or had, was refused: usually because it belongs to
 * the other environment. Undefined for a secret that has become valid meanwhile.
 */
export function describeTriedSecret(
  { name, sandbox, retiredAt, expiresAt }: TriedSecret,
  client: { sandbox: boolean },
  now: Date,
): string | undefined {
  const end = endOf(retiredAt, expiresAt, now)
  if (sandbox !== client.sandbox) {
    const mixUp = sandbox
      ? `This is the sandbox secret "${name}"; the client id is the live one.`
      : `This is the live secret "${name}"; the client id is the sandbox's.`
    return end === undefined ? mixUp : `${mixUp} That secret ${end}.`
  }
  return end === undefined ? undefined : `The client secret is wrong: "${name}" ${end}.`
}

function endOf(retiredAt: Date | null, expiresAt: Date | null, now: Date): string | undefined {
  if (retiredAt !== null) return 'was retired'
  return expiresAt !== null && expiresAt <= now ? 'has expired' : undefined
}
