import type { FastifyInstance } from 'fastify'
import type { Pool } from 'pg'
import type { Service } from '../access/service.ts'
import { serveIcon } from './icon.ts'
import { serveListTimeZones } from './list-time-zones.ts'
import { serveOpenapi } from './openapi.ts'
import { serveReadDatabaseHealth } from './read-database-health.ts'
import { serveReadHealth } from './read-health.ts'
import { serveReadProblem } from './read-problem.ts'
import { serveReadReadiness } from './read-readiness.ts'
import { serveReadVersion } from './read-version.ts'
import { serveReference } from './reference.ts'

type Dependencies = Service & { http: FastifyInstance; pool: Pool; isDraining(): boolean }

/** Register what the service says of itself. */
export function registerServiceInfoRoutes(service: Dependencies, version: string): void {
  const { http, pool, config, isDraining } = service
  serveReadHealth(service)
  serveReadReadiness(service, isDraining)
  serveReadDatabaseHealth(service, pool)
  serveReadVersion(service, version)
  serveListTimeZones(service)
  serveReadProblem(service)
  serveOpenapi(http, { baseUrl: config.baseUrl, version })
  serveReference(http)
  serveIcon(http)
}
