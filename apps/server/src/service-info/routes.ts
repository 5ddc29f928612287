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

type ServiceInfoOptions = { http: FastifyInstance; pool: Pool; version: string; isDraining(): boolean }

/** Register what the service says of itself. @returns the methods of each path outside the contract */
export function registerServiceInfoRoutes(
  service: Service,
  { http, pool, version, isDraining }: ServiceInfoOptions,
): Map<string, readonly string[]> {
  serveReadHealth(service)
  serveReadReadiness(service, isDraining)
  serveReadDatabaseHealth(service, pool)
  serveReadVersion(service, version)
  serveListTimeZones(service)
  serveReadProblem(service)
  const { baseUrl } = service.config
  return new Map([...serveOpenapi(http, { baseUrl, version }), ...serveReference(http), ...serveIcon(http)])
}
