import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Random } from '../platform/random.ts'
import type { Site } from './read-site.ts'

/** The placeholder that Vite writes into the document (apps/web/vite.config.ts). */
const noncePlaceholder = 'PARLEY_STYLE_NONCE'
const nonceBytes = 16

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

export type SiteDependencies = {
  random: Random
  /** The WebSocket address of the media server. */
  mediaUrl: string
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

/** Send the document of all pages, with a nonce of its own. */
export function sendDocument(
  reply: FastifyReply,
  { document }: Site,
  { random, mediaUrl }: SiteDependencies,
  status: number,
) {
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
