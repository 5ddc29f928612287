import { Agent, type IncomingHttpHeaders, request } from 'node:http'

/** The outcome of a request. Only after `lost` is it unknown whether the request was carried out. */
export type Outcome = { tookMs: number } & (
  | { kind: 'answered'; status: number; headers: IncomingHttpHeaders; body: string }
  | { kind: 'refused' }
  | { kind: 'lost'; reason: string }
)

export type RequestParts = { token?: string; body?: unknown; headers?: Record<string, string> }

export type Connection = {
  send(method: string, path: string, request?: RequestParts): Promise<Outcome>
  close(): void
}

/** A client that keeps one connection as long as the server allows, and records the outcome of each request. */
export function connectTo(base: string): Connection {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  return {
    close: () => agent.destroy(),
    send(method, path, { token, body, headers = {} } = {}) {
      const text = body === undefined ? undefined : JSON.stringify(body)
      const startedAt = performance.now()
      const { promise, resolve } = Promise.withResolvers<Outcome>()
      const tookMs = () => performance.now() - startedAt
      const fail = (error: Error & { code?: string; syscall?: string }) =>
        resolve(
          error.syscall === 'connect'
            ? { kind: 'refused', tookMs: tookMs() }
            : { kind: 'lost', reason: error.code ?? error.message, tookMs: tookMs() },
        )
      const sent = request(new URL(path, base), {
        agent,
        method,
        headers: {
          ...(token !== undefined && { authorization: `Bearer ${token}` }),
          ...(text !== undefined && { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) }),
          ...headers,
        },
      })
      sent.on('error', fail)
      sent.on('response', (response) => {
        const parts: Buffer[] = []
        response.on('data', (part: Buffer) => parts.push(part))
        response.on('error', fail)
        response.on('end', () => {
          const { statusCode: status = 0 } = response
          const whole = Buffer.concat(parts).toString('utf8')
          resolve({ kind: 'answered', status, headers: response.headers, body: whole, tookMs: tookMs() })
        })
      })
      sent.end(text)
      return promise
    },
  }
}

/** Send a request on its own connection and expect this status. */
export async function expectAnswer(
  base: string,
  status: number,
  method: string,
  path: string,
  request: RequestParts = {},
) {
  const connection = connectTo(base)
  const outcome = await connection.send(method, path, request)
  connection.close()
  if (outcome.kind !== 'answered' || outcome.status !== status) {
    throw new Error(`${method} ${path}: ${status} expected, found ${JSON.stringify(outcome)}`)
  }
  return { headers: outcome.headers, body: outcome.body === '' ? undefined : JSON.parse(outcome.body) }
}
