import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import { timedOut, withTimeout } from '../with-timeout.ts'
import { FetchRefused } from './fetch-refused.ts'
import { exchange, type GuardedResponse, refusalOf, validateTarget } from './guarded-exchange.ts'
import { isPublicAddress } from './public-address.ts'
import { createResolveName, type ResolveName } from './resolve-name.ts'

/** Limits of a request to a third-party server. */
export const fetchLimits = { timeMs: 5_000, redirects: 3, bodyBytes: 1024 * 1024 }

/** The ports of web servers. Other ports may belong to services that accept commands from any client. */
const webPorts = [80, 443]

/** Redirects that are followed with GET (RFC 9110, 15.4). */
const redirects = [301, 302, 303, 307, 308]

export type FetchRequest = {
  method?: 'GET' | 'POST'
  /** Sent to the requested host. After a redirect to another host only `accept` is sent. */
  headers?: Readonly<Record<string, string>>
  body?: Buffer
  /**
   * False: close the connection after the head and return empty `bytes`, for pages whose content does not matter.
   * `start`: return what can be read of the body within a second, nothing of a compressed body. True: refuse a body
   * that is longer than the limit, compressed or broken.
   */
  readBody?: boolean | 'start'
  /** Called for each host before anything is sent to it. */
  isDeniedHost?: (host: string) => boolean | Promise<boolean>
  /** Aborted when the response is no longer needed: the connection is closed. */
  signal?: AbortSignal
}

export type Fetched = {
  status: number
  headers: IncomingHttpHeaders
  bytes: Buffer
  /** The URL after all redirects. */
  finalUrl: string
  /** Every address of that URL is public. */
  isPublic: boolean
}

/** Without `bytes` where the body is still to be read. */
type Followed = Omit<Fetched, 'bytes'> & { bytes: Buffer | undefined; message: IncomingMessage }

/** @throws FetchRefused, and nothing else */
export type GuardedFetch = (url: string, request?: FetchRequest) => Promise<Fetched>

export type GuardedFetchOptions = {
  /** Named in the User-Agent, so that the operator of the fetched server knows whom to contact. */
  baseUrl: string
  limits?: typeof fetchLimits
  resolveName?: ResolveName
  /** For tests only, which allow loopback addresses. */
  isAllowedAddress?: (address: string) => boolean
  isAllowedPort?: (port: number) => boolean
  certificateAuthorities?: readonly string[]
}

/**
 * Create the fetch function for URLs from untrusted people. The first request and each redirect are validated from
 * scratch: scheme, port, name and every address of the name; then the connection goes to a validated address. A GET
 * follows redirects, but never from https to http; a POST does not, and returns the 3xx. No cookies, credentials,
 * Referer or proxies are used. The limits cover the whole exchange.
 */
export function createGuardedFetch({ baseUrl, limits = fetchLimits, ...options }: GuardedFetchOptions): GuardedFetch {
  const rules = {
    resolveName: options.resolveName ?? createResolveName(),
    isAllowedAddress: options.isAllowedAddress ?? isPublicAddress,
    isAllowedPort: options.isAllowedPort ?? ((port) => webPorts.includes(port)),
  }
  const fixedHeaders = {
    'user-agent': `Parley (+${baseUrl})`,
    // A compressed body could be a decompression bomb, so compression is neither requested nor accepted.
    'accept-encoding': 'identity',
    connection: 'close',
  }

  return async (address, request = {}) => {
    const bounds = { limitMs: limits.timeMs, host: hostOf(address), aborted: request.signal }
    const followed = await within(bounds, (signal) => follow(address, request, signal))
    const { message, ...fetched } = followed
    return { ...fetched, bytes: followed.bytes ?? (await readStart(message, limits.bodyBytes)) }
  }

  async function follow(address: string, request: FetchRequest, signal: AbortSignal): Promise<Followed> {
    const { method = 'GET', body, readBody = true, isDeniedHost } = request
    let url = parseUrl(address, undefined)
    let headers = request.headers ?? {}
    for (let redirected = 0; ; redirected += 1) {
      if (await isDeniedHost?.(url.hostname)) {
        throw new FetchRefused('denied_host', 'is on a denied host', url.hostname)
      }
      const target = await validateTarget(url, rules, signal)
      const sent = { ...headers, ...fixedHeaders, ...(body && { 'content-length': String(body.length) }) }
      const { certificateAuthorities } = options
      const answer = await exchange(target, { method, headers: sent, body, signal, certificateAuthorities })
      const next = method === 'GET' ? redirectOf(answer, url) : undefined
      if (next === undefined) {
        const { status, headers: answered, message } = answer
        const isPublic = target.addresses.every(isPublicAddress)
        const fetched = { status, headers: answered, message, finalUrl: url.href, isPublic }
        if (readBody === 'start') return { ...fetched, bytes: undefined }
        const bounds = { maxBytes: limits.bodyBytes, host: url.hostname }
        return { ...fetched, bytes: readBody ? await readBounded(message, bounds) : dropBody(message) }
      }
      dropBody(answer.message)
      if (redirected === limits.redirects) {
        const message = limits.redirects === 0 ? 'redirects elsewhere' : `redirects more than ${limits.redirects} times`
        throw new FetchRefused('too_many_redirects', message, url.hostname)
      }
      const { accept } = headers
      if (next.origin !== url.origin) headers = accept === undefined ? {} : { accept }
      url = next
    }
  }
}

/** The target of a redirect; undefined for other responses. */
function redirectOf({ status, headers: { location } }: GuardedResponse, from: URL): URL | undefined {
  if (!redirects.includes(status) || location === undefined) return undefined
  const next = parseUrl(location, from)
  if (from.protocol === 'https:' && next.protocol === 'http:') {
    throw new FetchRefused('downgrade', 'redirects from https to http', from.hostname)
  }
  return next
}

function parseUrl(text: string, from: URL | undefined): URL {
  const url = URL.parse(text, from)
  if (url !== null) return url
  throw new FetchRefused(
    'not_an_address',
    from === undefined ? 'is not an address' : 'redirects to what is not an address',
    from?.hostname ?? '',
  )
}

const hostOf = (text: string) => URL.parse(text)?.hostname ?? ''

function dropBody(message: IncomingMessage): Buffer {
  // A dropped message may still emit an error, which must not end the process.
  message.on('error', () => undefined).destroy()
  return Buffer.alloc(0)
}

async function readBounded(
  message: IncomingMessage,
  { maxBytes, host }: { maxBytes: number; host: string },
): Promise<Buffer> {
  if (isEncoded(message)) {
    dropBody(message)
    throw new FetchRefused('encoded', 'answers in a compressed form that was not asked for', host)
  }
  const chunks: Buffer[] = []
  let length = 0
  try {
    for await (const chunk of message) {
      length += chunk.length
      // Leaving the loop destroys the message and its connection.
      if (length > maxBytes) {
        throw new FetchRefused('too_large', `answers with more than ${maxBytes / 1024} KiB`, host)
      }
      chunks.push(chunk)
    }
  } catch (error) {
    throw error instanceof FetchRefused ? error : refusalOf(error, host)
  }
  return Buffer.concat(chunks)
}

function isEncoded({ headers }: IncomingMessage): boolean {
  return (headers['content-encoding'] ?? 'identity').trim().toLowerCase() !== 'identity'
}

/** A body that comes slower is not waited for. */
const startLimitMs = 1_000

/** Read the start of a body. Whatever goes wrong, the response has its status. */
async function readStart(message: IncomingMessage, maxBytes: number): Promise<Buffer> {
  const chunks: Buffer[] = []
  if (!isEncoded(message)) {
    await withTimeout(startLimitMs, async () => {
      let length = 0
      for await (const chunk of message) {
        chunks.push(chunk)
        length += chunk.length
        if (length >= maxBytes) break
      }
    }).catch(() => undefined)
  }
  dropBody(message)
  return Buffer.concat(chunks).subarray(0, maxBytes)
}

type Bounds = { limitMs: number; host: string; aborted: AbortSignal | undefined }

/** Run `act` with a time limit. On expiry, and when the caller aborts it, everything ends, and only that is reported. */
async function within<T>({ limitMs, host, aborted }: Bounds, act: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const result = await withTimeout(limitMs, (expired) =>
    act(aborted === undefined ? expired : AbortSignal.any([expired, aborted])),
  ).catch((error) => {
    throw aborted?.aborted ? new FetchRefused('aborted', 'was not waited for', host, error) : error
  })
  if (result === timedOut) throw new FetchRefused('timeout', `does not answer within ${limitMs / 1000} seconds`, host)
  return result
}
