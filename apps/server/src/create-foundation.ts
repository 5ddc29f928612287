import type { FastifyInstance } from 'fastify'
import type { Pool } from 'pg'
import type { Logger } from 'pino'
import { describeRefusal, type RecordAppRefusal } from './access/app-refusals.ts'
import { type Authenticate, createAuthenticate } from './access/authenticate.ts'
import type { AnonymousCookie } from './access/credentials/anonymous-cookie.ts'
import { createGuestCookie } from './access/credentials/anonymous-cookie.ts'
import { createLastUse, type LastUse } from './access/credentials/last-use.ts'
import { createIdempotentRunner } from './access/idempotency.ts'
import { createIsLocalRequest } from './access/local-request.ts'
import { createRequestLimits, type RunInTurn } from './access/request-limits.ts'
import { type CallEndpoint, createServe } from './access/serve.ts'
import type { WithDatabase } from './access/service.ts'
import { createStreams, type Streams } from './access/streams.ts'
import type { Mailer } from './email/mail.ts'
import type { Metrics } from './metrics/create-metrics.ts'
import { observeMailer } from './metrics/observe-mailer.ts'
import { createRefusalLog, type RefusalLog } from './oauth-apps/events/refusal-log.ts'
import type { Clock } from './platform/clock.ts'
import type { Config } from './platform/config/config.ts'
import { createDatabase } from './platform/database/database.ts'
import { createDatabaseFailureLog } from './platform/database/database-failure-log.ts'
import { createTopicSubscriptions } from './platform/database/topic-subscriptions.ts'
import { createEncryption } from './platform/encryption.ts'
import { createHttp } from './platform/http/http.ts'
import { createRefuseOtherMethods } from './platform/http/refuse-other-methods.ts'
import type { Random } from './platform/random.ts'
import type { Tracing } from './platform/trace.ts'
import type { RoomsOptions } from './rooms/create-rooms.ts'
import { mediaUrlOf } from './rooms/engine/media-engine.ts'
import { isMediaUpgrade } from './rooms/engine/media-proxy.ts'
import type { Site } from './web-app/read-site.ts'
import { createShowNotFound } from './web-app/show-site.ts'

export type FoundationOptions = {
  config: Config
  secretKey: Buffer
  pool: Pool
  clock: Clock
  random: Random
  log: Logger
  mailer: Mailer
  /** What Prometheus reads; absent: nothing is counted. */
  metrics?: Metrics
  /** Where the spans of requests and jobs go; absent: nowhere. */
  tracing?: Tracing
  /** The built pages; absent where there are none, and the API is all there is. */
  site?: Site
  /** How often streams look by themselves; every 15 to 30 s when absent. */
  checkEveryMs?: number
  media?: RoomsOptions['media']
}

/**
 * What every module stands on: HTTP, the caller of a request, the database, streams, the mailer. Each module declares
 * what it takes of it, and handlers take `Service`.
 */
type Foundation = WithDatabase & {
  http: FastifyInstance
  pool: Pool
  log: Logger
  mailer: Mailer
  site: Site | undefined
  /** The WebSocket address of the media server. */
  mediaUrl: string
  /** Answer what an endpoint would, to code that serves it in another form. */
  call: CallEndpoint
  authenticate: Authenticate
  runInTurn: RunInTurn
  recordAppRefusal: RecordAppRefusal
  refusalLog: RefusalLog
  isLocalRequest: ReturnType<typeof createIsLocalRequest>
  guestCookie: AnonymousCookie
  lastUse: LastUse
  streams: Streams
  /** Answer 405 to every other method of the paths that are registered. Call it after the last registration. */
  refuseOtherMethods(): void
  isDraining(): boolean
  /** From here on every answer asks its connection to close, and streams have ended. */
  drain(): void
  /** Finish what is under way. */
  close(): Promise<void>
}

export function createFoundation(options: FoundationOptions): Foundation {
  const { config, secretKey, pool, clock, random, log, tracing, site, checkEveryMs } = options
  const { baseUrl, emailVerification } = config
  const mediaUrl = mediaUrlOf(config)
  const carriesMedia = options.media === 'engine' && config.livekit === undefined
  let isDraining = false
  const databaseFailures = createDatabaseFailureLog(log)
  const http = createHttp({
    baseUrl,
    trustProxy: config.trustProxy,
    clock,
    random,
    log,
    databaseFailures,
    isStopping: () => isDraining,
    ...(tracing && { tracing }),
    ...(carriesMedia && { isUpgrade: isMediaUpgrade }),
    ...(site && { showNotFound: createShowNotFound(site, { random, mediaUrl }) }),
  })
  const refuseOtherMethods = createRefuseOtherMethods(http)
  http.addHook('onSend', (_request, reply, payload, next) => {
    if (isDraining) reply.header('connection', 'close')
    next(null, payload)
  })

  const database = createDatabase(pool)
  const encryption = createEncryption(secretKey)
  const lastUse = createLastUse({ database, clock, log })
  const refusalLog = createRefusalLog({ database, random, log })
  const recordAppRefusal: RecordAppRefusal = (refusal) => {
    const { appId, sandbox, requestId } = refusal
    const cause = describeRefusal(refusal)
    refusalLog.record({ appId, sandbox, kind: 'api_refused', cause, requestId, now: clock.now() })
  }
  const authenticate = createAuthenticate({ database, clock, lastUse, baseUrl, emailVerification, recordAppRefusal })
  const guestCookie = createGuestCookie({ baseUrl, random })
  const runIdempotently = createIdempotentRunner({ database, clock, encryption, rateLimits: config.rateLimits })
  const topicSubscriptions = createTopicSubscriptions({ pool, log })
  const streams = createStreams({
    topicSubscriptions,
    clock,
    random,
    log,
    databaseFailures,
    ...(checkEveryMs !== undefined && { checkEveryMs }),
  })
  const isLocalRequest = createIsLocalRequest(config)
  const runInTurn = createRequestLimits({ http, rateLimits: config.rateLimits })
  const { serve, call } = createServe({
    http,
    database,
    authenticate,
    runIdempotently,
    streams,
    guestCookie,
    baseUrl,
    isLocalRequest,
    recordAppRefusal,
    runInTurn,
  })
  return {
    serve,
    call,
    clock,
    random,
    encryption,
    config,
    databaseFailures,
    http,
    pool,
    database,
    log,
    mailer: observeMailer(options.metrics, options.mailer),
    site,
    mediaUrl,
    authenticate,
    runInTurn,
    recordAppRefusal,
    refusalLog,
    isLocalRequest,
    guestCookie,
    lastUse,
    streams,
    refuseOtherMethods,
    isDraining: () => isDraining,
    drain() {
      isDraining = true
      streams.end()
    },
    async close() {
      streams.end()
      await http.close()
      await topicSubscriptions.close()
      await refusalLog.flush()
      await lastUse.flush()
    },
  }
}
