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
import { MediaStreamTrack, RTCPeerConnection, type RTCRtpTransceiver, RtpHeader, RtpPacket } from 'werift'
import { WebSocket } from 'ws'

type Case = NonNullable<SignalResponse['message']['case']>
type Value<C extends Case> = Extract<SignalResponse['message'], { case: C }>['value']

const PATIENCE_MS = 5000

/** A client that does what it wants: it speaks the signalling by hand, and media by werift. */
export class RawClient {
  readonly socket: WebSocket
  readonly received: SignalResponse['message'][] = []
  readonly peer = new RTCPeerConnection({ iceUseIpv6: false, iceServers: [], bundlePolicy: 'max-bundle' })
  #offers = 0
  #taken = new Set<SignalResponse['message']>()

  constructor(url: string) {
    this.socket = new WebSocket(url)
    this.socket.on('error', () => {})
    this.socket.on('message', (data: Buffer) => this.received.push(SignalResponse.fromBinary(data).message))
  }

  /** Opens a socket as livekit-client would. */
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

  /** The next message of a kind that was not taken yet. */
  async take<C extends Case>(kind: C): Promise<Value<C>> {
    for (let waitedMs = 0; waitedMs < PATIENCE_MS; waitedMs += 10) {
      const found = this.received.find((message) => message.case === kind && !this.#taken.has(message))
      if (found !== undefined) {
        this.#taken.add(found)
        return found.value as Value<C>
      }
      await pause(10)
    }
    throw new Error(`No ${kind} came, but ${this.received.map((message) => message.case).join(', ')}`)
  }

  /** Offers what the peer connection has, and takes the answer. */
  async negotiate(): Promise<SessionDescription> {
    await this.peer.setLocalDescription(await this.peer.createOffer())
    this.#offers += 1
    const { sdp = '' } = this.peer.localDescription ?? {}
    this.send({ case: 'offer', value: new SessionDescription({ type: 'offer', sdp, id: this.#offers }) })
    const answer = await this.take('answer')
    await this.peer.setRemoteDescription({ type: 'answer', sdp: answer.sdp })
    return answer
  }

  /** Joins, with room for two tracks, and waits until media can flow. */
  async connect(): Promise<Value<'join'>> {
    const join = await this.take('join')
    this.peer.createDataChannel('_reliable')
    this.peer.addTransceiver('audio', { direction: 'recvonly' })
    this.peer.addTransceiver('video', { direction: 'recvonly' })
    await this.negotiate()
    await this.whenConnected()
    return join
  }

  async whenConnected(): Promise<void> {
    for (let waitedMs = 0; waitedMs < PATIENCE_MS; waitedMs += 10) {
      if (this.peer.connectionState === 'connected') return
      await pause(10)
    }
    throw new Error(`The transport is ${this.peer.connectionState}`)
  }

  /** Adds a track of the kind to the peer connection, announced or not. */
  addTrack(kind: 'audio' | 'video'): { transceiver: RTCRtpTransceiver; track: MediaStreamTrack } {
    const track = new MediaStreamTrack({ kind })
    return { transceiver: this.peer.addTransceiver(track, { direction: 'sendonly' }), track }
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

/** A packet of sound; the payload says which. */
export const voicePacket = (sequenceNumber: number, payload: string) =>
  new RtpPacket(
    new RtpHeader({ sequenceNumber, timestamp: sequenceNumber * 960, payloadType: 96, marker: false }),
    Buffer.from(payload),
  )
