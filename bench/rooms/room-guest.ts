import { TrackSource } from '@livekit/protocol'
import { RtpHeader } from 'werift'
import { RawClient } from '../../apps/server/test/media/raw-client.ts'

/** What everybody sends: a picture of 640 × 360 as livekit-client has it at this rate, and a voice. */
export const framesPerSecond = 20
const packetsAFrame = 3
const packetOctets = 940
const voicePacketsPerSecond = 50
const voiceOctets = 100
/** Whoever comes sees nothing before the next one; a browser would be asked for it. */
const framesAKeyframe = 20
const videoClockPerSecond = 90_000
const voiceClockPerSecond = 48_000

export const packetsPerSecond = framesPerSecond * packetsAFrame + voicePacketsPerSecond

/**
 * Somebody in a room who costs this machine as little as can be: pictures are made of zeros behind the header that a server
 * looks at, and what arrives is counted by the header that SRTP leaves readable, never decrypted.
 */
export class RoomGuest {
  readonly #client: RawClient
  /** RTP packets that have arrived. */
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
    const picture = await client.publish('video', 'picture', TrackSource.CAMERA)
    guest.#countOnly()
    guest.#takeWhatComes()
    guest.#speak(voice.ssrc)
    guest.#show(picture.ssrc)
    return guest
  }

  async leave(): Promise<void> {
    for (const timer of this.#sending) clearInterval(timer)
    await this.#client.close()
  }

  /** RFC 3550, 5.1: version 2, and a payload type that RTCP does not use (RFC 5761, 4). */
  #countOnly(): void {
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

  /** Makes room for the tracks of others as the server asks for it, one negotiation at a time. */
  #takeWhatComes(): void {
    const { peer, received, socket } = this.#client
    let heard = 0
    let negotiating: Promise<void> | undefined
    const look = () => {
      if (negotiating !== undefined) return
      const news = received.slice(heard).filter(({ case: kind }) => kind === 'mediaSectionsRequirement')
      heard = received.length
      if (news.length === 0) return
      for (const message of news) {
        if (message.case !== 'mediaSectionsRequirement') continue
        for (let more = 0; more < message.value.numAudios; more++)
          peer.addTransceiver('audio', { direction: 'recvonly' })
        for (let more = 0; more < message.value.numVideos; more++)
          peer.addTransceiver('video', { direction: 'recvonly' })
      }
      negotiating = this.#client.negotiate().then(() => {
        negotiating = undefined
        look()
      })
    }
    socket.on('message', look)
    look()
  }

  #speak(ssrc: number): void {
    const payload = Buffer.alloc(voiceOctets)
    let count = 0
    this.#every(voicePacketsPerSecond, () => {
      count += 1
      const timestamp = (count * voiceClockPerSecond) / voicePacketsPerSecond
      this.#send('audio', { ssrc, sequenceNumber: count & 0xffff, timestamp, marker: false }, payload)
    })
  }

  #show(ssrc: number): void {
    let frames = 0
    let packets = 0
    this.#every(framesPerSecond, () => {
      frames += 1
      const timestamp = (frames * videoClockPerSecond) / framesPerSecond
      for (let part = 1; part <= packetsAFrame; part++) {
        packets += 1
        const payload = pictureOf(frames, part === 1)
        const marker = part === packetsAFrame
        this.#send('video', { ssrc, sequenceNumber: packets & 0xffff, timestamp, marker }, payload)
      }
    })
  }

  #send(kind: 'audio' | 'video', header: Partial<RtpHeader>, payload: Buffer): void {
    const { peer } = this.#client
    const sender = peer.getTransceivers().find((one) => one.kind === kind && one.direction === 'sendonly')
    const payloadType = sender?.codecs[0]?.payloadType ?? 0
    void peer.dtlsTransports[0]?.sendRtp(payload, new RtpHeader({ ...header, payloadType }))
  }

  /** As often as it should be on the whole, although timers are late. */
  #every(timesPerSecond: number, deed: () => void): void {
    const beganMs = performance.now()
    let done = 0
    const timer = setInterval(() => {
      const due = Math.floor(((performance.now() - beganMs) * timesPerSecond) / 1000)
      for (; done < due; done++) deed()
    }, 1000 / timesPerSecond)
    this.#sending.push(timer)
  }
}

/** One packet of VP8 (RFC 7741, 4.2 and 4.3), of a key frame every second. */
function pictureOf(frame: number, isFirst: boolean): Buffer {
  const packet = Buffer.alloc(packetOctets)
  // The extension bit, and the start of the partition.
  packet[0] = isFirst ? 0x90 : 0x80
  // A picture id of 15 bits.
  packet[1] = 0x80
  packet.writeUInt16BE(0x8000 | (frame & 0x7fff), 2)
  if (!isFirst) return packet
  const isKeyframe = frame % framesAKeyframe === 1
  // The bit that says inter frame, the one that says it is shown, then the start code and 640 by 360 of a key frame.
  packet[4] = isKeyframe ? 0x10 : 0x11
  if (isKeyframe) Buffer.of(0x9d, 0x01, 0x2a, 640 & 0xff, 640 >> 8, 360 & 0xff, 360 >> 8).copy(packet, 7)
  return packet
}
