import type { Random } from '../../platform/random.ts'
import { bindingSuccess, fragmentDigits, readBindingRequest, roleConflict } from './stun.ts'
import { plainAddress, type RemoteAddress } from './udp-mux.ts'

export type IceCredentials = { usernameFragment: string; password: string }

/** Browsers try a handful of pairs; of more than these the one that was silent longest is dropped. */
export const maxRemoteAddresses = 16
/** A browser checks the pair that it uses every 5 s at the latest (RFC 7675, 5.1); three in a row may be lost. */
export const addressInUseMs = 15_000
/** One check lost: then it is better to send to an address that checks still come from. */
export const selectedSilenceMs = 7_500

/** How the rest of the engine reaches, and is reached by, an agent. */
export type IceRoutes = {
  /** Receive checks with this fragment from now on; false when another agent has it. */
  addFragment(key: number): boolean
  removeFragment(key: number): void
  /** Receive datagrams from there from now on; false when another agent uses the address. */
  claim(address: RemoteAddress, nowMs: number): boolean
  release(address: RemoteAddress): void
  send(packet: Buffer, to: RemoteAddress): void
}

type ProvedAddress = { address: RemoteAddress; lastCheckMs: number }

/**
 * The server's side of ICE (RFC 8445, 2.5: a lite agent). It answers checks and never makes any, so it needs to know no
 * candidate of the client: a sender that proves the password is a peer-reflexive one. That is also why names that only
 * multicast DNS could resolve do no harm.
 */
export class IceLite {
  readonly #random: Random
  readonly #routes: IceRoutes
  readonly #proved = new Map<string, ProvedAddress>()
  #local: IceCredentials
  /** After a restart the old checks go on until the client has read the answer (RFC 8445, 7.3). */
  #previous: IceCredentials | undefined
  #selected: ProvedAddress | undefined
  /** When the last check came, in milliseconds; it is the client's consent to be sent to (RFC 7675). */
  lastCheckMs: number | undefined

  constructor(random: Random, routes: IceRoutes) {
    this.#random = random
    this.#routes = routes
    this.#local = this.#draw()
  }

  get local(): IceCredentials {
    return this.#local
  }

  /** Where to send: the nominated address, else the one that proved itself first. */
  get selected(): RemoteAddress | undefined {
    return this.#selected?.address
  }

  restart(): void {
    if (this.#previous !== undefined) this.#routes.removeFragment(keyOf(this.#previous))
    this.#previous = this.#local
    this.#local = this.#draw()
  }

  /** Whether the sender of a packet proved the password before. */
  knows(from: RemoteAddress): boolean {
    return this.#proved.has(textOf(from))
  }

  /** Whether checks still come from there. */
  isUsing(address: RemoteAddress, nowMs: number): boolean {
    const proved = this.#proved.get(textOf(address))
    return proved !== undefined && nowMs - proved.lastCheckMs < addressInUseMs
  }

  /** Stop using an address that has become another agent's. */
  lose(address: RemoteAddress): void {
    const lost = this.#proved.get(textOf(address))
    this.#proved.delete(textOf(address))
    if (lost === this.#selected) this.#selected = undefined
  }

  /** Answer a check, or drop what is none or is not made with our password. */
  receive(packet: Buffer, from: RemoteAddress, nowMs: number): void {
    const request = readBindingRequest(packet)
    if (request === undefined) return
    const [fragment] = request.username.split(':', 1)
    const used = [this.#local, this.#previous].find((known) => known?.usernameFragment === fragment)
    if (used === undefined || !request.isMadeWith(used.password)) return
    if (request.controlled) {
      this.#routes.send(roleConflict(request, used.password), from)
      return
    }
    const proved = this.#prove(from, nowMs)
    if (proved === undefined) return
    proved.lastCheckMs = nowMs
    this.lastCheckMs = nowMs
    const { address, port } = plainAddress(from)
    this.#routes.send(bindingSuccess(request, address, port, used.password), from)
    if (used === this.#local) this.#endRestart(proved)
    if (request.nominated || this.#isSelectedSilent(nowMs)) this.#selected = proved
  }

  /** Give up everything by which packets reach this agent. */
  close(): void {
    for (const credentials of [this.#local, this.#previous]) {
      if (credentials !== undefined) this.#routes.removeFragment(keyOf(credentials))
    }
    for (const { address } of this.#proved.values()) this.#routes.release(address)
    this.#proved.clear()
    this.#selected = undefined
  }

  #prove(from: RemoteAddress, nowMs: number): ProvedAddress | undefined {
    const text = textOf(from)
    const known = this.#proved.get(text)
    if (known !== undefined) return known
    const address = { address: from.address, port: from.port }
    if (!this.#routes.claim(address, nowMs)) return undefined
    if (this.#proved.size >= maxRemoteAddresses) this.#dropOldest()
    const proved = { address, lastCheckMs: nowMs }
    this.#proved.set(text, proved)
    return proved
  }

  #dropOldest(): void {
    const others = [...this.#proved.values()].filter((one) => one !== this.#selected)
    const oldest = others.reduce((one, other) => (other.lastCheckMs < one.lastCheckMs ? other : one))
    this.#drop(oldest)
  }

  #drop({ address }: ProvedAddress): void {
    this.#proved.delete(textOf(address))
    this.#routes.release(address)
  }

  /** A client whose address was changed by its network (NAT rebinding) nominates nothing anew. */
  #isSelectedSilent(nowMs: number): boolean {
    return this.#selected === undefined || nowMs - this.#selected.lastCheckMs >= selectedSilenceMs
  }

  /** The first check with new credentials: what proved the old ones no longer counts. */
  #endRestart(proved: ProvedAddress): void {
    if (this.#previous === undefined) return
    this.#routes.removeFragment(keyOf(this.#previous))
    this.#previous = undefined
    for (const one of [...this.#proved.values()]) if (one !== proved && one !== this.#selected) this.#drop(one)
  }

  #draw(): IceCredentials {
    for (;;) {
      // RFC 8445, 5.3: at least 24 and 128 random bits.
      const credentials = {
        usernameFragment: this.#random.bytes(fragmentDigits / 2).toString('hex'),
        password: this.#random.bytes(18).toString('hex'),
      }
      if (this.#routes.addFragment(keyOf(credentials))) return credentials
    }
  }
}

const keyOf = ({ usernameFragment }: IceCredentials) => Number.parseInt(usernameFragment, 16)
const textOf = ({ address, port }: RemoteAddress) => `${address} ${port}`
