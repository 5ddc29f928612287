import { createSocket, type Socket, type SocketType } from 'node:dgram'

export type PortRange = { from: number; to: number }

/** Packets of a burst wait here while the process is busy: at 2 Mbit/s, four seconds. */
const RECEIVE_BUFFER_LENGTH = 1024 * 1024

/** Each transport has a port of its own out of one range, which is what an operator opens in a firewall. */
export class UdpPorts {
  readonly #range: PortRange
  #next: number
  #type: SocketType = 'udp6'

  constructor(range: PortRange) {
    this.#range = range
    this.#next = range.from
  }

  get withIpv6(): boolean {
    return this.#type === 'udp6'
  }

  /**
   * A socket for both families, or for IPv4 where the machine knows no other. Ports go round, so that one that was just
   * closed rests. Throws when each port of the range is taken.
   */
  async bind(): Promise<Socket> {
    const { from, to } = this.#range
    for (let tries = from; tries <= to; tries++) {
      const port = this.#next
      this.#next = port >= to ? from : port + 1
      const bound = await bindTo(port, this.#type)
      if (typeof bound !== 'string') return bound
      if (bound === 'EAFNOSUPPORT' || bound === 'EADDRNOTAVAIL' || bound === 'EINVAL') {
        if (this.#type === 'udp4') throw new Error(`No UDP port can be bound: ${bound}`)
        this.#type = 'udp4'
        return this.bind()
      }
    }
    throw new Error(`All UDP ports from ${from} to ${to} are in use`)
  }
}

/** Names are never resolved here, and an address needs no waiting for the resolver's thread. */
const asItIs = (address: string, _: unknown, done: (error: null, address: string, family: number) => void) =>
  done(null, address, address.includes(':') ? 6 : 4)

function bindTo(port: number, type: SocketType): Promise<Socket | string> {
  const socket = createSocket({ type, lookup: asItIs, recvBufferSize: RECEIVE_BUFFER_LENGTH })
  return new Promise((resolve) => {
    socket.once('error', (error: NodeJS.ErrnoException) => {
      socket.close()
      resolve(error.code ?? error.message)
    })
    socket.bind({ port }, () => {
      socket.removeAllListeners('error')
      resolve(socket)
    })
  })
}
