const minuteMs = 60_000
const dayMs = 24 * 60 * minuteMs

/** How long what the authorization server gives out is good (service.md 5, oauth.md 3.4, 3.6 and 4). */
export const lifetimes = {
  codeMs: 5 * minuteMs,
  accessTokenMs: dayMs,
  /** Anew with each rotation, up to the end of the grant. */
  refreshTokenMs: 60 * dayMs,
  /** The same exchange again within this is a lost answer; later it is a replay. */
  replayMs: minuteMs,
  /** What a user gave ends then, unless they give it again. */
  grantMs: 365 * dayMs,
  sandboxGrantMs: 7 * dayMs,
} as const

export const grantLifetimeMs = (sandbox: boolean): number => (sandbox ? lifetimes.sandboxGrantMs : lifetimes.grantMs)

export const after = (now: Date, lifetimeMs: number): Date => new Date(now.getTime() + lifetimeMs)
