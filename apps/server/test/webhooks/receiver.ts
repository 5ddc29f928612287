import { EventEmitter, once } from 'node:events'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { after } from 'node:test'
import type { EventReply } from '@parley/contract'
import { Webhook as StandardWebhook } from 'standardwebhooks'

export type Received = EventReply & { test?: true; meeting?: Record<string, unknown> | null }
type Answer =
  | {
      status: number
      headers?: Record<string, string>
      body?: string
      /** Resolves when the receiver may answer. */
      until?: Promise<unknown>
    }
  /** Does what it likes with the connection, and takes nothing. */
  | { raw: (socket: Socket) => void }

/** A receiver of webhooks on this machine. */
export type Receiver = {
  url: string
  /** What it took with 2xx. */
  taken: Received[]
  /** Every request, taken or not. */
  requests: { headers: Record<string, string>; event: Received; body: string }[]
  /** Resolves when so many requests have arrived. */
  arrived: (count: number) => Promise<void>
  /** Resolves when the next connection is closed. */
  closed: () => Promise<unknown>
  /** Decides on each event; 204 unless set. */
  answer: (event: Received) => Answer
  /** Each request is verified with all of these by the library of Standard Webhooks, and refused otherwise. */
  secrets: string[]
  /** Why requests were refused. */
  forged: string[]
}

/** Start a receiver that ends with the test that called this, or with the file. */
export async function startReceiver(): Promise<Receiver> {
  const happened = new EventEmitter()
  const server = createServer((request, response) => {
    request.socket.once('close', () => happened.emit('closed'))
    const chunks: Buffer[] = []
    request.on('data', (chunk) => chunks.push(chunk))
    request.on('end', async () => {
      const body = Buffer.concat(chunks).toString()
      const headers = headersOf(request.headers)
      try {
        for (const secret of receiver.secrets) new StandardWebhook(secret).verify(body, headers)
      } catch (error) {
        receiver.forged.push(String(error))
        response.writeHead(400).end()
        return
      }
      const event = JSON.parse(body)
      receiver.requests.push({ headers, event, body })
      happened.emit('arrived')
      const answer = receiver.answer(event)
      if ('raw' in answer) {
        answer.raw(request.socket)
        return
      }
      const { status, headers: answeredHeaders, body: answered, until } = answer
      await until
      if (status >= 200 && status <= 299) receiver.taken.push(event)
      response.writeHead(status, answeredHeaders).end(answered)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  after(() => {
    server.closeAllConnections()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  const receiver: Receiver = {
    url: `http://127.0.0.1:${port}/parley`,
    taken: [],
    requests: [],
    arrived: async (count) => {
      while (receiver.requests.length < count) await once(happened, 'arrived')
    },
    closed: () => once(happened, 'closed'),
    answer: () => ({ status: 204 }),
    secrets: [],
    forged: [],
  }
  return receiver
}

const headersOf = (headers: IncomingHttpHeaders) =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]))
