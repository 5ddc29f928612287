import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'

/** No browser sends as much; what lies beyond is an attempt to keep the parser busy. */
const maxPreferenceLength = 1_000

/** One line of a header may be as long in nginx, too, which often stands in front. Cookies of other apps count here. */
const maxValueLength = 8 * 1024

/**
 * Every request header that this service, or a library that it uses, parses: its maximum length in characters, and what
 * happens to a longer one. Preferences may be ignored (RFC 9110, 12.5 and 14.2); a request whose meaning depends on the
 * header is refused. Headers that are only compared or passed on need no limit beyond that of all headers together.
 */
const limits: Readonly<Record<string, { maxLength: number; beyond: 'ignore' | 'refuse' }>> = {
  accept: { maxLength: maxPreferenceLength, beyond: 'ignore' },
  'accept-encoding': { maxLength: maxPreferenceLength, beyond: 'ignore' },
  'accept-language': { maxLength: maxPreferenceLength, beyond: 'ignore' },
  range: { maxLength: maxPreferenceLength, beyond: 'ignore' },
  traceparent: { maxLength: maxPreferenceLength, beyond: 'ignore' },
  'x-request-id': { maxLength: maxPreferenceLength, beyond: 'ignore' },
  'access-control-request-headers': { maxLength: maxPreferenceLength, beyond: 'refuse' },
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

/** Removes preferences that are too long to be parsed, and answers the name of a header that must be refused. */
export function enforceHeaderLimits(headers: IncomingHttpHeaders): { name: string; maxLength: number } | undefined {
  for (const [name, { maxLength, beyond }] of Object.entries(limits)) {
    if ((headers[name]?.length ?? 0) <= maxLength) continue
    if (beyond === 'refuse') return { name, maxLength }
    delete headers[name]
  }
  return undefined
}

/** Whether a header was sent in more than one line. Node keeps the first of several; a proxy may have read the last. */
export function isSentTwice({ rawHeaders }: IncomingMessage, name: string): boolean {
  let lines = 0
  for (let at = 0; at < rawHeaders.length; at += 2) {
    if (rawHeaders[at]?.toLowerCase() === name) lines++
  }
  return lines > 1
}

/** What a host and a port consist of (RFC 3986, 3.2.2 and 3.2.3). */
const hostCharacters = /^[\w.~!$&'()*+,;=:[\]%-]*$/

/** Whether the Host header is there once and holds a host (RFC 9112, 3.2). Only HTTP/1.1 requires one. */
export function isHostSound(message: IncomingMessage): boolean {
  const { host } = message.headers
  if (host === undefined) return message.httpVersion !== '1.1'
  return !isSentTwice(message, 'host') && hostCharacters.test(host)
}
