import { STATUS_CODES } from 'node:http'
import type { Duplex } from 'node:stream'

/** Time after which a client that does not read its answer is disconnected. */
const readLimitMs = 2_000

type RawReply = {
  status: number
  headers?: Readonly<Record<string, string>>
  body?: string
  /** False omits the body, but not its length: the answer to HEAD (RFC 9110, 9.3.2). */
  sendsBody?: boolean
}

/**
 * Answer on a socket whose request never reached the server, because it is malformed or asks for another protocol, and
 * close the connection.
 */
export function sendRawReply(socket: Duplex, { status, headers = {}, body = '', sendsBody = true }: RawReply): void {
  if (!socket.writable) return void socket.destroy()
  const lines = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    'Connection: close',
    `Content-Length: ${Buffer.byteLength(body)}`,
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
  ]
  socket.end(`${lines.join('\r\n')}\r\n\r\n${sendsBody ? body : ''}`)
  // Delayed, because incoming data on a closed connection would reset it before the client reads the answer.
  setTimeout(() => socket.destroy(), readLimitMs).unref()
}

/** Refuse to switch protocols, and free the socket even if the client goes on sending or never closes it. */
export function refuseUpgrade(socket: Duplex, status: number, message = ''): void {
  sendRawReply(socket, { status, body: message, ...(message !== '' && { headers: { 'content-type': 'text/plain' } }) })
  // The HTTP server has stopped reading the socket: read on to notice that the client closes.
  socket.resume()
}
