import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import { timedOut, withTimeout } from '../with-timeout.ts'
import { FetchRefused } from './fetch-refused.ts'
import { type Answer, exchange, refusalOf } from './guarded-exchange.ts'
import { validateTarget } from './guarded-target.ts'
import { isPublicAddress } from './public-address.ts'
import { createResolveName, type ResolveName } from './resolve-name.ts'

/** oauth.md 4: what somebody else's server may take of us. */
export const fetchLimits = { timeMs: 5_000, redirects: 3, bodyBytes: 1024 * 1024 }

/** Where web pages are; behind other ports are services that take orders from whoever reaches them. */
const webPorts = [80, 443]

/** Answers that name another place, and leave the method GET as it is (RFC 9110, 15.4). */
const redirects = [301, 302, 303, 307, 308]

export type FetchRequest = {
  method?: 'GET' | 'POST'
  /** Sent to the host that was asked for. Of these only `accept` follows a redirect to another one. */
  headers?: Readonly<Record<string, string>>
  body?: Buffer
  /** False ends the connection after the head, and `bytes` is empty: a page that only has to answer may be large. */
  readBody?: boolean
  /** Asked about each host, before anything is sent to it. */
  isDeniedHost?: (host: string) => boolean | Promise<boolean>
}

export type Fetched = {
  status: number
  headers: IncomingHttpHeaders
  bytes: Buffer
  /** Where the redirects ended. */
  finalUrl: string
}

/** @throws FetchRefused, and nothing else */
export type GuardedFetch = (url: string, request?: FetchRequest) => Promise<Fetched>

export type GuardedFetchOptions = {
  /** Stands in the User-Agent, so that whoever is fetched from knows whom to ask. */
  baseUrl: string
  limits?: typeof fetchLimits
  resolveName?: ResolveName
  /** Tests let loopback in; nobody else may. */
  isAllowedAddress?: (address: string) => boolean
  isAllowedPort?: (port: number) => boolean
  certificateAuthorities?: readonly string[]
}

/**
 * The one way out to addresses that strangers give us. Each step, the first and each redirect, is judged from the start:
 * scheme, port, name, every address of the name; then the connection goes to a judged address. A GET follows redirects,
 * never from https to http; a POST does not, and hands back the 3xx. No cookies, credentials, Referer or proxy take part.
 * All of it together ends within the limits.
 */
export function createGuardedFetch({ baseUrl, limits = fetchLimits, ...options }: GuardedFetchOptions): GuardedFetch {
  const rules = {
    resolveName: options.resolveName ?? createResolveName(),
    isAllowedAddress: options.isAllowedAddress ?? isPublicAddress,
    isAllowedPort: options.isAllowedPort ?? ((port) => webPorts.includes(port)),
  }
  const fixedHeaders = {
    'user-agent': `Parley (+${baseUrl})`,
    // A compressed body could be a bomb; so none is asked for, and none is read.
    'accept-encoding': 'identity',
    connection: 'close',
  }

  return (address, request = {}) => within(limits.timeMs, hostOf(address), (signal) => follow(address, request, signal))

  async function follow(address: string, request: FetchRequest, signal: AbortSignal): Promise<Fetched> {
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
        const bytes = readBody ? await readBounded(message, limits.bodyBytes, url.hostname) : dropBody(message)
        return { status, headers: answered, bytes, finalUrl: url.href }
      }
      dropBody(answer.message)
      if (redirected === limits.redirects) {
        throw new FetchRefused('too_many_redirects', `redirects more than ${limits.redirects} times`, url.hostname)
      }
      const { accept } = headers
      if (next.origin !== url.origin) headers = accept === undefined ? {} : { accept }
      url = next
    }
  }
}

/** Where an answer sends a reader on to; undefined when it is to be taken as it is. */
function redirectOf({ status, headers: { location } }: Answer, from: URL): URL | undefined {
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
  // What is dropped may still break, and nobody is to hear of it.
  message.on('error', () => undefined).destroy()
  return Buffer.alloc(0)
}

async function readBounded(message: IncomingMessage, most: number, host: string): Promise<Buffer> {
  const encoding = message.headers['content-encoding'] ?? 'identity'
  if (encoding.trim().toLowerCase() !== 'identity') {
    dropBody(message)
    throw new FetchRefused('encoded', 'answers in a compressed form that was not asked for', host)
  }
  const chunks: Buffer[] = []
  let length = 0
  try {
    for await (const chunk of message) {
      length += chunk.length
      // Leaving the loop destroys the message, and its connection with it.
      if (length > most) throw new FetchRefused('too_large', `answers with more than ${most / 1024} KiB`, host)
      chunks.push(chunk)
    }
  } catch (error) {
    throw error instanceof FetchRefused ? error : refusalOf(error, host)
  }
  return Buffer.concat(chunks)
}

/** Lets `act` go on for so long; then whatever it waits for is aborted, and that it took too long is all that is told. */
async function within<T>(limitMs: number, host: string, act: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const result = await withTimeout(limitMs, act)
  if (result === timedOut) throw new FetchRefused('timeout', `does not answer within ${limitMs / 1000} seconds`, host)
  return result
}
