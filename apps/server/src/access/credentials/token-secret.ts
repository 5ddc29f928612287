import { crc32 } from 'node:zlib'
import type { Random } from '../../platform/random.ts'
import { sha256 } from '../../platform/sha256.ts'

/**
 * The prefix marks the kind of a secret: `sst_` a session, `pat_` and `oat_` API tokens, `ort_` a refresh token, `oac_`
 * an authorization code, `emt_` a ticket of an embedded meeting, `cal_` a calendar feed, `acs_` a client secret; the others are links in emails.
 */
export const tokenPrefixes = {
  session: 'sst_',
  personal: 'pat_',
  oauthAccess: 'oat_',
  oauthRefresh: 'ort_',
  authorizationCode: 'oac_',
  embedTicket: 'emt_',
  appSecret: 'acs_',
  pendingSignUp: 'psu_',
  verifyEmail: 'vfy_',
  resetPassword: 'rst_',
  invitation: 'inv_',
  calendarFeed: 'cal_',
} as const
export type TokenKind = keyof typeof tokenPrefixes

/** What to call a secret in an error message. */
export const tokenNames: Record<TokenKind, string> = {
  session: 'a session token',
  personal: 'a personal token',
  oauthAccess: 'an access token',
  oauthRefresh: 'a refresh token',
  authorizationCode: 'an authorization code',
  embedTicket: 'a ticket of an embedded meeting',
  appSecret: 'a client secret',
  pendingSignUp: 'a token of a link',
  verifyEmail: 'a token of a link',
  resetPassword: 'a token of a link',
  invitation: 'a token of a link',
  calendarFeed: 'the secret of a calendar feed',
}

export type TokenSecret = {
  /** Shown once, to its owner. */
  token: string
  /** SHA-256, the only form that is stored. A secret of 256 random bits needs no salt and no slow hash. */
  hash: Buffer
}

const digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const prefixLength = 4
/** 62^43 is more than 2^256. */
const secretLength = 43
/** 62^6 is more than 2^32. */
const checksumLength = 6
const tokenLength = prefixLength + secretLength + checksumLength

const kindOfPrefix = new Map(
  Object.entries(tokenPrefixes).map(([kind, prefix]) => [prefix as string, kind as TokenKind]),
)

/**
 * Generate a secret: prefix, 256 random bits in base 62, and a CRC-32 of both. Secret scanners know this form from
 * GitHub's tokens: they find a leaked token by its prefix, and a mistyped one is refused without a query.
 */
export const newToken = (kind: TokenKind, random: Random): TokenSecret => tokenOf(kind, random.bytes(32))

/** Derive the token of 32 secret bytes; the same bytes give the same token. */
export function tokenOf(kind: TokenKind, bytes: Buffer): TokenSecret {
  const secret = inBase62(BigInt(`0x${bytes.toString('hex')}`), secretLength)
  const body = tokenPrefixes[kind] + secret
  const token = body + checksumOf(body)
  return { token, hash: sha256(token) }
}

/** Parse a token into its kind and hash; undefined when the text is not a well-formed token. */
export function readToken(text: string): { kind: TokenKind; hash: Buffer } | undefined {
  if (text.length !== tokenLength) return undefined
  const kind = kindOfPrefix.get(text.slice(0, prefixLength))
  const bodyLength = prefixLength + secretLength
  if (kind === undefined || text.slice(bodyLength) !== checksumOf(text.slice(0, bodyLength))) return undefined
  return { kind, hash: sha256(text) }
}

/** Say what a parameter holds instead of a token of this kind: the text alone shows it. */
export function describeOtherToken(parameter: string, wanted: TokenKind, text: string): string {
  const read = readToken(text)
  if (read !== undefined) return `${parameter} holds ${tokenNames[read.kind]}, not ${tokenNames[wanted]}.`
  const hasPrefix = text.startsWith(tokenPrefixes[wanted])
  return hasPrefix ? `${parameter} is incomplete or mistyped.` : `${parameter} is not one of this service.`
}

/** Return the hash of a token of this kind, such as one from an emailed link; undefined for any other text. */
export function readTokenOf(kind: TokenKind, text: string): Buffer | undefined {
  const read = readToken(text)
  return read?.kind === kind ? read.hash : undefined
}

function inBase62(number: bigint, length: number): string {
  let text = ''
  for (let rest = number; rest > 0n; rest /= 62n) text = digits.charAt(Number(rest % 62n)) + text
  return text.padStart(length, '0')
}

/** Compute without BigInt, because this runs for every request. */
function checksumOf(body: string): string {
  let text = ''
  let rest = crc32(body)
  for (let index = 0; index < checksumLength; index++) {
    text = digits.charAt(rest % 62) + text
    rest = Math.floor(rest / 62)
  }
  return text
}
