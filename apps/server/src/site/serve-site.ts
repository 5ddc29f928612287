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

/**
 * Everything comes from our own origin. Components write style elements while they run: these need the nonce of the
 * answer, and no other style or script that stands in the page runs.
 */
const contentSecurityPolicy = (nonce: string) =>
  [
    "default-src 'self'",
    "script-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join('; ')

/** Serves the document at each page's address, and the files that it names. Answers the methods that each path takes. */
export function serveSite(http: FastifyInstance, site: Site | undefined, random: Random): Map<string, string[]> {
  if (site === undefined) return new Map()
  void http.register(fastifyStatic, {
    root: join(site.folder, 'assets'),
    prefix: '/assets/',
    preCompressed: true,
    immutable: true,
    maxAge: assetsMaxAgeMs,
    index: false,
    decorateReply: false,
  })
  const paths = site.addresses.map((address) => address.replaceAll('$', ':'))
  for (const path of paths) http.get(path, (_request, reply) => sendDocument(reply, site, random, 200))
  return new Map(paths.map((path) => [path, ['GET']]))
}

/** Somebody who looks at an address where nothing is gets our page that says so; a program gets a problem. */
export const createShowNotFound =
  (site: Site, random: Random) =>
  (request: FastifyRequest, reply: FastifyReply): boolean => {
    const looks = request.method === 'GET' || request.method === 'HEAD'
    if (!looks || request.url.startsWith('/api/') || !request.headers.accept?.includes('text/html')) return false
    sendDocument(reply, site, random, 404)
    return true
  }

function sendDocument(reply: FastifyReply, { document }: Site, random: Random, status: number) {
  const nonce = random.bytes(nonceBytes).toString('base64')
  return reply
    .status(status)
    .headers({
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-cache',
      'content-security-policy': contentSecurityPolicy(nonce),
      'cross-origin-opener-policy': 'same-origin',
    })
    .send(document.replaceAll(noncePlaceholder, nonce))
}
