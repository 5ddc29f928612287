import { createHash } from 'node:crypto'
import { gzipSync } from 'node:zlib'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { acceptsGzip } from './content-negotiation.ts'

/** A public file with its caching data. */
export type StaticFile = {
  contentType: string
  cacheControl: string
  plain: Uint8Array
  gzipped: Uint8Array
  tag: string
}

/** Compress and tag a file. Blocks the thread: prepare files above several hundred KB on another thread. */
export function makeStaticFile(bytes: Uint8Array, contentType: string, cacheControl: string): StaticFile {
  const tag = createHash('sha256').update(bytes).digest('base64url').slice(0, 22)
  return { contentType, cacheControl, plain: bytes, gzipped: gzipSync(bytes), tag }
}

/**
 * Send the file, compressed if the client accepts it, or 304 if the client has it (RFC 9110, 8.8.3, 12.5.3, 13.1.2).
 */
export function sendStaticFile(
  request: FastifyRequest,
  reply: FastifyReply,
  file: StaticFile,
  /** Other request headers that select between this file and something else. */
  chosenBy: readonly string[] = [],
) {
  const compressed = acceptsGzip(request.headers)
  // A compressed response is another representation with its own tag.
  const etag = compressed ? `"${file.tag}-gzip"` : `"${file.tag}"`
  reply.headers({ 'cache-control': file.cacheControl, etag, vary: [...chosenBy, 'accept-encoding'].join(', ') })
  if (matchesEtag(request.headers['if-none-match'], file.tag)) return reply.status(304).send()
  if (compressed) reply.header('content-encoding', 'gzip')
  return reply.type(file.contentType).send(compressed ? file.gzipped : file.plain)
}

/** Whether `If-None-Match` names the tag, weak or strong, plain or compressed. */
export function matchesEtag(ifNoneMatch: string | undefined, tag: string): boolean {
  if (ifNoneMatch === undefined) return false
  const held = ifNoneMatch.split(',').map((one) => one.trim().replace(/^W\//, ''))
  return held.some((one) => one === '*' || one === `"${tag}"` || one === `"${tag}-gzip"`)
}
