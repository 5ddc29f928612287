import type { IncomingMessage } from 'node:http'

/** Of UUIDs, nginx's `$request_id`, Envoy and HAProxy; nothing that could break a line of a log or a header. */
const requestIdPattern = /^[\w.:-]{8,128}$/

/**
 * The `X-Request-Id` that a trusted proxy has given a request, so that its log and ours name the same one; undefined where
 * there is none, or the sender could be anyone: ids of strangers could be made to look like those of other requests.
 */
export function readRequestId(
  { headers, socket }: Pick<IncomingMessage, 'headers'> & { socket: { remoteAddress?: string | undefined } },
  isTrusted: (address: string) => boolean,
): string | undefined {
  const sent = headers['x-request-id']
  if (typeof sent !== 'string' || !requestIdPattern.test(sent)) return undefined
  return isTrusted(socket.remoteAddress ?? '') ? sent : undefined
}
