import type { Random } from '../../platform/random.ts'
import { bindingSuccess, fragmentDigits, readBindingRequest, roleConflict } from './stun.ts'
import { plainAddress, type RemoteAddress } from './udp-mux.ts'

export type IceCredentials = { usernameFragment: string; password: string }

/** Browsers try a few candidate pairs; beyond this number the address that was silent longest is dropped. */
export const maxRemoteAddresses = 16
/** A browser checks its selected pair at least every 5 s (RFC 7675, 5.1); three checks in a row may be lost. */
export const addressInUseMs = 15_000
/** After one lost check, prefer an address from which checks still arrive. */
export const selectedSilenceMs = 7_500

/** The connection of an agent to the UDP port. */
type IceRoutes = {
  /** Receive checks with this user name fragment from now on; false if another agent has it. */
  addFragment(key: number): boolean
  removeFragment(key: number): void
  /** Receive datagrams from this address from now on; false if another agent uses it. */
  claim(address: RemoteAddress, nowMs: number): boolean
  release(address: RemoteAddress): void
  send(packet: Buffer, to: RemoteAddress): void
}

type ProvedAddress = { address: RemoteAddress; lastCheckMs: number }

/**
 * A lite ICE agent (RFC 8445, 2.5). The agent answers checks and never sends any, so it needs no candidates of the
 * client: an address from which a check with the right password comes is a peer-reflexive candidate. mDNS candidates
 * are therefore not a problem.
 */
export class IceLite {
  readonly #random: Random
  readonly #routes: IceRoutes
  readonly #proved = new Map<string, ProvedAddress>()
  #local: IceCredentials
  /** After a restart the client still checks with these until it has the answer (RFC 8445, 7.3). */
  #previous: IceCredentials | undefined
  #selected: ProvedAddress | undefined
  /** The time of the last check in milliseconds. A check is the client's consent to receive (RFC 7675). */
  lastCheckMs: number | undefined

  constructor(random: Random, routes: IceRoutes) {
    this.#random = random
    this.#routes = routes
    this.#local = this.#generateCredentials()
  }

  get local(): IceCredentials {
    return this.#local
  }

  /** The address to send to: the nominated one, else the first proved one. */
  get selected(): RemoteAddress | undefined {
    return this.#selected?.address
  }

  restart(): void {
    if (this.#previous !== undefined) this.#routes.removeFragment(keyOf(this.#previous))
    this.#previous = this.#local
    this.#local = this.#generateCredentials()
  }

  /** Whether a check with the right password has come from this address. */
  isProved(from: RemoteAddress): boolean {
    return this.#proved.has(textOf(from))
  }

  /** Whether checks still come from this address. */
  isUsing(address: RemoteAddress, nowMs: number): boolean {
    const proved = this.#proved.get(textOf(address))
    return proved !== undefined && nowMs - proved.lastCheckMs < addressInUseMs
  }

  /** Stop using an address that another agent has claimed. */
  removeAddress(address: RemoteAddress): void {
    const lost = this.#proved.get(textOf(address))
    this.#proved.delete(textOf(address))
    if (lost === this.#selected) this.#selected = undefined
  }

  /** Answer a check. Drops other packets and checks without our password. */
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

  /** Remove all routes to this agent. */
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
    const candidates = [...this.#proved.values()].filter((proved) => proved !== this.#selected)
    const oldest = candidates.reduce((oldest, proved) => (proved.lastCheckMs < oldest.lastCheckMs ? proved : oldest))
    this.#drop(oldest)
  }

  #drop({ address }: ProvedAddress): void {
    this.#proved.delete(textOf(address))
    this.#routes.release(address)
  }

  /** After a NAT rebinding the client's address changes without a new nomination. */
  #isSelectedSilent(nowMs: number): boolean {
    return this.#selected === undefined || nowMs - this.#selected.lastCheckMs >= selectedSilenceMs
  }

  /** End a restart at the first check with new credentials: drop the addresses that proved the old ones. */
  #endRestart(proved: ProvedAddress): void {
    if (this.#previous === undefined) return
    this.#routes.removeFragment(keyOf(this.#previous))
    this.#previous = undefined
    for (const other of [...this.#proved.values()]) {
      if (other !== proved && other !== this.#selected) this.#drop(other)
    }
  }

  #generateCredentials(): IceCredentials {
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
