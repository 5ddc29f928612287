import { createServer, type IncomingHttpHeaders, type IncomingMessage, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after } from 'node:test'

/** A request as received over the wire, and the status of its reply. */
export type Sent = {
  method: string
  path: string
  query: URLSearchParams
  headers: IncomingHttpHeaders
  form: URLSearchParams
  status: number
}

export type Wire = {
  /** The public address, which the service must use as its own. */
  base: string
  /** All requests, in the order of their replies. */
  sent: Sent[]
  forwardTo(target: string): void
}

/**
 * Start a recording proxy in front of the service. It starts before the service, which needs the proxy's address for
 * discovery and `iss`.
 */
export async function openWire(): Promise<Wire> {
  const sent: Sent[] = []
  let target: URL | undefined
  const server = createServer((incoming, answer) => {
    const chunks: Buffer[] = []
    incoming.on('data', (chunk: Buffer) => chunks.push(chunk))
    incoming.on('end', () => {
      const body = Buffer.concat(chunks)
      const onward = request(
        {
          host: target?.hostname,
          port: target?.port,
          method: incoming.method,
          path: incoming.url,
          // Raw, so that a header that a client sends twice arrives twice.
          headers: incoming.rawHeaders,
          setHost: false,
        },
        (answered) => {
          sent.push(sentOf(incoming, body, answered.statusCode ?? 0))
          answer.writeHead(answered.statusCode ?? 500, answered.rawHeaders)
          answered.pipe(answer)
        },
      )
      onward.on('error', (error) => answer.destroy(error))
      onward.end(body)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  after(() => {
    server.close()
    server.closeAllConnections()
  })
  const { port } = server.address() as AddressInfo
  return {
    base: `http://localhost:${port}`,
    sent,
    forwardTo(base) {
      target = new URL(base)
    },
  }
}

function sentOf({ method = '', url = '/', headers }: IncomingMessage, body: Buffer, status: number): Sent {
  const { pathname, searchParams } = new URL(url, 'http://localhost')
  const isForm = headers['content-type']?.startsWith('application/x-www-form-urlencoded') ?? false
  const form = new URLSearchParams(isForm ? body.toString() : '')
  return { method, path: pathname, query: searchParams, headers, form, status }
}
