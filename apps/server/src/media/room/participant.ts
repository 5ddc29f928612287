import {
  type DisconnectReason,
  LeaveRequest,
  LeaveRequest_Action,
  MediaSectionsRequirement,
  type ParticipantInfo,
  ParticipantInfo_State,
  SessionDescription,
  type SubscriptionPermission,
} from '@livekit/protocol'
import type { Random } from '../../platform/random.ts'
import { hostAddresses } from '../peer/ip-address.ts'
import { PeerTransport, type TransportDependencies } from '../peer/peer-transport.ts'
import { Downlink } from '../tracks/downlink.ts'
import { IncomingMedia } from '../tracks/incoming-media.ts'
import { Negotiation } from '../tracks/negotiation.ts'
import type { Publication } from '../tracks/publication.ts'
import { Publishing } from '../tracks/publishing.ts'
import { generateSid } from '../tracks/sid.ts'
import { Subscriptions } from '../tracks/subscriptions.ts'
import { WantedQualities } from '../tracks/wanted-qualities.ts'
import { controlDue, keyframeRequest, receiveControl } from './control-messages.ts'
import { describeParticipant, type Person } from './describe-participant.ts'
import { SignalBudget } from './signal-budget.ts'
import type { SignalMessage, SignalSocket } from './signal-socket.ts'

export type MediaDependencies = TransportDependencies & { publicAddress: string | undefined }

/** What a room learns from one of its participants. */
export type ParticipantEvents = {
  onActive(participant: Participant): void
  /** Its transport is gone for good. */
  onLost(participant: Participant, reason: string): void
  onPublished(participant: Participant, publication: Publication): void
  onUnpublished(participant: Participant, publication: Publication): void
  /** A track of somebody's has got a place in what it receives. */
  onSubscribed(participant: Participant, publication: Publication): void
  onData(participant: Participant, label: string, message: Buffer): void
  /** It has kept sending far beyond what anybody needs. */
  onAbuse(participant: Participant): void
}

const requirementDelayMs = 10

/** Somebody in a room: who it is, what it may do, what it sends and what it gets. */
export class Participant {
  readonly sid: string
  readonly identity: string
  readonly joinedMs: number
  readonly autoSubscribe: boolean
  readonly publishing: Publishing
  readonly subscriptions: Subscriptions
  readonly incoming = new IncomingMedia()
  readonly downlink = new Downlink()
  readonly #qualities = new WantedQualities()
  person: Person
  state = ParticipantInfo_State.JOINED
  signal: SignalSocket | undefined
  readonly signalBudget: SignalBudget
  /** Who may have its tracks, as it said itself. */
  trackPermission: SubscriptionPermission | undefined
  /** The number of its last reliable message, which it need not send again after a resume. */
  lastDataSequence = 0
  /** Tracks that it asked for or declined. */
  readonly wantedTracks = new Map<string, boolean>()
  /** Since when nobody listens on the signal socket. */
  awaySinceMs: number | undefined
  /** Since when its transport is gone. */
  lostSinceMs: number | undefined
  #version = 0
  #transport: PeerTransport | undefined
  readonly #negotiation = new Negotiation()
  #requirementTimer: NodeJS.Timeout | undefined
  readonly #tools: MediaDependencies
  readonly #events: ParticipantEvents

  constructor(
    person: Person,
    autoSubscribe: boolean,
    tools: MediaDependencies & { random: Random },
    events: ParticipantEvents,
  ) {
    const { random } = tools
    this.sid = generateSid(random, 'PA_')
    this.identity = person.identity
    this.person = person
    this.autoSubscribe = autoSubscribe
    this.joinedMs = tools.nowMs()
    this.signalBudget = new SignalBudget(this.joinedMs)
    this.#tools = tools
    this.#events = events
    this.publishing = new Publishing({ sid: this.sid, identity: this.identity }, random, (ssrc) =>
      this.#transport?.sendRtcp(keyframeRequest(ssrc)),
    )
    const transport = () => this.#transport
    this.subscriptions = new Subscriptions(random, {
      get isOpen() {
        return transport()?.connected ?? false
      },
      sendRtp: (header, payload) => this.#transport?.sendRtp(header, payload),
      sendRtcp: (packet) => this.#transport?.sendRtcp(packet),
      forget: (ssrc) => this.#transport?.forget(ssrc),
    })
    this.#transport = new PeerTransport(tools, {
      onConnected: () => events.onActive(this),
      onEnded: (reason) => events.onLost(this, reason),
      onRtp: (packet) => this.incoming.receive(packet, tools.nowMs()),
      onRtcp: (packet) => receiveControl(this, packet, tools.nowMs()),
      onData: (label, message) => events.onData(this, label, message),
      onAbuse: () => events.onAbuse(this),
    })
  }

  get isActive(): boolean {
    return this.state === ParticipantInfo_State.ACTIVE
  }

  /** When the client last showed on the network that it is there; undefined before the first time. */
  get lastCheckMs(): number | undefined {
    return this.#transport?.ice.lastCheckMs
  }

  /** The participant as others are told. Each telling has a higher version, and clients ignore a lower one. */
  toInfo(): ParticipantInfo {
    this.#version += 1
    return describeParticipant(this, this.#version)
  }

  send(message: SignalMessage): void {
    this.signal?.send(message)
  }

  sendData(label: string, packet: Buffer): void {
    this.#transport?.sendData(label, packet)
  }

  /** Counts data messages beyond the one that was sent. */
  chargeMessages(count: number): void {
    this.#transport?.chargeMessages(count)
  }

  /** Answers the client's offer. Throws for what is none. */
  negotiate({ sdp: offer, id }: SessionDescription): void {
    const transport = this.#transport
    if (transport === undefined) return
    const { publishing, subscriptions } = this
    const { mux, publicAddress } = this.#tools
    const addresses = () => hostAddresses(publicAddress, mux.withIpv6)
    const answered = this.#negotiation.answer(offer, { transport, publishing, subscriptions, addresses })
    this.incoming.setPublications(publishing.all, answered.announced)
    const midToTrackId = subscriptions.placed()
    const answer = new SessionDescription({ type: 'answer', sdp: answered.sdp, id, midToTrackId })
    this.send({ case: 'answer', value: answer })
    for (const publication of answered.ended) this.#qualities.forget(publication)
    for (const publication of answered.ended) this.#events.onUnpublished(this, publication)
    for (const publication of answered.begun) this.#events.onPublished(this, publication)
    for (const publication of subscriptions.takeNewlyPlaced()) this.#events.onSubscribed(this, publication)
    this.requireSections()
  }

  /** Asks the client for an offer when what it is to get has changed; several changes at once are one wish. */
  requireSections(): void {
    if (!this.#negotiation.begun) return
    this.#requirementTimer ??= setTimeout(() => {
      this.#requirementTimer = undefined
      const requirement = this.subscriptions.takeRequirement()
      if (requirement === undefined) return
      this.send({ case: 'mediaSectionsRequirement', value: new MediaSectionsRequirement(requirement) })
    }, requirementDelayMs)
  }

  /** Ends everything that is the participant's, and tells it why. */
  close(reason: DisconnectReason, action = LeaveRequest_Action.DISCONNECT): void {
    this.state = ParticipantInfo_State.DISCONNECTED
    clearTimeout(this.#requirementTimer)
    this.subscriptions.clear()
    this.send({ case: 'leave', value: new LeaveRequest({ reason, action }) })
    this.signal?.close()
    this.signal = undefined
    this.#transport?.close()
    this.#transport = undefined
  }

  /** What has to be asked and reported from time to time. */
  tick(nowMs: number, isReportDue: boolean): void {
    for (const packet of controlDue(this, nowMs, isReportDue)) this.#transport?.sendRtcp(packet)
    for (const subscription of this.subscriptions.all) {
      if (subscription.awaitsKeyframe) subscription.requestKeyframe(nowMs)
    }
    if (!isReportDue) return
    this.downlink.divide(this.subscriptions.all, nowMs)
    for (const publication of this.publishing.all) {
      const value = this.#qualities.takeChange(publication, nowMs)
      if (value !== undefined) this.send({ case: 'subscribedQualityUpdate', value })
    }
  }
}
