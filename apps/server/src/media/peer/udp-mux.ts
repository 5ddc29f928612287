import type { Socket } from 'node:dgram'
import { bindFirstUdpPort, type UdpPorts } from '../../platform/udp-port.ts'
import { withoutMapping } from './ip-address.ts'
import { isStun, readFragmentKey } from './stun.ts'

/** The source of a datagram, as the socket reports it: a dual-stack socket reports IPv4 as IPv4-mapped IPv6. */
export type RemoteAddress = { address: string; port: number }

/** A participant's side of the port. */
export type MuxMember = {
  /** Receive a connectivity check with a user name fragment of this member. The check is not verified yet. */
  receiveCheck(packet: Buffer, from: RemoteAddress, nowMs: number): void
  /** Receive a datagram from an address that this member has claimed. */
  receive(packet: Buffer, nowMs: number): void
  /** Whether a claimed address is still in use, so that no other member may claim it. */
  isUsing(address: RemoteAddress, nowMs: number): boolean
  /** Remove an address that another member has claimed and this member no longer uses. */
  removeAddress(address: RemoteAddress): void
}

/**
 * The buffer for bursts of packets while the process is busy. All participants share one buffer, so it is as large as
 * possible; the system reduces it to its own limit (net.core.rmem_max on Linux).
 */
const wantedReceiveBufferLength = 4 * 1024 * 1024
/** Datagrams of media and data stay below the 1,500 octets of Ethernet; larger ones are attacks. */
const maxDatagramLength = 2048

/** A packet that cannot be sent is lost; ICE consent detects a client that is gone. */
const ignoreFailure = () => {}

/**
 * The one UDP port of the engine (docs/decisions/0053). Connectivity checks are routed by their user name fragment, all
 * other datagrams by their source address, once a check with a valid message integrity came from there. Datagrams that
 * match neither are dropped without an answer, after one lookup.
 */
export class UdpMux {
  readonly port: number
  readonly withIpv6: boolean
  readonly #socket: Socket
  readonly #byFragment = new Map<number, MuxMember>()
  readonly #byAddress = new Map<string, Map<number, MuxMember>>()
  #closed = false

  /** @throws StartProblem when none of the ports can be used */
  static async open(ports: UdpPorts, nowMs: () => number, onError: (error: Error) => void): Promise<UdpMux> {
    return new UdpMux(await bindFirstUdpPort(ports, wantedReceiveBufferLength), nowMs, onError)
  }

  private constructor(socket: Socket, nowMs: () => number, onError: (error: Error) => void) {
    const { port, family } = socket.address()
    this.port = port
    this.withIpv6 = family === 'IPv6'
    this.#socket = socket
    socket.on('message', (packet, from) => this.#receive(packet, from, nowMs))
    // An unhandled 'error' event would end the process; the socket itself continues to work.
    socket.on('error', onError)
  }

  /** The size of the receive buffer that the system has granted, in octets. */
  get receiveBufferLength(): number {
    return this.#socket.getRecvBufferSize()
  }

  /** The number of routed addresses and fragments. */
  get size(): { addresses: number; fragments: number } {
    const addresses = [...this.#byAddress.values()].reduce((sum, ports) => sum + ports.size, 0)
    return { addresses, fragments: this.#byFragment.size }
  }

  /** Route checks with this fragment to a member; false if the fragment is taken. */
  addFragment(key: number, member: MuxMember): boolean {
    if (this.#byFragment.has(key)) return false
    this.#byFragment.set(key, member)
    return true
  }

  removeFragment(key: number): void {
    this.#byFragment.delete(key)
  }

  /**
   * Route datagrams from an address to a member that has proved it. False if another member still uses the address, so
   * that a sender with forged source addresses cannot disconnect other members.
   */
  claim({ address, port }: RemoteAddress, member: MuxMember, nowMs: number): boolean {
    let ports = this.#byAddress.get(address)
    const holder = ports?.get(port)
    if (holder === member) return true
    if (holder?.isUsing({ address, port }, nowMs)) return false
    holder?.removeAddress({ address, port })
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
      // Drop a datagram that cannot be read.
    }
  }
}

/** An address with IPv4-mapped IPv6 converted to IPv4. */
export const plainAddress = ({ address, port }: RemoteAddress): RemoteAddress => ({
  address: withoutMapping(address),
  port,
})
