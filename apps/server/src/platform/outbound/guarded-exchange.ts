import { Agent as HttpAgent, type IncomingHttpHeaders, type IncomingMessage, request as requestHttp } from 'node:http'
import { Agent as HttpsAgent, request as requestHttps } from 'node:https'
import { isIP, type LookupFunction } from 'node:net'
import { inSpan } from '../operation.ts'
import { FetchRefused } from './fetch-refused.ts'
import { bareHost, type GuardedTarget, portOf } from './guarded-target.ts'
import { startOfCall } from './traced-fetch.ts'

/** Larger heads are no page's: Node's own limit, whatever the process was started with. */
const maxHeaderBytes = 16 * 1024

/** A second for each address before the next is tried: far servers are slow, and IPv6 may lead nowhere. */
const attemptLimitMs = 1_000

export type ExchangeRequest = {
  method: string
  headers: Readonly<Record<string, string>>
  body: Buffer | undefined
  signal: AbortSignal
  /** Certificates to trust beside none of the usual, for tests. */
  certificateAuthorities: readonly string[] | undefined
}

export type Answer = { status: number; headers: IncomingHttpHeaders; message: IncomingMessage }

/**
 * One request on a connection of its own to one of the judged addresses, answered with the head. Who calls it reads the
 * message or destroys it. No proxy and no kept connection takes part: what was judged is what is connected to.
 * @throws FetchRefused
 */
export function exchange(target: GuardedTarget, ask: ExchangeRequest): Promise<Answer> {
  return inSpan(startOfCall(ask.method, target.url), async (span, traceparent) => {
    const headers = traceparent === undefined ? ask.headers : { ...ask.headers, traceparent }
    const answer = await send(target, { ...ask, headers })
    span?.setAttributes({ 'http.response.status_code': answer.status })
    return answer
  })
}

function send(target: GuardedTarget, ask: ExchangeRequest): Promise<Answer> {
  const { url } = target
  const secure = url.protocol === 'https:'
  const options = {
    host: bareHost(url),
    port: portOf(url),
    path: `${url.pathname}${url.search}`,
    method: ask.method,
    headers: ask.headers,
    lookup: answerWith(target.addresses),
    autoSelectFamily: true,
    autoSelectFamilyAttemptTimeout: attemptLimitMs,
    maxHeaderSize: maxHeaderBytes,
    insecureHTTPParser: false,
    signal: ask.signal,
  }
  // Verified whatever NODE_TLS_REJECT_UNAUTHORIZED says.
  const trust = { rejectUnauthorized: true, ...(ask.certificateAuthorities && { ca: [...ask.certificateAuthorities] }) }
  const request = secure
    ? requestHttps({ ...options, ...trust, agent: new HttpsAgent({ keepAlive: false, maxCachedSessions: 0 }) })
    : requestHttp({ ...options, agent: new HttpAgent({ keepAlive: false }) })

  return new Promise((resolve, reject) => {
    const refuse = (error?: unknown) => reject(refusalOf(error, url.hostname))
    request.on('response', (message) => {
      resolve({ status: message.statusCode ?? 0, headers: message.headers, message })
    })
    request.on('error', refuse)
    // A server that wants another protocol gets none.
    request.on('upgrade', (_message, socket) => {
      socket.destroy()
      refuse()
    })
    request.on('close', () => refuse())
    request.end(ask.body)
  })
}

/** Answers the connection's own look-up with what was judged, whatever the name servers say by now (DNS rebinding). */
const answerWith =
  (addresses: readonly string[]): LookupFunction =>
  (_name, options, done) => {
    const all = addresses.map((address) => ({ address, family: isIP(address) }))
    const [first] = all
    if (options.all || first === undefined) done(null, all)
    else done(null, first.address, first.family)
  }

/** What went wrong with a connection, said so that it helps a developer and tells nothing about our network. */
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
