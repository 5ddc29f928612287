import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'

/** More than any browser sends; longer values would only keep the parser busy. */
const maxPreferenceLength = 1_000

/** The same as nginx's limit for a header line. The cookies of other apps count, too. */
const maxValueLength = 8 * 1024

/**
 * The request headers that this service, or a library that it uses, parses: the maximum length in characters, and what
 * happens to longer ones. Preferences may be ignored (RFC 9110, 12.5 and 14.2); a request whose meaning depends on the
 * header is refused. Headers that are only compared or passed on need no limit beyond that of all headers together.
 */
const limits: Readonly<Record<string, { maxLength: number; beyond: 'ignore' | 'refuse' }>> = {
  accept: { maxLength: maxPreferenceLength, beyond: 'ignore' },
  'accept-encoding': { maxLength: maxPreferenceLength, beyond: 'ignore' },
  'accept-language': { maxLength: maxPreferenceLength, beyond: 'ignore' },
  prefer: { maxLength: maxPreferenceLength, beyond: 'ignore' },
  range: { maxLength: maxPreferenceLength, beyond: 'ignore' },
  traceparent: { maxLength: maxPreferenceLength, beyond: 'ignore' },
  'x-request-id': { maxLength: maxPreferenceLength, beyond: 'ignore' },
  'access-control-request-headers': { maxLength: maxPreferenceLength, beyond: 'refuse' },
  'last-event-id': { maxLength: maxPreferenceLength, beyond: 'refuse' },
  'content-type': { maxLength: maxPreferenceLength, beyond: 'refuse' },
  'sec-websocket-extensions': { maxLength: maxPreferenceLength, beyond: 'refuse' },
  'sec-websocket-protocol': { maxLength: maxPreferenceLength, beyond: 'refuse' },
  authorization: { maxLength: maxValueLength, beyond: 'refuse' },
  cookie: { maxLength: maxValueLength, beyond: 'refuse' },
  'if-match': { maxLength: maxValueLength, beyond: 'refuse' },
  'if-modified-since': { maxLength: maxPreferenceLength, beyond: 'refuse' },
  'if-none-match': { maxLength: maxValueLength, beyond: 'refuse' },
  'if-range': { maxLength: maxPreferenceLength, beyond: 'refuse' },
  'if-unmodified-since': { maxLength: maxPreferenceLength, beyond: 'refuse' },
  'x-forwarded-for': { maxLength: maxValueLength, beyond: 'refuse' },
}

export const parsedHeaders: readonly string[] = Object.keys(limits)

/** Remove preferences that are too long to parse, and return a header that must be refused, if any. */
export function enforceHeaderLimits(headers: IncomingHttpHeaders): { name: string; maxLength: number } | undefined {
  for (const [name, { maxLength, beyond }] of Object.entries(limits)) {
    if ((headers[name]?.length ?? 0) <= maxLength) continue
    if (beyond === 'refuse') return { name, maxLength }
    delete headers[name]
  }
  return undefined
}

/** Whether a header was sent more than once. Node keeps the first; a proxy may have read the last. */
export function isSentTwice({ rawHeaders }: IncomingMessage, name: string): boolean {
  let lines = 0
  for (let at = 0; at < rawHeaders.length; at += 2) {
    if (rawHeaders[at]?.toLowerCase() === name) lines++
  }
  return lines > 1
}

/** The characters of a host and a port (RFC 3986, 3.2.2 and 3.2.3). */
const hostCharacters = /^[\w.~!$&'()*+,;=:[\]%-]*$/

/** Whether there is exactly one Host header with a valid host (RFC 9112, 3.2). Only HTTP/1.1 requires one. */
export function isHostValid(message: IncomingMessage): boolean {
  const { host } = message.headers
  if (host === undefined) return message.httpVersion !== '1.1'
  return !isSentTwice(message, 'host') && hostCharacters.test(host)
}

/**
 * Matches UUIDs and the ids of nginx (`$request_id`), Envoy and HAProxy; nothing that could break a log line or a
 * header.
 */
const requestIdPattern = /^[\w.:-]{8,128}$/

/**
 * Read the `X-Request-Id` of a trusted proxy, so that its log and ours name the same request; undefined without one, or
 * from an untrusted sender, who could imitate the ids of other requests.
 */
export function readRequestId(
  { headers, socket }: Pick<IncomingMessage, 'headers'> & { socket: { remoteAddress?: string | undefined } },
  isTrusted: (address: string) => boolean,
): string | undefined {
  const sent = headers['x-request-id']
  if (typeof sent !== 'string' || !requestIdPattern.test(sent)) return undefined
  return isTrusted(socket.remoteAddress ?? '') ? sent : undefined
}
