import type { IncomingMessage } from 'node:http'

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
