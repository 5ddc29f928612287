import type { FastifyInstance } from 'fastify'
import type { Pool } from 'pg'
import type { Logger } from 'pino'
import type { LastUse } from '../access/last-use.ts'
import type { Service } from '../access/service.ts'
import { createClientAuthentication } from './client-authentication.ts'
import { createRefusalLog, type RefusalLog } from './refusal-log.ts'
import { createServeClient, type ServeClient } from './serve-client.ts'
import { createTokenLimits } from './token-limits.ts'

/** What the deeds for apps need beyond what every feature is handed. */
export type TokenService = Service & { serveClient: ServeClient; refusalLog: RefusalLog }

export type TokenServiceParts = { http: FastifyInstance; pool: Pool; lastUse: LastUse; log: Logger }

export function createTokenService(service: Service, { http, pool, lastUse, log }: TokenServiceParts): TokenService {
  const { database, clock, random, sealedBox, config } = service
  const { rateLimits, databaseUrl, baseUrl } = config
  // With the private database there is one process, and memory is enough.
  const limits = createTokenLimits({ sealedBox, rateLimits, ...(databaseUrl !== undefined && { pool }) })
  const refusalLog = createRefusalLog({ database, random, log })
  const authenticateClient = createClientAuthentication({ database, lastUse, limits, baseUrl })
  return {
    ...service,
    refusalLog,
    serveClient: createServeClient({ http, clock, log, refusalLog, authenticateClient }),
  }
}
