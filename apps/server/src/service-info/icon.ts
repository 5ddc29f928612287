import { readFileSync } from 'node:fs'
import type { FastifyInstance } from 'fastify'
import { makeStaticFile, sendStaticFile } from '../platform/http/static-file.ts'

const cacheControl = 'public, max-age=86400'

/** Serve the icon of all pages that Vite does not build; browsers request `/favicon.ico` by default. */
export function serveIcon(http: FastifyInstance): void {
  const bytes = readFileSync(new URL('icon.svg', import.meta.url))
  const file = makeStaticFile(bytes, 'image/svg+xml', cacheControl)
  for (const path of ['/icon.svg', '/favicon.ico']) {
    http.get(path, (request, reply) => sendStaticFile(request, reply, file))
  }
}
