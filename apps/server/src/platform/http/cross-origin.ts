import type { IncomingHttpHeaders } from 'node:http'

/** Below this, programs are answered; everything else is for our own pages. */
const apiPrefix = '/api/'

/** Two hours, the most that a browser keeps it. */
const preflightSeconds = 7200

/** The same for every origin, and never for cookies: what a page of another origin may do, its token may. */
const anyOrigin = { 'access-control-allow-origin': '*' }

/** What a page cannot read by itself, of the headers that the API's answers carry. */
const answerHeaders = {
  ...anyOrigin,
  'access-control-expose-headers': 'ETag, Idempotency-Replayed, Retry-After, X-Request-Id',
}

const preflightHeaders = {
  ...anyOrigin,
  'access-control-allow-methods': 'GET, POST, PUT, DELETE',
  'access-control-allow-headers': 'Authorization, Content-Type, Idempotency-Key, If-Match, If-None-Match',
  'access-control-max-age': String(preflightSeconds),
}

type Asked = { method: string; url: string; headers: IncomingHttpHeaders }

/** A browser asks whether a page of another origin may call the API with a token (Fetch, 3.2.2): these headers say yes. */
export function preflightAnswer({ method, url, headers }: Asked): Readonly<Record<string, string>> | undefined {
  if (method !== 'OPTIONS' || headers.origin === undefined || !url.startsWith(apiPrefix)) return undefined
  const wanted = (headers['access-control-request-headers'] ?? '').toLowerCase().split(',')
  return wanted.some((name) => name.trim() === 'authorization') ? preflightHeaders : undefined
}

/**
 * Lets a page of another origin read the answer to a request that carried a token. An app proves itself with its secret
 * from its own server, never from a page: what is asked with one is not for reading there.
 */
export function crossOriginHeaders({ url, headers }: Asked): Readonly<Record<string, string>> | undefined {
  const { origin, authorization } = headers
  if (origin === undefined || authorization === undefined || !url.startsWith(apiPrefix)) return undefined
  return /^basic /i.test(authorization) ? undefined : answerHeaders
}
