import { join } from 'node:path'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Random } from '../platform/random.ts'
import type { Site } from './read-site.ts'

/** What Vite writes into the document (apps/web/vite.config.ts). */
const noncePlaceholder = 'PARLEY_STYLE_NONCE'
const nonceBytes = 16

/** A name changes with the content, so what was fetched once is never asked for again. */
const assetsMaxAgeMs = 365 * 24 * 60 * 60 * 1000

/** A room sees, hears and shows its own screen; of what else a browser can ask a person for, a page needs nothing. */
const permissionsPolicy = 'camera=(self), microphone=(self), display-capture=(self), geolocation=(), payment=(), usb=()'

/**
 * Everything comes from our own origin, but sound and pictures, which may have servers of their own. Components write style elements while they run: these need the nonce of the
 * answer, and no other style or script that stands in the page runs.
 */
const contentSecurityPolicy = (nonce: string, mediaOrigins: readonly string[]) =>
  [
    "default-src 'self'",
    "script-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    ["connect-src 'self'", ...mediaOrigins].join(' '),
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join('; ')

export type SiteDependencies = {
  random: Random
  /** WebSocket address of what carries sound and pictures. */
  mediaUrl: string
}

/** Serves the document at each page's address, and the files that it names. Answers the methods that each path takes. */
export function serveSite(
  http: FastifyInstance,
  site: Site | undefined,
  means: SiteDependencies,
): Map<string, string[]> {
  if (site === undefined) return new Map()
  void http.register(fastifyStatic, {
    root: join(site.folder, 'assets'),
    prefix: '/assets/',
    preCompressed: true,
    immutable: true,
    maxAge: assetsMaxAgeMs,
    index: false,
    // The files are small and named by their content: nothing resumes a download, and no range has to be parsed.
    acceptRanges: false,
    decorateReply: false,
  })
  const paths = site.addresses.map((address) => address.replaceAll('$', ':'))
  for (const path of paths) http.get(path, (_request, reply) => sendDocument(reply, site, means, 200))
  return new Map(paths.map((path) => [path, ['GET']]))
}

/** Somebody who looks at an address where nothing is gets our page that says so; a program gets a problem. */
export const createShowNotFound =
  (site: Site, means: SiteDependencies) =>
  (request: FastifyRequest, reply: FastifyReply): boolean => {
    const looks = request.method === 'GET' || request.method === 'HEAD'
    if (!looks || request.url.startsWith('/api/') || !request.headers.accept?.includes('text/html')) return false
    sendDocument(reply, site, means, 404)
    return true
  }

function sendDocument(reply: FastifyReply, { document }: Site, { random, mediaUrl }: SiteDependencies, status: number) {
  const nonce = random.bytes(nonceBytes).toString('base64')
  return reply
    .status(status)
    .headers({
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-cache',
      'content-security-policy': contentSecurityPolicy(nonce, originsOf(mediaUrl)),
      'permissions-policy': permissionsPolicy,
      'cross-origin-opener-policy': 'same-origin',
    })
    .send(document.replaceAll(noncePlaceholder, nonce))
}

/** The client opens a socket, and asks over HTTP why one was refused. */
function originsOf(url: string): string[] {
  const { origin } = new URL(url)
  return [origin, origin.replace('ws', 'http')]
}
