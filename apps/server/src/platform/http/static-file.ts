import { createHash } from 'node:crypto'
import { gzipSync } from 'node:zlib'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { acceptsGzip } from './negotiation.ts'

/** Bytes that are the same for everybody, with what a cache needs to know them by. */
export type StaticFile = {
  contentType: string
  cacheControl: string
  plain: Uint8Array
  gzipped: Uint8Array
  tag: string
}

/** Compresses on the thread that calls: what is larger than some hundred KB is better made on another. */
export function makeStaticFile(bytes: Uint8Array, contentType: string, cacheControl: string): StaticFile {
  const tag = createHash('sha256').update(bytes).digest('base64url').slice(0, 22)
  return { contentType, cacheControl, plain: bytes, gzipped: gzipSync(bytes), tag }
}

/** Answers the file, compressed for those who take it; 304 to those who have it (RFC 9110, 8.8.3, 12.5.3, 13.1.2). */
export function sendStaticFile(
  request: FastifyRequest,
  reply: FastifyReply,
  file: StaticFile,
  /** Other headers of the request that choose between this file and something else. */
  chosenBy: readonly string[] = [],
) {
  const compressed = acceptsGzip(request.headers)
  // The same text in another encoding is another representation, and has a tag of its own.
  const etag = compressed ? `"${file.tag}-gzip"` : `"${file.tag}"`
  reply.headers({ 'cache-control': file.cacheControl, etag, vary: [...chosenBy, 'accept-encoding'].join(', ') })
  if (isHeld(request.headers['if-none-match'], file.tag)) return reply.status(304).send()
  if (compressed) reply.header('content-encoding', 'gzip')
  return reply.type(file.contentType).send(compressed ? file.gzipped : file.plain)
}

/** Whether `If-None-Match` names the tag, weak or strong, plain or compressed. */
export function isHeld(ifNoneMatch: string | undefined, tag: string): boolean {
  if (ifNoneMatch === undefined) return false
  const held = ifNoneMatch.split(',').map((one) => one.trim().replace(/^W\//, ''))
  return held.some((one) => one === '*' || one === `"${tag}"` || one === `"${tag}-gzip"`)
}
