import { once } from 'node:events'
import { setTimeout as pause } from 'node:timers/promises'
import {
  AddTrackRequest,
  ConnectionSettings,
  JoinRequest,
  SessionDescription,
  SignalRequest,
  SignalResponse,
  type TrackSource,
  TrackType,
  WrappedJoinRequest,
} from '@livekit/protocol'
import { type RTCDataChannel, RTCPeerConnection, RtpHeader } from 'werift'
import { WebSocket } from 'ws'
import { readOffer } from '../../src/media/peer/sdp-offer.ts'

type Case = NonNullable<SignalResponse['message']['case']>
type Value<C extends Case> = Extract<SignalResponse['message'], { case: C }>['value']

const waitLimitMs = 5000
const packetIntervalMs = 20
/** werift's payload type for Opus. */
const voice = 96

/** A client without restrictions: signalling is written by hand, media goes through werift. */
export class RawClient {
  readonly socket: WebSocket
  readonly received: SignalResponse['message'][] = []
  readonly peer = new RTCPeerConnection({ iceUseIpv6: false, iceServers: [], bundlePolicy: 'max-bundle' })
  data: RTCDataChannel | undefined
  readonly #trackIds: Record<string, string> = {}
  #offers = 0
  #sequenceNumber = 0
  #taken = new Set<SignalResponse['message']>()

  constructor(url: string) {
    this.socket = new WebSocket(url)
    this.socket.on('error', () => {})
    this.socket.on('message', (data: Buffer) => this.received.push(SignalResponse.fromBinary(data).message))
  }

  /** Open a socket as livekit-client does. */
  static join(url: string, token: string, resumedSid?: string): RawClient {
    const request = new JoinRequest({
      connectionSettings: new ConnectionSettings({ autoSubscribe: true }),
      ...(resumedSid === undefined ? {} : { reconnect: true, participantSid: resumedSid }),
    })
    const wrapped = new WrappedJoinRequest({ joinRequest: request.toBinary() })
    const parameter = Buffer.from(wrapped.toBinary()).toString('base64url')
    return new RawClient(`${url}/rtc/v1?access_token=${token}&join_request=${parameter}`)
  }

  send(message: SignalRequest['message']): void {
    this.socket.send(new SignalRequest({ message }).toBinary())
  }

  /** Return the next message of this kind that was not returned before. */
  async take<C extends Case>(kind: C): Promise<Value<C>> {
    for (let waitedMs = 0; waitedMs < waitLimitMs; waitedMs += 10) {
      const found = this.received.find((message) => message.case === kind && !this.#taken.has(message))
      if (found !== undefined) {
        this.#taken.add(found)
        return found.value as Value<C>
      }
      if (this.socket.readyState === WebSocket.CLOSED) break
      await pause(10)
    }
    throw new Error(`No ${kind} came, but ${this.received.map((message) => message.case).join(', ')}`)
  }

  /** Offer what the peer connection has, with track names by section, and apply the answer. */
  async negotiate(trackIds: Record<string, string> = {}): Promise<SessionDescription> {
    await this.peer.setLocalDescription(await this.peer.createOffer())
    this.#offers += 1
    Object.assign(this.#trackIds, trackIds)
    const { sdp: plain = '' } = this.peer.localDescription ?? {}
    const sdp = plain.replaceAll(/a=mid:(\S+)/g, (line, mid) =>
      this.#trackIds[mid] === undefined ? line : `${line}\r\na=msid:stream ${this.#trackIds[mid]}`,
    )
    this.send({ case: 'offer', value: new SessionDescription({ type: 'offer', sdp, id: this.#offers }) })
    const answer = await this.take('answer')
    await this.peer.setRemoteDescription({ type: 'answer', sdp: answer.sdp })
    return answer
  }

  /** Join with room for two tracks, and wait until media can flow. */
  async connect(): Promise<Value<'join'>> {
    const join = await this.take('join')
    this.data = this.peer.createDataChannel('_reliable')
    this.peer.addTransceiver('audio', { direction: 'recvonly' })
    this.peer.addTransceiver('video', { direction: 'recvonly' })
    await this.negotiate()
    await this.whenConnected()
    return join
  }

  async whenConnected(): Promise<void> {
    for (let waitedMs = 0; waitedMs < waitLimitMs; waitedMs += 10) {
      if (this.peer.connectionState === 'connected') return
      if (this.peer.connectionState === 'closed') break
      await pause(10)
    }
    throw new Error(`The transport is ${this.peer.connectionState}`)
  }

  /** Announce a track and offer it. Returns the stream that carries it. */
  async publish(kind: 'audio' | 'video', cid: string, source: TrackSource): Promise<{ ssrc: number; sid: string }> {
    this.announce(kind, cid, source)
    const { track } = await this.take('trackPublished')
    return { ssrc: await this.offerTrack(kind, cid), sid: track?.sid ?? '' }
  }

  /** Offer a track without announcing it. */
  async offerTrack(kind: 'audio' | 'video', cid: string): Promise<number> {
    const { sender } = this.peer.addTransceiver(kind, { direction: 'sendonly' })
    const { sections } = readOffer((await this.peer.createOffer()).sdp)
    await this.negotiate({ [sections.at(-1)?.mid ?? '']: cid })
    return sender.ssrc
  }

  /** Offer again once the server has something to send. */
  async takeOffer(): Promise<SessionDescription> {
    await this.take('mediaSectionsRequirement')
    return this.negotiate()
  }

  /** Collect the RTP payloads that arrive from now on, as text. */
  listen(): string[] {
    const audio: string[] = []
    for (const transport of this.peer.dtlsTransports) {
      transport.onRtp.subscribe(({ payload }) => audio.push(payload.toString()))
    }
    return audio
  }

  /** Send packets one after the other: audio by default. */
  async speak(ssrc: number, words: readonly string[], payloadType = voice): Promise<void> {
    for (const word of words) {
      this.#sequenceNumber += 1
      const sequenceNumber = this.#sequenceNumber
      const header = new RtpHeader({ ssrc, sequenceNumber, timestamp: sequenceNumber * 960, payloadType })
      await this.peer.dtlsTransports[0]?.sendRtp(Buffer.from(word), header)
      await pause(packetIntervalMs)
    }
  }

  announce(kind: 'audio' | 'video', cid: string, source: TrackSource, layers: AddTrackRequest['layers'] = []): void {
    const type = kind === 'audio' ? TrackType.AUDIO : TrackType.VIDEO
    this.send({ case: 'addTrack', value: new AddTrackRequest({ cid, type, source, layers }) })
  }

  async close(): Promise<void> {
    this.socket.close()
    await this.peer.close()
    if (this.socket.readyState !== WebSocket.CLOSED) await once(this.socket, 'close')
  }
}
