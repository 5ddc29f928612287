import { readFileSync } from 'node:fs'
import type { FastifyInstance } from 'fastify'

/** The same as the web app's (a test compares them): an API without built pages has one as well. */
const icon = readFileSync(new URL('icon.svg', import.meta.url), 'utf8')

const paths = ['/favicon.svg', '/favicon.ico']

/** Serves the icon in the tab of every page that the server itself renders, and of whatever asks for /favicon.ico. */
export function serveIcon(http: FastifyInstance): ReadonlyMap<string, readonly string[]> {
  for (const path of paths) {
    http.get(path, (_request, reply) =>
      reply.headers({ 'content-type': 'image/svg+xml', 'cache-control': 'public, max-age=86400' }).send(icon),
    )
  }
  return new Map(paths.map((path) => [path, ['GET']]))
}
