import type { FastifyInstance } from 'fastify'
import { serveProblemPages } from './problem-pages.ts'
import { type DocsOptions, serveDocs } from './serve-docs.ts'

/** Register the pages of docs/, and those of problems. */
export function registerDocsRoutes(http: FastifyInstance, options: DocsOptions): void {
  serveProblemPages(http)
  serveDocs(http, options)
}
