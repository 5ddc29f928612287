import type { Socket } from 'node:dgram'
import { bindUdpPort } from '../../platform/udp-port.ts'
import { withoutMapping } from './ip-address.ts'
import { isStun, readFragmentKey } from './stun.ts'

/** Where a datagram comes from, as the socket reports it: on a socket of both families IPv4 stands inside IPv6. */
export type RemoteAddress = { address: string; port: number }

/** A participant's side of the port. */
export type MuxMember = {
  /** A connectivity check that names a user name fragment of this member. Nothing about it is verified yet. */
  receiveCheck(packet: Buffer, from: RemoteAddress, nowMs: number): void
  /** A datagram from an address that this member has claimed. */
  receive(packet: Buffer, nowMs: number): void
  /** Whether an address that it has claimed is still in use, so that no other member may have it. */
  isUsing(address: RemoteAddress, nowMs: number): boolean
  /** Another member has claimed an address that this one no longer used. */
  lose(address: RemoteAddress): void
}

/**
 * A burst of packets waits here while the process is busy. One buffer serves everybody, so that it is as large as it may
 * be; the system cuts it to its own limit (net.core.rmem_max on Linux).
 */
const wantedReceiveBufferLength = 4 * 1024 * 1024
/** Datagrams of media and data stay below the 1,500 octets of Ethernet; larger ones are made to be expensive. */
const maxDatagramLength = 2048

/** A packet that cannot be sent is a packet lost: ICE notices a client that is gone. */
const ignoreFailure = () => {}

/**
 * The one UDP port of the engine (docs/decisions/0053). A connectivity check is routed by the user name fragment that it
 * carries; everything else by the address that it comes from, once a check with a valid message integrity came from there.
 * What matches neither is dropped unanswered, after one lookup.
 */
export class UdpMux {
  readonly port: number
  readonly withIpv6: boolean
  readonly #socket: Socket
  readonly #byFragment = new Map<number, MuxMember>()
  readonly #byAddress = new Map<string, Map<number, MuxMember>>()
  #closed = false

  /** @throws StartProblem when the port cannot be used */
  static async open(port: number, nowMs: () => number, onError: (error: Error) => void): Promise<UdpMux> {
    return new UdpMux(await bindUdpPort(port, wantedReceiveBufferLength), nowMs, onError)
  }

  private constructor(socket: Socket, nowMs: () => number, onError: (error: Error) => void) {
    const { port, family } = socket.address()
    this.port = port
    this.withIpv6 = family === 'IPv6'
    this.#socket = socket
    socket.on('message', (packet, from) => this.#receive(packet, from, nowMs))
    // The socket goes on after an error; without a listener the process would not.
    socket.on('error', onError)
  }

  /** What the system grants of the receive buffer. */
  get receiveBufferLength(): number {
    return this.#socket.getRecvBufferSize()
  }

  /** How many addresses and fragments are routed. */
  get size(): { addresses: number; fragments: number } {
    const addresses = [...this.#byAddress.values()].reduce((sum, ports) => sum + ports.size, 0)
    return { addresses, fragments: this.#byFragment.size }
  }

  /** Route checks with this fragment to a member; false when the fragment is taken. */
  addFragment(key: number, member: MuxMember): boolean {
    if (this.#byFragment.has(key)) return false
    this.#byFragment.set(key, member)
    return true
  }

  removeFragment(key: number): void {
    this.#byFragment.delete(key)
  }

  /**
   * Route datagrams from an address to a member that has proved to be there. An address that another member still uses
   * stays with it: a sender that forges source addresses cannot cut anybody off.
   */
  claim({ address, port }: RemoteAddress, member: MuxMember, nowMs: number): boolean {
    let ports = this.#byAddress.get(address)
    const holder = ports?.get(port)
    if (holder === member) return true
    if (holder?.isUsing({ address, port }, nowMs)) return false
    holder?.lose({ address, port })
    if (ports === undefined) {
      ports = new Map()
      this.#byAddress.set(address, ports)
    }
    ports.set(port, member)
    return true
  }

  release({ address, port }: RemoteAddress, member: MuxMember): void {
    const ports = this.#byAddress.get(address)
    if (ports?.get(port) !== member) return
    ports.delete(port)
    if (ports.size === 0) this.#byAddress.delete(address)
  }

  send(packet: Buffer, { address, port }: RemoteAddress): void {
    if (!this.#closed) this.#socket.send(packet, port, address, ignoreFailure)
  }

  close(): void {
    if (this.#closed) return
    this.#closed = true
    this.#socket.close()
  }

  #receive(packet: Buffer, from: RemoteAddress, nowMs: () => number): void {
    if (packet.length === 0 || packet.length > maxDatagramLength) return
    try {
      if (isStun(packet)) {
        const key = readFragmentKey(packet)
        const member = key === undefined ? undefined : this.#byFragment.get(key)
        member?.receiveCheck(packet, from, nowMs())
      } else {
        this.#byAddress.get(from.address)?.get(from.port)?.receive(packet, nowMs())
      }
    } catch {
      // What cannot be read is dropped, like any datagram that is damaged on its way.
    }
  }
}

/** An address as it is told to others: IPv4 as IPv4. */
export const plainAddress = ({ address, port }: RemoteAddress): RemoteAddress => ({
  address: withoutMapping(address),
  port,
})
