import { Agent as HttpAgent, type IncomingHttpHeaders, type IncomingMessage, request as requestHttp } from 'node:http'
import { Agent as HttpsAgent, request as requestHttps } from 'node:https'
import { isIP, type LookupFunction } from 'node:net'
import { inSpan } from '../operation.ts'
import { FetchRefused } from './fetch-refused.ts'
import type { ResolveName } from './resolve-name.ts'
import { startOfCall } from './traced-fetch.ts'

/** Node's own default, whatever the process was started with. */
const maxHeaderBytes = 16 * 1024

/** The time for each address before the next one is tried: distant servers are slow, and IPv6 may not work. */
const attemptLimitMs = 1_000

type ExchangeRequest = {
  method: string
  headers: Readonly<Record<string, string>>
  body: Buffer | undefined
  signal: AbortSignal
  /** Certificate authorities to trust instead of the default ones, for tests. */
  certificateAuthorities: readonly string[] | undefined
}

export type GuardedResponse = { status: number; headers: IncomingHttpHeaders; message: IncomingMessage }

/**
 * Send one request on its own connection to one of the validated addresses, and resolve with the response head. The
 * caller reads the message or destroys it. No proxy and no pooled connection is used, so that the validated address is
 * the connected one.
 *
 * @throws FetchRefused
 */
export function exchange(target: GuardedTarget, options: ExchangeRequest): Promise<GuardedResponse> {
  return inSpan(startOfCall(options.method, target.url), async (span, traceparent) => {
    const headers = traceparent === undefined ? options.headers : { ...options.headers, traceparent }
    const answer = await send(target, { ...options, headers })
    span?.setAttributes({ 'http.response.status_code': answer.status })
    return answer
  })
}

function send(target: GuardedTarget, options: ExchangeRequest): Promise<GuardedResponse> {
  const { url } = target
  const secure = url.protocol === 'https:'
  const requestOptions = {
    host: bareHost(url),
    port: portOf(url),
    path: `${url.pathname}${url.search}`,
    method: options.method,
    headers: options.headers,
    lookup: resolveTo(target.addresses),
    autoSelectFamily: true,
    autoSelectFamilyAttemptTimeout: attemptLimitMs,
    maxHeaderSize: maxHeaderBytes,
    insecureHTTPParser: false,
    signal: options.signal,
  }
  // Verify certificates even if NODE_TLS_REJECT_UNAUTHORIZED is 0.
  const trust = {
    rejectUnauthorized: true,
    ...(options.certificateAuthorities && { ca: [...options.certificateAuthorities] }),
  }
  const request = secure
    ? requestHttps({ ...requestOptions, ...trust, agent: new HttpsAgent({ keepAlive: false, maxCachedSessions: 0 }) })
    : requestHttp({ ...requestOptions, agent: new HttpAgent({ keepAlive: false }) })

  return new Promise((resolve, reject) => {
    const refuse = (error?: unknown) => reject(refusalOf(error, url.hostname))
    request.on('response', (message) => {
      resolve({ status: message.statusCode ?? 0, headers: message.headers, message })
    })
    request.on('error', refuse)
    // Refuse to switch protocols.
    request.on('upgrade', (_message, socket) => {
      socket.destroy()
      refuse()
    })
    request.on('close', () => refuse())
    request.end(options.body)
  })
}

/** Resolve the connection's look-up to the validated addresses: DNS may return others by now (DNS rebinding). */
const resolveTo =
  (addresses: readonly string[]): LookupFunction =>
  (_name, options, done) => {
    const all = addresses.map((address) => ({ address, family: isIP(address) }))
    const [first] = all
    if (options.all || first === undefined) done(null, all)
    else done(null, first.address, first.family)
  }

/** Describe a connection error in a way that helps a developer and reveals nothing about our network. */
export function refusalOf(error: unknown, host: string): FetchRefused {
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  if (code === 'HPE_HEADER_OVERFLOW') return new FetchRefused('too_large', 'answers with too large a head', host, error)
  if (code.startsWith('HPE_') || code === '') {
    return new FetchRefused('broken_answer', 'does not answer in valid HTTP', host, error)
  }
  if (/CERT|ALTNAME|_ISSUER|SELF_SIGNED|CRL/.test(code)) {
    return new FetchRefused('bad_certificate', 'shows a certificate that is not valid for its name', host, error)
  }
  if (/^(ERR_SSL|ERR_TLS|EPROTO)/.test(code)) {
    return new FetchRefused('bad_certificate', 'does not speak TLS as it must', host, error)
  }
  return new FetchRefused('no_connection', 'does not take or keep a connection', host, error)
}

/** A validated target: the connection goes to one of these addresses, which are never resolved again. */
type GuardedTarget = { url: URL; addresses: readonly string[] }

type TargetPolicy = {
  resolveName: ResolveName
  isAllowedAddress: (address: string) => boolean
  isAllowedPort: (port: number) => boolean
}

/** How many addresses of a name are tried; all are validated. */
const maxAddressesTried = 4

/**
 * Validate a URL: `http:` or `https:`, no credentials, an allowed port, and a host name that resolves to allowed
 * addresses only, so that a second look-up could not give a forbidden one.
 *
 * @throws FetchRefused
 */
export async function validateTarget(url: URL, policy: TargetPolicy, signal: AbortSignal): Promise<GuardedTarget> {
  const refuse = (...[code, message]: [FetchRefused['code'], string]) => new FetchRefused(code, message, url.hostname)
  if (url.protocol !== 'https:' && url.protocol !== 'http:') throw refuse('not_http', 'is neither https nor http')
  if (url.username !== '' || url.password !== '') throw refuse('userinfo', 'holds a user name or a password')
  const port = portOf(url)
  if (!policy.isAllowedPort(port)) throw refuse('port', `is on port ${port}, where nothing is fetched from`)

  const addresses = await addressesOf(url, policy.resolveName, signal)
  if (addresses.length === 0) throw refuse('no_such_name', 'cannot be found: its name does not exist')
  if (!addresses.every(policy.isAllowedAddress)) throw refuse('private_address', 'leads to a private address')
  return { url, addresses: addresses.slice(0, maxAddressesTried) }
}

function portOf({ port, protocol }: URL): number {
  if (port !== '') return Number(port)
  return protocol === 'https:' ? 443 : 80
}

/** A URL's host without the brackets of IPv6. */
const bareHost = ({ hostname }: URL) => hostname.replace(/^\[(.*)\]$/, '$1')

async function addressesOf(url: URL, resolveName: ResolveName, signal: AbortSignal): Promise<readonly string[]> {
  const host = bareHost(url)
  if (isIP(host) !== 0) return [host]
  try {
    return await resolveName(host, signal)
  } catch (cause) {
    throw new FetchRefused('name_not_resolved', 'cannot be found: its name servers do not answer', url.hostname, cause)
  }
}
