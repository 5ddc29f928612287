import { connect, createServer, type Socket } from 'node:net'

export type Balancer = { port: number; [Symbol.asyncDispose](): Promise<void> }

/** A balancer in front of several nodes: each connection goes to the next port that answers. */
export async function startBalancer(ports: readonly number[]): Promise<Balancer> {
  const open = new Set<Socket>()
  let turn = 0
  const server = createServer(async (incoming) => {
    incoming.on('error', () => {})
    const outgoing = await connectToNext()
    if (outgoing === undefined) return incoming.destroy()
    for (const [socket, other] of [
      [incoming, outgoing],
      [outgoing, incoming],
    ] as const) {
      open.add(socket)
      socket.pipe(other)
      socket.on('error', () => other.destroy())
      socket.on('close', () => {
        open.delete(socket)
        other.destroy()
      })
    }
  })

  async function connectToNext(): Promise<Socket | undefined> {
    for (const _ of ports) {
      const socket = connect(ports[turn++ % ports.length] ?? 0, '127.0.0.1')
      const isThere = await new Promise<boolean>((resolve) => {
        socket.once('connect', () => resolve(true)).once('error', () => resolve(false))
      })
      if (isThere) return socket
    }
    return undefined
  }

  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  return {
    port: typeof address === 'object' && address !== null ? address.port : 0,
    async [Symbol.asyncDispose]() {
      for (const socket of open) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
