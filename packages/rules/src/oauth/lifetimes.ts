import { type ClientType, isPublic } from './client-type.ts'

const minuteMs = 60_000
const hourMs = 60 * minuteMs
const dayMs = 24 * hourMs

/** The lifetimes of codes, tokens and grants (docs/oauth-reference.md, "Lifetimes"). */
export const lifetimes = {
  codeMs: 5 * minuteMs,
  accessTokenMs: dayMs,
  /** Shorter for public clients, whose tokens are in browsers and on devices, where they are stolen more easily. */
  publicAccessTokenMs: hourMs,
  /** Renewed with each rotation, up to the end of the grant. */
  refreshTokenMs: 60 * dayMs,
  /** The repeat window: a second use of a refresh token this soon is a retry after a lost response; later it is a replay. */
  repeatMs: minuteMs,
  /**
   * The repeat window of public clients, whose second request may be a thief's. Concurrent calls of one program each
   * notice within this time that their access token has expired, and refresh with the same token.
   */
  publicRepeatMs: 10_000,
  /** A grant expires after this time unless the user renews the grant. */
  grantMs: 365 * dayMs,
  sandboxGrantMs: 7 * dayMs,
} as const

export const accessTokenLifetimeMs = (clientType: ClientType): number =>
  isPublic(clientType) ? lifetimes.publicAccessTokenMs : lifetimes.accessTokenMs

export const grantLifetimeMs = (sandbox: boolean): number => (sandbox ? lifetimes.sandboxGrantMs : lifetimes.grantMs)

export const after = (now: Date, lifetimeMs: number): Date => new Date(now.getTime() + lifetimeMs)
