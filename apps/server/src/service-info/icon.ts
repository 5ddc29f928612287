import { readFileSync } from 'node:fs'
import type { FastifyInstance } from 'fastify'
import { makeStaticFile, sendStaticFile } from '../platform/http/static-file.ts'

const cacheControl = 'public, max-age=86400'

/**
 * Serve the icon of all pages that Vite does not build; browsers request `/favicon.ico` by default. Returns the methods
 * of each path.
 */
export function serveIcon(http: FastifyInstance): Map<string, string[]> {
  const bytes = readFileSync(new URL('icon.svg', import.meta.url))
  const file = makeStaticFile(bytes, 'image/svg+xml', cacheControl)
  const paths = ['/icon.svg', '/favicon.ico']
  for (const path of paths) http.get(path, (request, reply) => sendStaticFile(request, reply, file))
  return new Map(paths.map((path) => [path, ['GET']]))
}
