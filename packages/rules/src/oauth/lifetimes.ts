import { type ClientType, isPublic } from './client-type.ts'

const minuteMs = 60_000
const hourMs = 60 * minuteMs
const dayMs = 24 * hourMs

/** The lifetimes of codes, tokens and grants (docs/oauth.md, "Lifetimes"). */
export const lifetimes = {
  codeMs: 5 * minuteMs,
  accessTokenMs: dayMs,
  /** Shorter for public clients, whose tokens are in browsers and on devices, where they are stolen more easily. */
  publicAccessTokenMs: hourMs,
  /** Renewed with each rotation, up to the end of the grant. */
  refreshTokenMs: 60 * dayMs,
  /** A repeated exchange within this time is a retry after a lost response; later it is a replay. */
  replayMs: minuteMs,
  /**
   * The same for public clients, whose second request may be a thief's: as long as calls that one program has sent at
   * the same time take to find out, each for itself, that their token has expired.
   */
  publicReplayMs: 10_000,
  /** A grant expires after this time unless the user renews it. */
  grantMs: 365 * dayMs,
  sandboxGrantMs: 7 * dayMs,
} as const

export const accessTokenLifetimeMs = (clientType: ClientType): number =>
  isPublic(clientType) ? lifetimes.publicAccessTokenMs : lifetimes.accessTokenMs

export const grantLifetimeMs = (sandbox: boolean): number => (sandbox ? lifetimes.sandboxGrantMs : lifetimes.grantMs)

export const after = (now: Date, lifetimeMs: number): Date => new Date(now.getTime() + lifetimeMs)
