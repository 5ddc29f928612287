import type { FastifyInstance } from 'fastify'
import type { Pool } from 'pg'
import type { Logger } from 'pino'
import type { LastUse } from '../../access/credentials/last-use.ts'
import type { RunInTurn } from '../../access/request-limits.ts'
import type { Service, WithDatabase } from '../../access/service.ts'
import type { RefusalLog } from '../../oauth-apps/events/refusal-log.ts'
import { createBatcher } from '../../platform/database/batch.ts'
import { type Database, retryOnConflict } from '../../platform/database/database.ts'
import { createClientAuthentication } from './client-authentication.ts'
import { type CodeExchange, exchangeCodeRows } from './code-exchange-store.ts'
import type { IssuedTokens } from './exchange.ts'
import { type Rotation, rotateRefreshTokens } from './refresh-token-store.ts'
import { createServeClient, type ServeClient } from './serve-client.ts'
import { createTokenLimits } from './token-limits.ts'

/** What handlers of client endpoints receive, which have no `HandlerContext`. */
export type TokenService = WithDatabase & {
  serveClient: ServeClient
  /** Exchange a code; undefined when it was refused for any cause. */
  useCode(exchange: CodeExchange): Promise<IssuedTokens | undefined>
  /** Rotate a refresh token; undefined when it was refused for any cause. */
  rotateRefreshToken(rotation: Rotation): Promise<IssuedTokens | undefined>
}

export type TokenServiceDependencies = {
  http: FastifyInstance
  runInTurn: RunInTurn
  pool: Pool
  database: Database
  lastUse: LastUse
  refusalLog: RefusalLog
  log: Logger
}

export function createTokenService(service: Service & TokenServiceDependencies): TokenService {
  const { pool, database, lastUse, encryption, config } = service
  const { rateLimits, databaseUrl } = config
  // With the embedded database there is one process, which counts in memory.
  const limits = createTokenLimits({ encryption, rateLimits, ...(databaseUrl !== undefined && { pool }) })
  const clientAuthentication = createClientAuthentication({ database, lastUse, limits, config })
  return {
    ...service,
    // Concurrent requests share a statement, its round trip and its commit.
    useCode: createBatcher((requests) => retryOnConflict(() => exchangeCodeRows(database, requests))),
    rotateRefreshToken: createBatcher((requests) => retryOnConflict(() => rotateRefreshTokens(database, requests))),
    serveClient: createServeClient({ ...service, ...clientAuthentication }),
  }
}
