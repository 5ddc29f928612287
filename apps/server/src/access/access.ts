import type { Platform } from '../platform/platform.ts'
import type { RecordAppRefusal } from './app-refusals.ts'
import { type Authenticate, createAuthenticate } from './authenticate.ts'
import { type AnonymousCookie, createGuestCookie } from './credentials/anonymous-cookie.ts'
import { createLastUse, type LastUse } from './credentials/last-use.ts'
import { createIdempotentRunner } from './idempotency.ts'
import { createRequestLimits, type RunInTurn } from './request-limits.ts'
import { type CallEndpoint, createRouter, type Serve } from './serve.ts'
import { createStreams, type Streams } from './streams.ts'

type AccessOptions = {
  recordAppRefusal: RecordAppRefusal
  /** How often a stream checks for changes without a notification; 15 to 30 s when absent. */
  checkEveryMs?: number
}

/** What `access` gives to each module: the endpoints of the contract, and who calls them. */
export type Access = {
  serve: Serve
  call: CallEndpoint
  authenticate: Authenticate
  runInTurn: RunInTurn
  recordAppRefusal: RecordAppRefusal
  guestCookie: AnonymousCookie
  lastUse: LastUse
  streams: Streams
}

/** Create what finds the callers of requests, checks their rights, and routes the requests to their handlers. */
export function createAccess(platform: Platform, { recordAppRefusal, checkEveryMs }: AccessOptions): Access {
  const { config, http } = platform
  const { baseUrl, emailVerification, rateLimits } = config
  const lastUse = createLastUse(platform)
  const authenticate = createAuthenticate({ ...platform, lastUse, baseUrl, emailVerification, recordAppRefusal })
  const guestCookie = createGuestCookie({ ...platform, baseUrl })
  const streams = createStreams({ ...platform, ...(checkEveryMs !== undefined && { checkEveryMs }) })
  const runInTurn = createRequestLimits({ http, rateLimits })
  const { serve, call } = createRouter({
    ...platform,
    authenticate,
    runIdempotently: createIdempotentRunner({ ...platform, rateLimits }),
    streams,
    guestCookie,
    baseUrl,
    recordAppRefusal,
    runInTurn,
  })
  return {
    serve,
    call,
    authenticate,
    runInTurn,
    recordAppRefusal,
    guestCookie,
    lastUse,
    streams,
  }
}
