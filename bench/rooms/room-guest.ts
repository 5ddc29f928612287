import { TrackSource } from '@livekit/protocol'
import { RtpHeader } from 'werift'
import { RawClient } from '../../apps/server/test/media/raw-client.ts'

/** Each guest sends video of 640 × 360 at this rate, as livekit-client does, and audio. */
export const framesPerSecond = 20
const packetsAFrame = 3
const packetOctets = 940
const voicePacketsPerSecond = 50
const voiceOctets = 100
/** New guests see nothing before the next key frame; the engine would request one from a browser. */
const framesAKeyframe = 20
const videoClockPerSecond = 90_000
const voiceClockPerSecond = 48_000

export const packetsPerSecond = framesPerSecond * packetsAFrame + voicePacketsPerSecond

/**
 * A guest that costs this machine as little as possible: frames are zeros after the header that a server reads, and
 * incoming packets are counted by the header, which SRTP leaves unencrypted.
 */
export class RoomGuest {
  readonly #client: RawClient
  /** The number of RTP packets received. */
  received = 0
  readonly #sending: NodeJS.Timeout[] = []

  private constructor(client: RawClient) {
    this.#client = client
  }

  static async enter(url: string, token: string): Promise<RoomGuest> {
    const client = RawClient.join(url, token)
    const guest = new RoomGuest(client)
    await client.connect()
    const voice = await client.publish('audio', 'voice', TrackSource.MICROPHONE)
    const camera = await client.publish('video', 'camera', TrackSource.CAMERA)
    guest.#countPackets()
    guest.#addRequestedSections()
    guest.#sendAudio(voice.ssrc)
    guest.#sendVideo(camera.ssrc)
    return guest
  }

  async leave(): Promise<void> {
    for (const timer of this.#sending) clearInterval(timer)
    await this.#client.close()
  }

  /** RFC 3550, 5.1: version 2, and a payload type that RTCP does not use (RFC 5761, 4). */
  #countPackets(): void {
    for (const { iceTransport } of this.#client.peer.dtlsTransports) {
      const { onData } = iceTransport.connection
      const passOn = onData.execute
      onData.execute = (packet) => {
        const [first = 0, second = 0] = packet
        const isMedia = first >> 6 === 2
        if (!isMedia) passOn(packet)
        else if (second < 192 || second > 223) this.received += 1
      }
    }
  }

  /** Add media sections for the tracks of others when the server requests them, one negotiation at a time. */
  #addRequestedSections(): void {
    const { peer, received, socket } = this.#client
    let handled = 0
    let negotiating: Promise<void> | undefined
    const addSections = () => {
      if (negotiating !== undefined) return
      const requirements = received.slice(handled).filter(({ case: kind }) => kind === 'mediaSectionsRequirement')
      handled = received.length
      if (requirements.length === 0) return
      for (const message of requirements) {
        if (message.case !== 'mediaSectionsRequirement') continue
        for (let more = 0; more < message.value.numAudios; more++)
          peer.addTransceiver('audio', { direction: 'recvonly' })
        for (let more = 0; more < message.value.numVideos; more++)
          peer.addTransceiver('video', { direction: 'recvonly' })
      }
      negotiating = this.#client.negotiate().then(() => {
        negotiating = undefined
        addSections()
      })
    }
    socket.on('message', addSections)
    addSections()
  }

  #sendAudio(ssrc: number): void {
    const payload = Buffer.alloc(voiceOctets)
    let count = 0
    this.#every(voicePacketsPerSecond, () => {
      count += 1
      const timestamp = (count * voiceClockPerSecond) / voicePacketsPerSecond
      this.#send('audio', { ssrc, sequenceNumber: count & 0xffff, timestamp, marker: false }, payload)
    })
  }

  #sendVideo(ssrc: number): void {
    let frames = 0
    let packets = 0
    this.#every(framesPerSecond, () => {
      frames += 1
      const timestamp = (frames * videoClockPerSecond) / framesPerSecond
      for (let part = 1; part <= packetsAFrame; part++) {
        packets += 1
        const payload = createFramePacket(frames, part === 1)
        const marker = part === packetsAFrame
        this.#send('video', { ssrc, sequenceNumber: packets & 0xffff, timestamp, marker }, payload)
      }
    })
  }

  #send(kind: 'audio' | 'video', header: Partial<RtpHeader>, payload: Buffer): void {
    const { peer } = this.#client
    const sender = peer
      .getTransceivers()
      .find((transceiver) => transceiver.kind === kind && transceiver.direction === 'sendonly')
    const payloadType = sender?.codecs[0]?.payloadType ?? 0
    void peer.dtlsTransports[0]?.sendRtp(payload, new RtpHeader({ ...header, payloadType }))
  }

  /** Run `action` at this average rate even when timers are late. */
  #every(timesPerSecond: number, action: () => void): void {
    const beganMs = performance.now()
    let done = 0
    const timer = setInterval(() => {
      const due = Math.floor(((performance.now() - beganMs) * timesPerSecond) / 1000)
      for (; done < due; done++) action()
    }, 1000 / timesPerSecond)
    this.#sending.push(timer)
  }
}

/** One packet of VP8 (RFC 7741, 4.2 and 4.3), of a key frame every second. */
function createFramePacket(frame: number, isFirst: boolean): Buffer {
  const packet = Buffer.alloc(packetOctets)
  // The extension bit, and the start of the partition.
  packet[0] = isFirst ? 0x90 : 0x80
  // A PictureID of 15 bits.
  packet[1] = 0x80
  packet.writeUInt16BE(0x8000 | (frame & 0x7fff), 2)
  if (!isFirst) return packet
  const isKeyframe = frame % framesAKeyframe === 1
  // The inter-frame bit and the show-frame bit, then the start code and the size of a key frame, 640 by 360.
  packet[4] = isKeyframe ? 0x10 : 0x11
  if (isKeyframe) Buffer.of(0x9d, 0x01, 0x2a, 640 & 0xff, 640 >> 8, 360 & 0xff, 360 >> 8).copy(packet, 7)
  return packet
}
