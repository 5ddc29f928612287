import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { WebSocketServer } from 'ws'

/**
 * A stand-in for the embedded engine, for tests of the code around it: it reports the requests and settings it
 * received, echoes the messages of a socket, and exits when `/die` is requested.
 */
const { NODE_CHANNEL_FD: _fd, NODE_CHANNEL_SERIALIZATION_MODE: _mode, ...ownEnvironment } = process.env
process.on('disconnect', () => process.exit(0))
process.on('message', ({ kind }: { kind: string }) => {
  if (kind === 'ping') process.send?.({ kind: 'alive' })
})
process.once('message', (start) => {
  const server = createServer((request, response) => {
    if (request.url?.startsWith('/die')) process.exit(3)
    if (request.url?.startsWith('/hang-on')) process.on('SIGTERM', () => {})
    if (request.url?.startsWith('/event')) process.send?.({ kind: 'event', event: { event: 'room_started' } })
    response.end(
      JSON.stringify({
        pid: process.pid,
        environment: ownEnvironment,
        start,
        url: request.url,
        headers: request.headers,
      }),
    )
  })
  const sockets = new WebSocketServer({ server })
  sockets.on('connection', (socket, { url, headers }) => {
    socket.send(JSON.stringify({ url, headers }))
    socket.on('message', (data) => socket.send(`echo ${data}`))
  })
  server.listen(0, '127.0.0.1', () => {
    process.send?.({ kind: 'listening', port: (server.address() as AddressInfo).port })
  })
})
