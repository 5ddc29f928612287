import type { FastifyInstance } from 'fastify'
import type { Pool } from 'pg'
import type { Logger } from 'pino'
import type { Clock } from './clock.ts'
import type { Config } from './config/config.ts'
import { createDatabase, type Database } from './database/database.ts'
import { createDatabaseFailureLog, type DatabaseFailureLog } from './database/database-failure-log.ts'
import { createTopicSubscriptions, type TopicSubscriptions } from './database/topics.ts'
import { createEncryption, type Encryption } from './encryption.ts'
import { createHttp, type HttpOptions } from './http/http.ts'
import { createRefuseOtherMethods } from './http/other-methods.ts'
import type { Random } from './random.ts'

export type PlatformOptions = Pick<HttpOptions, 'showNotFound' | 'isUpgrade' | 'tracing'> & {
  config: Config
  secretKey: Buffer
  pool: Pool
  clock: Clock
  random: Random
  log: Logger
}

/** What the platform gives to each module. */
export type Platform = {
  config: Config
  clock: Clock
  random: Random
  encryption: Encryption
  log: Logger
  pool: Pool
  /** Endpoints use the database of their handler's context instead, which may be a transaction. */
  database: Database
  /** Error handlers report failures of the database here. */
  databaseFailures: DatabaseFailureLog
  topicSubscriptions: TopicSubscriptions
  http: FastifyInstance
  /** Answer 405 to every other method of the registered paths. Call it after the last registration. */
  refuseOtherMethods(): void
  isDraining(): boolean
  /** Send `Connection: close` with each response from now on. */
  drain(): void
  /** Finish the requests in progress. The pool belongs to the caller. */
  close(): Promise<void>
}

/** Create the HTTP server, the access to the database and the encryption of an instance. */
export function createPlatform({ config, secretKey, pool, clock, random, log, ...options }: PlatformOptions): Platform {
  let isDraining = false
  const databaseFailures = createDatabaseFailureLog(log)
  const http = createHttp({
    ...options,
    baseUrl: config.baseUrl,
    trustProxy: config.trustProxy,
    clock,
    random,
    log,
    databaseFailures,
    isStopping: () => isDraining,
  })
  const refuseOtherMethods = createRefuseOtherMethods(http)
  http.addHook('onSend', (_request, reply, payload, next) => {
    if (isDraining) reply.header('connection', 'close')
    next(null, payload)
  })
  const topicSubscriptions = createTopicSubscriptions({ pool, log })
  return {
    config,
    clock,
    random,
    encryption: createEncryption(secretKey),
    log,
    pool,
    database: createDatabase(pool),
    databaseFailures,
    topicSubscriptions,
    http,
    refuseOtherMethods,
    isDraining: () => isDraining,
    drain() {
      isDraining = true
    },
    async close() {
      await http.close()
      await topicSubscriptions.close()
    },
  }
}
