import type { FastifyInstance } from 'fastify'
import type { Pool } from 'pg'
import type { Logger } from 'pino'
import type { LastUse } from '../../access/credentials/last-use.ts'
import type { Service } from '../../access/service.ts'
import { createBatcher } from '../../platform/database/batch.ts'
import { retryOnConflict } from '../../platform/database/database.ts'
import { createClientAuthentication } from './client-authentication.ts'
import type { IssuedTokens } from './exchange.ts'
import { type CodeExchange, exchangeCodeRows } from './exchange-code-statement.ts'
import { createRefusalLog, type RefusalLog } from './refusal-log.ts'
import { type Rotation, rotateRefreshTokens } from './rotate-statement.ts'
import { createServeClient, type ServeClient } from './serve-client.ts'
import { createTokenLimits } from './token-limits.ts'

/** What the deeds for apps need beyond what every feature is handed. */
export type TokenService = Service & {
  serveClient: ServeClient
  refusalLog: RefusalLog
  /** Undefined when the code was not used, for whatever cause. */
  useCode(exchange: CodeExchange): Promise<IssuedTokens | undefined>
  /** Undefined when the token was not rotated, for whatever cause. */
  rotateRefreshToken(rotation: Rotation): Promise<IssuedTokens | undefined>
}

export type TokenServiceParts = { http: FastifyInstance; pool: Pool; lastUse: LastUse; log: Logger }

export function createTokenService(service: Service, { http, pool, lastUse, log }: TokenServiceParts): TokenService {
  const { database, clock, random, encryption, config, databaseFailures } = service
  const { rateLimits, databaseUrl, baseUrl } = config
  // With the private database there is one process, and memory is enough.
  const limits = createTokenLimits({ encryption, rateLimits, ...(databaseUrl !== undefined && { pool }) })
  const refusalLog = createRefusalLog({ database, random, log })
  const authenticateClient = createClientAuthentication({ database, lastUse, limits, baseUrl })
  return {
    ...service,
    refusalLog,
    // Requests that arrive together share a statement, its round trip and its commit.
    useCode: createBatcher((asks) => retryOnConflict(() => exchangeCodeRows(database, asks))),
    rotateRefreshToken: createBatcher((asks) => retryOnConflict(() => rotateRefreshTokens(database, asks))),
    serveClient: createServeClient({ http, clock, log, databaseFailures, refusalLog, authenticateClient }),
  }
}
