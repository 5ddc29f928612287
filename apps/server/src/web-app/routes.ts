import { join } from 'node:path'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance } from 'fastify'
import type { Site } from './read-site.ts'
import { type SiteDependencies, sendDocument } from './show-site.ts'

/** File names change with the content, so they can be cached for ever. */
const assetsMaxAgeMs = 365 * 24 * 60 * 60 * 1000

type Dependencies = SiteDependencies & { http: FastifyInstance; site: Site | undefined }

/** Serve the document at each page's address, and the files that it loads. */
export function registerSiteRoutes(dependencies: Dependencies): void {
  const { http, site } = dependencies
  if (site === undefined) return
  void http.register(fastifyStatic, {
    root: join(site.folder, 'assets'),
    prefix: '/assets/',
    preCompressed: true,
    immutable: true,
    maxAge: assetsMaxAgeMs,
    index: false,
    // Small files named by their content need no ranges.
    acceptRanges: false,
    decorateReply: false,
  })
  const paths = site.addresses.map((address) => address.replaceAll('$', ':'))
  for (const path of paths) http.get(path, (_request, reply) => sendDocument(reply, site, dependencies, 200))
}
