import { createSocket } from 'node:dgram'
import { createServer } from 'node:net'

/**
 * Find distinct ports that are free for TCP and UDP, for servers with a fixed port that other processes must know
 * before they start.
 */
export async function freePorts(count: number): Promise<number[]> {
  await using held = new AsyncDisposableStack()
  const ports: number[] = []
  while (ports.length < count) {
    const port = await holdPort(held)
    if (port !== undefined) ports.push(port)
  }
  return ports
}

async function holdPort(held: AsyncDisposableStack): Promise<number | undefined> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  held.defer(() => new Promise((resolve) => server.close(() => resolve())))
  const address = server.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  const socket = createSocket('udp4')
  const isFree = await new Promise<boolean>((resolve) => {
    socket.once('error', () => resolve(false))
    socket.bind(port, '127.0.0.1', () => resolve(true))
  })
  held.defer(() => new Promise((resolve) => socket.close(() => resolve())))
  return isFree ? port : undefined
}
