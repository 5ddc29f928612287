import { createSocket, type Socket } from 'node:dgram'
import { once } from 'node:events'
import type { Page } from 'playwright-core'

/** One direction of a line. */
export type LineCondition = {
  /** The rate, with the headers of IP and UDP. Infinite where the line is not limited. */
  bitsPerSecond: number
  /** The fraction of packets that are lost at random, from 0 to 1. */
  loss: number
  /** Nothing arrives, as after a pulled cable. */
  cut: boolean
}

/** A relay of the test between a page and the media server. */
export type Line = {
  /** Change the direction towards the page. */
  setDown(condition: Partial<LineCondition>): void
  /** Change the direction from the page. */
  setUp(condition: Partial<LineCondition>): void
  close(): void
}

const tickMs = 5
/** Packets that would wait longer are dropped on arrival, as in a router. */
const queueMs = 200
/** A keyframe arrives at once, and a relay on a busy machine reads it late. */
const recvBufferSize = 4 * 1024 * 1024
/** IPv4 and UDP. */
const headerOctets = 28

const clear: LineCondition = { bitsPerSecond: Number.POSITIVE_INFINITY, loss: 0, cut: false }

/** One direction: a queue that is drained at the rate of the line. */
class Direction {
  #condition = clear
  readonly #queue: { octets: number; send(): void }[] = []
  #queued = 0
  #credit = 0
  #seed = 1

  set(condition: Partial<LineCondition>): void {
    this.#condition = { ...this.#condition, ...condition }
    this.#credit = 0
  }

  pass(packet: Buffer, send: () => void): void {
    const { bitsPerSecond, loss, cut } = this.#condition
    if (cut || this.#random() < loss) return
    if (bitsPerSecond === Number.POSITIVE_INFINITY && this.#queue.length === 0) {
      send()
      return
    }
    const octets = packet.length + headerOctets
    if (((this.#queued + octets) * 8000) / bitsPerSecond > queueMs) return
    this.#queue.push({ octets, send })
    this.#queued += octets
  }

  /** Send what the line carries in `elapsedMs`. */
  drain(elapsedMs: number): void {
    this.#credit += (this.#condition.bitsPerSecond * elapsedMs) / 8000
    for (let next = this.#queue[0]; next !== undefined && next.octets <= this.#credit; next = this.#queue[0]) {
      this.#queue.shift()
      this.#queued -= next.octets
      this.#credit -= next.octets
      next.send()
    }
    // A line that has nothing to send saves nothing for later.
    if (this.#queue.length === 0) this.#credit = 0
  }

  /** The same losses in each run: a linear congruential generator. */
  #random(): number {
    this.#seed = (this.#seed * 1_664_525 + 1_013_904_223) % 2 ** 32
    return this.#seed / 2 ** 32
  }
}

/**
 * Route all media of a page that has not joined yet through a relay, whose line the test can impair. Only the server's
 * IPv4 candidates remain.
 */
export async function impairLine(page: Page): Promise<Line> {
  const down = new Direction()
  const up = new Direction()
  let drainedMs = performance.now()
  const timer = setInterval(() => {
    const nowMs = performance.now()
    for (const direction of [down, up]) direction.drain(nowMs - drainedMs)
    drainedMs = nowMs
  }, tickMs)

  const front = createSocket({ type: 'udp4', recvBufferSize })
  const backs = new Map<string, Socket>()
  let server: { address: string; port: number } | undefined
  front.on('message', (packet, from) => {
    // The browser repeats its first packets.
    if (server === undefined) return
    const { address, port } = server
    const key = [from.address, from.port, address, port].join(' ')
    let back = backs.get(key)
    if (back === undefined) {
      back = createSocket({ type: 'udp4', recvBufferSize })
      backs.set(key, back)
      back.on('message', (answer) => down.pass(answer, () => front.send(answer, from.port, from.address)))
    }
    const to = back
    up.pass(packet, () => to.send(packet, port, address))
  })
  front.bind(0)
  await once(front, 'listening')
  await page.exposeFunction('setRelayed', (address: string, port: number) => {
    server = { address, port }
  })
  // Nothing waits here: a description that is applied late meets another state of the connection.
  await page.addInitScript((relayPort) => {
    const { setRelayed } = globalThis as unknown as { setRelayed(address: string, port: number): void }
    const { setRemoteDescription, addIceCandidate } = RTCPeerConnection.prototype
    const lead = (line: string) => {
      const [, before, address, port, after] =
        /^(.*candidate:\S+ \d udp \d+) (\d+\.\d+\.\d+\.\d+) (\d+)( typ host.*)$/i.exec(line) ?? []
      if (before === undefined || address === undefined) return ''
      setRelayed(address, Number(port))
      return `${before} ${address} ${relayPort}${after}`
    }
    RTCPeerConnection.prototype.setRemoteDescription = function (description) {
      const lines = description.sdp?.split('\r\n') ?? []
      const led = lines.map((line) => (line.startsWith('a=candidate') ? lead(line) : line))
      const sdp = led.filter((line, at) => line !== '' || lines[at] === '').join('\r\n')
      return Reflect.apply(setRemoteDescription, this, [{ type: description.type, sdp }])
    }
    RTCPeerConnection.prototype.addIceCandidate = async function (candidate?: RTCIceCandidateInit | null) {
      const led = lead(candidate?.candidate ?? '')
      if (led !== '') await Reflect.apply(addIceCandidate, this, [{ ...candidate, candidate: led }])
    }
  }, front.address().port)
  return {
    setDown: (condition) => down.set(condition),
    setUp: (condition) => up.set(condition),
    close() {
      clearInterval(timer)
      for (const socket of [front, ...backs.values()]) socket.close()
    },
  }
}
