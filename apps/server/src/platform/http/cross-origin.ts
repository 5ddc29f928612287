import type { IncomingHttpHeaders } from 'node:http'

/** Paths of the API; all others are for our own pages. */
const apiPrefix = '/api/'

/** The documents by which clients in a browser find our OAuth server and what it protects (RFC 8414, 9728). */
const metadataPrefix = '/.well-known/oauth-'

/** Two hours, the maximum in browsers. */
const preflightSeconds = 7200

/** The same for all origins, and never with cookies: a page of another origin may do what its token may. */
export const anyOrigin = { 'access-control-allow-origin': '*' }

/** Response headers of the API that scripts cannot read by default. */
const replyHeaders = {
  ...anyOrigin,
  'access-control-expose-headers': 'ETag, Idempotency-Replayed, Preference-Applied, Retry-After, X-Request-Id',
}

const preflightHeaders = {
  ...anyOrigin,
  'access-control-allow-methods': 'GET, POST, PUT, DELETE',
  'access-control-allow-headers':
    'Authorization, Content-Type, Idempotency-Key, If-Match, If-None-Match, Last-Event-ID, Prefer',
  'access-control-max-age': String(preflightSeconds),
}

/** Reading metadata with any header, such as the protocol version that MCP clients send. */
const metadataPreflightHeaders = {
  ...anyOrigin,
  'access-control-allow-methods': 'GET',
  'access-control-allow-headers': '*',
  'access-control-max-age': String(preflightSeconds),
}

type CorsRequest = { method: string; url: string; headers: IncomingHttpHeaders }

/** Answer a CORS preflight request for a call of the API with a token, or for metadata (Fetch, 3.2.2). */
export function preflightReply({ method, url, headers }: CorsRequest): Readonly<Record<string, string>> | undefined {
  if (method !== 'OPTIONS' || headers.origin === undefined) return undefined
  if (url.startsWith(metadataPrefix) && headers['access-control-request-method'] === 'GET')
    return metadataPreflightHeaders
  if (!url.startsWith(apiPrefix)) return undefined
  const wanted = (headers['access-control-request-headers'] ?? '').toLowerCase().split(',')
  return wanted.some((name) => name.trim() === 'authorization') ? preflightHeaders : undefined
}

/**
 * Let a page of another origin read metadata and the responses to requests with a token. Responses to apps that
 * authenticate with a secret stay unreadable: such requests come from a server, never from a page. client-endpoint.ts
 * makes the answers to public clients readable.
 */
export function crossOriginHeaders({ url, headers }: CorsRequest): Readonly<Record<string, string>> | undefined {
  const { origin, authorization } = headers
  if (origin !== undefined && url.startsWith(metadataPrefix)) return anyOrigin
  if (origin === undefined || authorization === undefined || !url.startsWith(apiPrefix)) return undefined
  return /^basic /i.test(authorization) ? undefined : replyHeaders
}
