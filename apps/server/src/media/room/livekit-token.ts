import { createHmac, timingSafeEqual } from 'node:crypto'

/** The video grant of a LiveKit token (a JWT, RFC 7519, signed with HS256). */
export type VideoGrant = {
  room?: string
  roomJoin?: boolean
  roomAdmin?: boolean
  roomCreate?: boolean
  roomList?: boolean
  canPublish?: boolean
  canPublishSources?: string[]
  canPublishData?: boolean
  canSubscribe?: boolean
  canUpdateOwnMetadata?: boolean
  hidden?: boolean
}

export type TokenClaims = {
  identity: string
  name: string
  metadata: string
  attributes: Record<string, string>
  video: VideoGrant
}

/** The claims of a valid token, with the start of the second in which it was issued; 0 where it does not say. */
export type VerifiedClaims = TokenClaims & { issuedMs: number }

export type ApiKey = { key: string; secret: string }

const maxLivekitTokenLength = 8192
/** The tolerated clock difference, as in LiveKit's own SDK. */
const clockToleranceMs = 10_000

/** The claims of a token; undefined unless it is signed with our secret, issued by our key, and valid now. */
export function verifyToken(token: string, { key, secret }: ApiKey, nowMs: number): VerifiedClaims | undefined {
  const [header = '', payload = '', signature = '', ...more] = token.split('.')
  if (token.length > maxLivekitTokenLength || more.length > 0) return undefined
  const expected = sign(`${header}.${payload}`, secret)
  const given = Buffer.from(signature, 'base64url')
  if (given.length !== expected.length || !timingSafeEqual(given, expected)) return undefined
  const algorithm = decode(header)?.alg
  const claims = decode(payload)
  if (algorithm !== 'HS256' || claims === undefined || claims.iss !== key) return undefined
  const { exp, nbf, sub, video } = claims
  if (typeof exp !== 'number' || exp * 1000 + clockToleranceMs <= nowMs) return undefined
  if (nbf !== undefined && (typeof nbf !== 'number' || nbf * 1000 - clockToleranceMs > nowMs)) return undefined
  return {
    identity: textOf(sub),
    name: textOf(claims.name),
    metadata: textOf(claims.metadata),
    attributes: attributesOf(claims.attributes),
    video: grantOf(video),
    issuedMs: (nbf ?? 0) * 1000,
  }
}

/** Issue a token that is valid from now on. */
export function issueToken(claims: TokenClaims, { key, secret }: ApiKey, nowMs: number, lifetimeMs: number): string {
  const { identity, video, ...rest } = claims
  const now = Math.floor(nowMs / 1000)
  const payload = { ...rest, video, iss: key, sub: identity, nbf: now, exp: now + Math.floor(lifetimeMs / 1000) }
  const signed = `${encode({ alg: 'HS256', typ: 'JWT' })}.${encode(payload)}`
  return `${signed}.${sign(signed, secret).toString('base64url')}`
}

const sign = (text: string, secret: string) => createHmac('sha256', secret).update(text).digest()
const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')

function decode(part: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(Buffer.from(part, 'base64url').toString('utf8'))
    return isRecord(value) ? value : undefined
  } catch {
    return undefined
  }
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
const textOf = (value: unknown) => (typeof value === 'string' ? value : '')

function attributesOf(value: unknown): Record<string, string> {
  const entries = isRecord(value) ? Object.entries(value) : []
  return Object.fromEntries(entries.filter((entry): entry is [string, string] => typeof entry[1] === 'string'))
}

/** Read a grant. A value of a wrong type counts as false. */
function grantOf(value: unknown): VideoGrant {
  const found = isRecord(value) ? value : {}
  const optional = (name: string) => (found[name] === undefined ? {} : { [name]: found[name] === true })
  const sources = found.canPublishSources
  return {
    room: textOf(found.room),
    roomJoin: found.roomJoin === true,
    roomAdmin: found.roomAdmin === true,
    roomCreate: found.roomCreate === true,
    roomList: found.roomList === true,
    hidden: found.hidden === true,
    canUpdateOwnMetadata: found.canUpdateOwnMetadata === true,
    ...optional('canPublish'),
    ...optional('canPublishData'),
    ...optional('canSubscribe'),
    ...(Array.isArray(sources) ? { canPublishSources: sources.filter((source) => typeof source === 'string') } : {}),
  }
}
