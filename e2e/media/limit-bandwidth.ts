import { createSocket, type RemoteInfo, type Socket } from 'node:dgram'
import { once } from 'node:events'
import { after } from 'node:test'
import type { Page } from 'playwright-core'

/** A relay with limited bandwidth towards the page. */
export type BandwidthLimiter = {
  /** Set the limit in bits per second; infinite removes it. */
  limit(bitsPerSecond: number): void
}

const tickMs = 5
const largestPacket = 1500
/** Packets that would wait longer are dropped, as in a router. */
const queueMs = 1000

/**
 * Route all media of a page that has not joined yet through a relay of the test. Only the server's IPv4 candidates
 * remain.
 */
export async function limitBandwidth(page: Page): Promise<BandwidthLimiter> {
  let bitsPerSecond = Number.POSITIVE_INFINITY
  const queue: { packet: Buffer; to: RemoteInfo; by: Socket; atMs: number }[] = []
  let credit = 0
  const sockets: Socket[] = []
  const timer = setInterval(() => {
    const octets = (bitsPerSecond * tickMs) / 8000
    credit = Math.min(credit + octets, Math.max(octets, largestPacket))
    for (
      let next = queue[0];
      next !== undefined && (next.packet.length <= credit || credit === Number.POSITIVE_INFINITY);
      next = queue[0]
    ) {
      queue.shift()
      credit -= next.packet.length
      next.by.send(next.packet, next.to.port, next.to.address)
    }
  }, tickMs)

  /** Create a relay to one address of the server. */
  async function relayTo(address: string, port: number): Promise<{ address: string; port: number }> {
    const front = createSocket('udp4')
    sockets.push(front)
    const backs = new Map<string, Socket>()
    front.on('message', (packet, from) => {
      const key = `${from.address} ${from.port}`
      let back = backs.get(key)
      if (back === undefined) {
        back = createSocket('udp4')
        sockets.push(back)
        backs.set(key, back)
        back.on('message', (answer) => {
          const nowMs = performance.now()
          while (queue[0] !== undefined && nowMs - queue[0].atMs > queueMs) queue.shift()
          queue.push({ packet: answer, to: from, by: front, atMs: nowMs })
        })
      }
      back.send(packet, port, address)
    })
    front.bind(0)
    await once(front, 'listening')
    return { address, port: front.address().port }
  }

  const relays = new Map<string, Promise<{ address: string; port: number }>>()
  await page.exposeFunction('relayTo', (address: string, port: number) => {
    const key = `${address} ${port}`
    const relay = relays.get(key) ?? relayTo(address, port)
    relays.set(key, relay)
    return relay
  })
  await page.addInitScript(() => {
    const { relayTo } = globalThis as unknown as {
      relayTo(address: string, port: number): Promise<{ address: string; port: number }>
    }
    const { setRemoteDescription, addIceCandidate } = RTCPeerConnection.prototype
    const lead = async (line: string) => {
      const [, before, address, port, after] =
        /^(.*candidate:\S+ \d udp \d+) (\d+\.\d+\.\d+\.\d+) (\d+)( typ host.*)$/i.exec(line) ?? []
      if (before === undefined || address === undefined) return ''
      const relay = await relayTo(address, Number(port))
      return `${before} ${relay.address} ${relay.port}${after}`
    }
    RTCPeerConnection.prototype.setRemoteDescription = async function (description) {
      const lines = description.sdp?.split('\r\n') ?? []
      const led = await Promise.all(lines.map((line) => (line.startsWith('a=candidate') ? lead(line) : line)))
      const sdp = led.filter((line, at) => line !== '' || lines[at] === '').join('\r\n')
      return Reflect.apply(setRemoteDescription, this, [{ type: description.type, sdp }])
    }
    RTCPeerConnection.prototype.addIceCandidate = async function (candidate?: RTCIceCandidateInit | null) {
      const led = await lead(candidate?.candidate ?? '')
      if (led !== '') await Reflect.apply(addIceCandidate, this, [{ ...candidate, candidate: led }])
    }
  })
  after(() => {
    clearInterval(timer)
    for (const socket of sockets) socket.close()
  })
  return {
    limit(next) {
      bitsPerSecond = next
      credit = next === Number.POSITIVE_INFINITY ? next : 0
    },
  }
}
