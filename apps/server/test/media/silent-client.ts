import {
  ConnectionSettings,
  JoinRequest,
  type LeaveRequest,
  SessionDescription,
  SignalResponse,
  WrappedJoinRequest,
} from '@livekit/protocol'
import { WebSocket } from 'ws'
import { offerOf } from './offers.ts'

const offer = offerOf([
  { kind: 'application', mid: '0', direction: 'sendrecv' },
  { kind: 'audio', mid: '1', direction: 'recvonly' },
  { kind: 'video', mid: '2', direction: 'recvonly' },
])

/** A client that joins with an offer and never sends a packet to the port in the answer. */
export class SilentClient {
  readonly socket: WebSocket
  /** Whether the client was admitted; false once it is refused or its socket is closed. */
  readonly joined: Promise<boolean>
  /** The status of a refused handshake; undefined for an accepted one. */
  readonly refusal: Promise<number | undefined>
  /** The last message about the end of the participation. */
  leave: LeaveRequest | undefined

  constructor(url: string, token: string, headers: Record<string, string> = {}) {
    const request = new JoinRequest({
      connectionSettings: new ConnectionSettings({ autoSubscribe: true }),
      publisherOffer: new SessionDescription({ type: 'offer', sdp: offer, id: 1 }),
    })
    const wrapped = new WrappedJoinRequest({ joinRequest: request.toBinary() })
    const parameter = Buffer.from(wrapped.toBinary()).toString('base64url')
    this.socket = new WebSocket(`${url}/rtc/v1?access_token=${token}&join_request=${parameter}`, { headers })
    this.socket.on('error', () => {})
    this.refusal = new Promise((resolve) => {
      this.socket.once('open', () => resolve(undefined))
      this.socket.once('unexpected-response', (request, { statusCode }) => {
        resolve(statusCode)
        request.destroy()
      })
    })
    this.joined = new Promise((resolve) => {
      this.socket.on('message', (data: Buffer) => {
        const { message } = SignalResponse.fromBinary(data)
        if (message.case === 'join') resolve(true)
        if (message.case === 'leave') this.leave = message.value
      })
      this.socket.once('close', () => resolve(false))
      void this.refusal.then((status) => {
        if (status !== undefined) resolve(false)
      })
    })
  }
}
