import type { Random } from '../platform/random.ts'
import { bindingSuccess, readBindingRequest, roleConflict } from './stun.ts'

export type IceCredentials = { usernameFragment: string; password: string }
export type RemoteAddress = { address: string; port: number }

/** Browsers try a handful of pairs; more are somebody else's. */
const MAX_REMOTE_ADDRESSES = 16

/**
 * The server's side of ICE (RFC 8445, 2.5: a lite agent). It answers checks and never makes any, so it needs to know no
 * candidate of the client: whoever proves the password is a peer-reflexive one. That is also why names that only multicast
 * DNS could resolve do no harm.
 */
export class IceLite {
  readonly #random: Random
  readonly #send: (packet: Buffer, to: RemoteAddress) => void
  readonly #proved = new Set<string>()
  #local: IceCredentials
  /** After a restart the old checks go on until the client has read the answer (RFC 8445, 7.3). */
  #previous: IceCredentials | undefined
  #selected: RemoteAddress | undefined
  /** When the last check came, in milliseconds; it is the client's consent to be sent to (RFC 7675). */
  lastCheckMs: number | undefined

  constructor(random: Random, send: (packet: Buffer, to: RemoteAddress) => void) {
    this.#random = random
    this.#send = send
    this.#local = this.#draw()
  }

  get local(): IceCredentials {
    return this.#local
  }

  /** Where to send: the nominated address, else the one that proved itself first. */
  get selected(): RemoteAddress | undefined {
    return this.#selected
  }

  restart(): void {
    this.#previous = this.#local
    this.#local = this.#draw()
  }

  /** Whether the sender of a packet proved the password before. */
  knows(from: RemoteAddress): boolean {
    return this.#proved.has(keyOf(from))
  }

  /** Answers a check, or drops what is none or is not made with our password. */
  receive(packet: Buffer, from: RemoteAddress, nowMs: number): void {
    const request = readBindingRequest(packet)
    if (request === undefined) return
    const [fragment] = request.username.split(':', 1)
    const used = [this.#local, this.#previous].find((known) => known?.usernameFragment === fragment)
    if (used === undefined || !request.isMadeWith(used.password)) return
    if (request.controlled) {
      this.#send(roleConflict(request, used.password), from)
      return
    }
    if (!this.knows(from)) {
      if (this.#proved.size >= MAX_REMOTE_ADDRESSES) return
      this.#proved.add(keyOf(from))
    }
    this.lastCheckMs = nowMs
    this.#send(bindingSuccess(request, from.address, from.port, used.password), from)
    if (used === this.#local) this.#endRestart(from)
    if (request.nominated || this.#selected === undefined) this.#selected = from
  }

  /** The first check with new credentials: what proved the old ones no longer counts. */
  #endRestart(from: RemoteAddress): void {
    if (this.#previous === undefined) return
    this.#previous = undefined
    this.#proved.clear()
    this.#proved.add(keyOf(from))
    if (this.#selected !== undefined) this.#proved.add(keyOf(this.#selected))
  }

  #draw(): IceCredentials {
    // RFC 8445, 5.3: at least 24 and 128 bits of chance.
    return {
      usernameFragment: this.#random.bytes(6).toString('hex'),
      password: this.#random.bytes(18).toString('hex'),
    }
  }
}

const keyOf = ({ address, port }: RemoteAddress) => `${address} ${port}`
