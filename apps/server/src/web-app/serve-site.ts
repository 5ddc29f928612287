import { join } from 'node:path'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Random } from '../platform/random.ts'
import type { Site } from './read-site.ts'

/** The placeholder that Vite writes into the document (apps/web/vite.config.ts). */
const noncePlaceholder = 'PARLEY_STYLE_NONCE'
const nonceBytes = 16

/** File names change with the content, so they can be cached for ever. */
const assetsMaxAgeMs = 365 * 24 * 60 * 60 * 1000

/** Rooms need the camera, the microphone and screen capture; all other features are denied. */
const permissionsPolicy = 'camera=(self), microphone=(self), display-capture=(self), geolocation=(), payment=(), usb=()'

/**
 * Everything comes from our own origin, except audio and video, which may have other servers. Components create style
 * elements at run time: these need the nonce of the response, and no other inline style or script runs.
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

type SiteDependencies = {
  random: Random
  /** The WebSocket address of the media server. */
  mediaUrl: string
}

/** Serve the document at each page's address, and the files that it loads. Returns the methods of each path. */
export function serveSite(
  http: FastifyInstance,
  site: Site | undefined,
  dependencies: SiteDependencies,
): Map<string, string[]> {
  if (site === undefined) return new Map()
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
  return new Map(paths.map((path) => [path, ['GET']]))
}

/** Answer unknown addresses: browsers get a page, programs a problem. */
export const createShowNotFound =
  (site: Site, dependencies: SiteDependencies) =>
  (request: FastifyRequest, reply: FastifyReply): boolean => {
    const looks = request.method === 'GET' || request.method === 'HEAD'
    if (!looks || request.url.startsWith('/api/') || !request.headers.accept?.includes('text/html')) return false
    sendDocument(reply, site, dependencies, 404)
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

/** The client opens a WebSocket, and asks over HTTP why one was refused. */
function originsOf(url: string): string[] {
  const { origin } = new URL(url)
  return [origin, origin.replace('ws', 'http')]
}
