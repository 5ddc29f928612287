import type { FastifyInstance } from 'fastify'
import type { Pool } from 'pg'
import type { Logger } from 'pino'
import { createAuthenticate } from './access/authenticate.ts'
import type { AnonymousCookie } from './access/credentials/anonymous-cookie.ts'
import { createGuestCookie } from './access/credentials/anonymous-cookie.ts'
import { createLastUse, type LastUse } from './access/credentials/last-use.ts'
import { createAnswerOnce } from './access/idempotency.ts'
import { createIsLocalRequest } from './access/local-request.ts'
import { createServe } from './access/serve.ts'
import type { Service } from './access/service.ts'
import { createStreams, type Streams } from './access/streams.ts'
import { createApiRefusalLog } from './oauth/grants/api-refusal-log.ts'
import type { Clock } from './platform/clock.ts'
import type { Config } from './platform/config/config.ts'
import { createDatabase } from './platform/database/database.ts'
import { createDatabaseFailureLog } from './platform/database/database-failure-log.ts'
import { createTopicSubscriptions } from './platform/database/topic-subscriptions.ts'
import { createEncryption } from './platform/encryption.ts'
import { createHttp } from './platform/http/http.ts'
import type { Random } from './platform/random.ts'
import type { Tracing } from './platform/trace.ts'
import { mediaUrlOf } from './rooms/engine/media-engine.ts'
import { isMediaUpgrade } from './rooms/engine/media-proxy.ts'
import type { Database, Tables } from './tables/tables.ts'
import type { Site } from './web-app/read-site.ts'
import { createShowNotFound } from './web-app/serve-site.ts'

type FoundationOptions = {
  config: Config
  secretKey: Buffer
  pool: Pool
  clock: Clock
  random: Random
  log: Logger
  tracing?: Tracing | undefined
  /** The built pages; absent where there are none, and the API is all there is. */
  site?: Site | undefined
  /** How often streams look by themselves; every 15 to 30 s when absent. */
  checkEveryMs?: number | undefined
  /** Whether WebSockets of the embedded media engine come in here. */
  carriesMedia: boolean
}

/** What every module stands on: HTTP, the caller of a request, the database, streams. */
type Foundation = {
  http: FastifyInstance
  service: Service
  database: Database
  authenticate: ReturnType<typeof createAuthenticate>
  isLocalRequest: ReturnType<typeof createIsLocalRequest>
  guestCookie: AnonymousCookie
  lastUse: LastUse
  streams: Streams
  isDraining(): boolean
  /** From here on every answer asks its connection to close, and streams have ended. */
  drain(): void
  /** Finish what is under way. */
  close(): Promise<void>
}

export function createFoundation(options: FoundationOptions): Foundation {
  const { config, secretKey, pool, clock, random, log, tracing, site, checkEveryMs, carriesMedia } = options
  const { baseUrl, emailVerification } = config
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
    ...(site && { showNotFound: createShowNotFound(site, { random, mediaUrl: mediaUrlOf(config) }) }),
  })
  http.addHook('onSend', (_request, reply, payload, next) => {
    if (isDraining) reply.header('connection', 'close')
    next(null, payload)
  })

  const database = createDatabase<Tables>(pool)
  const encryption = createEncryption(secretKey)
  const lastUse = createLastUse({ database, clock, log })
  const apiRefusalLog = createApiRefusalLog({ database, clock, random, log })
  const noteAppRefusal = apiRefusalLog.note
  const authenticate = createAuthenticate({ database, clock, lastUse, baseUrl, emailVerification, noteAppRefusal })
  const guestCookie = createGuestCookie({ baseUrl, random })
  const answerOnce = createAnswerOnce({ database, clock, encryption })
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
  const serve = createServe({
    http,
    database,
    authenticate,
    answerOnce,
    streams,
    guestCookie,
    baseUrl,
    isLocalRequest,
    noteAppRefusal,
  })
  const service: Service = { serve, clock, random, encryption, config, databaseFailures }
  return {
    http,
    service,
    database,
    authenticate,
    isLocalRequest,
    guestCookie,
    lastUse,
    streams,
    isDraining: () => isDraining,
    drain() {
      isDraining = true
      streams.end()
    },
    async close() {
      streams.end()
      await http.close()
      await topicSubscriptions.close()
      await apiRefusalLog.flush()
      await lastUse.flush()
    },
  }
}
