import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type RequestListener } from 'node:http'
import { createServer as createSecureServer } from 'node:https'
import { type AddressInfo, createServer as createTcpServer, type Server, type Socket } from 'node:net'
import { after } from 'node:test'
import type { FetchRefusal } from '../src/platform/outbound/fetch-refused.ts'
import { FetchRefused } from '../src/platform/outbound/fetch-refused.ts'
import { createGuardedFetch, type GuardedFetchOptions } from '../src/platform/outbound/guarded-fetch.ts'
import { isPublicAddress } from '../src/platform/outbound/public-address.ts'
import { makeCertificate } from './certificate.ts'

/** In these tests one loopback address stands for the internet; all others are forbidden as usual. */
export const internet = '127.0.0.2'
export const inside = '127.0.0.1'
const names: Record<string, readonly string[]> = {
  'app.test': [internet],
  'other.test': [internet],
  'inside.test': [inside],
  'mixed.test': [internet, '10.0.0.1'],
  'mixed-six.test': [internet, '::ffff:127.0.0.2'],
  'link-local.test': ['169.254.169.254'],
  'none.test': [],
}

export const guarded = (options: Partial<GuardedFetchOptions> = {}) =>
  createGuardedFetch({
    baseUrl: 'https://meet.example.org',
    resolveName: async (name) => names[name] ?? [],
    isAllowedAddress: (address) => address === internet || isPublicAddress(address),
    isAllowedPort: () => true,
    ...options,
  })

export const refused = (code: FetchRefusal, message?: RegExp) => (error: unknown) => {
  assert.ok(error instanceof FetchRefused, String(error))
  assert.equal(error.code, code)
  if (message !== undefined) assert.match(error.message, message)
  return true
}

export async function listen(server: Server, host: string): Promise<number> {
  const sockets = new Set<Socket>()
  server.on('connection', (socket: Socket) => {
    socket.on('error', () => undefined)
    sockets.add(socket)
  })
  server.listen(0, host)
  await once(server, 'listening')
  after(() => {
    server.close()
    for (const socket of sockets) socket.destroy()
  })
  return (server.address() as AddressInfo).port
}

/** A server on the address that stands for the internet, with the requests that reached it. */
export async function serve(
  answer: RequestListener,
  host = internet,
): Promise<{ port: number; seen: IncomingMessage[] }> {
  const seen: IncomingMessage[] = []
  const server = createServer((request, response) => {
    seen.push(request)
    answer(request, response)
  })
  return { port: await listen(server, host), seen }
}

/** A server that sends raw bytes instead of HTTP. */
export const serveBytes = (answer: (socket: Socket) => void) =>
  listen(
    createTcpServer((socket) => {
      socket.on('error', () => undefined)
      socket.once('data', () => answer(socket))
    }),
    internet,
  )
export async function serveSecurely(answer: RequestListener, ...certificateNames: string[]) {
  const certificate = makeCertificate(...certificateNames)
  const port = await listen(createSecureServer({ ...certificate }, answer), internet)
  return { port, certificateAuthorities: [certificate.cert] }
}
