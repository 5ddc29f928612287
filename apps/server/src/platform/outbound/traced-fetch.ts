import { inSpan, type SpanStart } from '../operation.ts'

/**
 * Describe a request to another server for its span, without path and query, which may contain keys.
 * https://opentelemetry.io/docs/specs/semconv/http/http-spans/
 */
export function startOfCall(method: string, url: URL): SpanStart {
  const port = url.port === '' ? (url.protocol === 'https:' ? 443 : 80) : Number(url.port)
  return {
    name: method,
    kind: 'client',
    attributes: {
      'http.request.method': method,
      'url.scheme': url.protocol.slice(0, -1),
      'server.address': url.hostname,
      'server.port': port,
    },
  }
}

/** The options that openid-client passes to its fetch; its own body type is wider than TypeScript's. */
type FetchOptions = { method: string; headers: Record<string, string> }

/** Fetch from a server that the operator has configured, as part of the trace. */
export async function tracedFetch(address: string, options: FetchOptions): Promise<Response> {
  return inSpan(startOfCall(options.method, new URL(address)), async (span, traceparent) => {
    const headers = traceparent === undefined ? options.headers : { ...options.headers, traceparent }
    const answer = await fetch(address, { ...options, headers })
    span?.setAttributes({ 'http.response.status_code': answer.status })
    return answer
  })
}
