import {
  type DataPacket,
  type DisconnectReason,
  LeaveRequest,
  LeaveRequest_Action,
  MediaSectionsRequirement,
  type ParticipantInfo,
  ParticipantInfo_State,
  SessionDescription,
  type SubscriptionPermission,
  TrackSource,
} from '@livekit/protocol'
import type { Random } from '../../platform/random.ts'
import { hostAddresses } from '../peer/ip-address.ts'
import { PeerTransport, type TransportDependencies } from '../peer/peer-transport.ts'
import { shortageOf, type UplinkShortage } from '../tracks/connection-quality.ts'
import { Downlink } from '../tracks/downlink.ts'
import { IncomingMedia } from '../tracks/incoming-media.ts'
import { Negotiation } from '../tracks/negotiation.ts'
import type { Publication } from '../tracks/publication.ts'
import { PublishedTracks } from '../tracks/published-tracks.ts'
import { generateSid } from '../tracks/sid.ts'
import { SubscribedTracks } from '../tracks/subscribed-tracks.ts'
import { WantedQualities } from '../tracks/wanted-qualities.ts'
import { CaptionBudget } from './caption-budget.ts'
import { controlDue, keyframeRequest, receiveControl } from './control-messages.ts'
import { describeParticipant, type ParticipantProfile } from './describe-participant.ts'
import { SignalBudget } from './signal-budget.ts'
import type { SignalMessage, SignalSocket } from './signal-socket.ts'

export type MediaDependencies = TransportDependencies & { publicAddress: string | undefined }

/** The events of a participant, for its room. */
type ParticipantEvents = {
  onActive(participant: Participant): void
  /** Handle the end of the participant's transport. */
  onLost(participant: Participant, reason: string): void
  onPublished(participant: Participant, publication: Publication): void
  onUnpublished(participant: Participant, publication: Publication): void
  /** A subscribed track has been assigned to a section of the participant's description. */
  onSubscribed(participant: Participant, publication: Publication): void
  onData(participant: Participant, label: string, message: Buffer): void
  /** Handle a participant that has persistently sent far beyond its limits. */
  onAbuse(participant: Participant): void
}

const requirementDelayMs = 10

/** A participant of a room, with its permissions, publications and subscriptions. */
export class Participant {
  readonly sid: string
  readonly identity: string
  readonly joinedMs: number
  readonly autoSubscribe: boolean
  readonly publishing: PublishedTracks
  readonly subscriptions: SubscribedTracks
  readonly incoming = new IncomingMedia()
  readonly downlink = new Downlink()
  readonly #qualities = new WantedQualities()
  profile: ParticipantProfile
  state = ParticipantInfo_State.JOINED
  signal: SignalSocket | undefined
  readonly signalBudget: SignalBudget
  readonly #captionBudget: CaptionBudget
  /** The participants that it allows to subscribe to its tracks. */
  trackPermission: SubscriptionPermission | undefined
  /** The sequence number of its last reliable message, which it need not repeat after a resume. */
  lastDataSequence = 0
  /** The tracks that it has explicitly subscribed to (true) or unsubscribed from (false). */
  readonly wantedTracks = new Map<string, boolean>()
  /** Since when it has no signal socket. */
  awaySinceMs: number | undefined
  /** Since when its transport has ended. */
  lostSinceMs: number | undefined
  #version = 0
  #transport: PeerTransport | undefined
  readonly #negotiation = new Negotiation()
  #requirementTimer: NodeJS.Timeout | undefined
  readonly #dependencies: MediaDependencies
  readonly #events: ParticipantEvents

  constructor(
    profile: ParticipantProfile,
    autoSubscribe: boolean,
    dependencies: MediaDependencies & { random: Random },
    events: ParticipantEvents,
  ) {
    const { random } = dependencies
    this.sid = generateSid(random, 'PA_')
    this.identity = profile.identity
    this.profile = profile
    this.autoSubscribe = autoSubscribe
    this.joinedMs = dependencies.nowMs()
    this.signalBudget = new SignalBudget(this.joinedMs)
    this.#captionBudget = new CaptionBudget(this.joinedMs)
    this.#dependencies = dependencies
    this.#events = events
    this.publishing = new PublishedTracks({ sid: this.sid, identity: this.identity }, random, (ssrc) =>
      this.#transport?.sendRtcp(keyframeRequest(ssrc)),
    )
    const transport = () => this.#transport
    this.subscriptions = new SubscribedTracks(random, {
      get isOpen() {
        return transport()?.connected ?? false
      },
      recordSent: (ssrc, octets, nowMs) => this.downlink.recordSent(ssrc, octets, nowMs),
      sendRtp: (header, payload) => this.#transport?.sendRtp(header, payload),
      sendRtcp: (packet) => this.#transport?.sendRtcp(packet),
      removeStream: (ssrc) => {
        this.downlink.removeStream(ssrc)
        this.#transport?.removeStream(ssrc)
      },
    })
    this.#transport = new PeerTransport(dependencies, {
      onConnected: () => events.onActive(this),
      onEnded: (reason) => events.onLost(this, reason),
      onRtp: (packet) => this.incoming.receive(packet, dependencies.nowMs()),
      onRtcp: (packet) => receiveControl(this, packet, dependencies.nowMs()),
      onData: (label, message) => events.onData(this, label, message),
      onAbuse: () => events.onAbuse(this),
    })
  }

  get isActive(): boolean {
    return this.state === ParticipantInfo_State.ACTIVE
  }

  /** The time of the client's last ICE check; undefined before the first. */
  get lastCheckMs(): number | undefined {
    return this.#transport?.ice.lastCheckMs
  }

  /** Describe the participant for clients. Each description has a higher version, and clients ignore lower ones. */
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

  /** Charge additional data messages to the sender's budget. */
  chargeMessages(count: number): void {
    this.#transport?.chargeMessages(count)
  }

  /** Count a data packet. False for a caption beyond the limits; other data has none here. */
  acceptsCaption(packet: DataPacket): boolean {
    return this.#captionBudget.accepts(packet, this.#dependencies.nowMs())
  }

  /** Answer the client's offer. Throw if it is malformed. */
  negotiate({ sdp: offer, id }: SessionDescription): void {
    const transport = this.#transport
    if (transport === undefined) return
    const { publishing, subscriptions } = this
    const { mux, publicAddress } = this.#dependencies
    const addresses = () => hostAddresses(publicAddress, mux.withIpv6)
    const answered = this.#negotiation.answer(offer, { transport, publishing, subscriptions, addresses })
    this.incoming.setPublications(publishing.all, answered.announced)
    const midToTrackId = subscriptions.midToTrackId()
    const answer = new SessionDescription({ type: 'answer', sdp: answered.sdp, id, midToTrackId })
    this.send({ case: 'answer', value: answer })
    for (const publication of answered.ended) this.#qualities.remove(publication)
    for (const publication of answered.ended) this.#events.onUnpublished(this, publication)
    for (const publication of answered.begun) this.#events.onPublished(this, publication)
    for (const publication of subscriptions.takeNewlyAssigned()) this.#events.onSubscribed(this, publication)
    this.requireSections()
  }

  /** Ask the client for an offer after its subscriptions have changed. Concurrent changes make one request. */
  requireSections(): void {
    if (!this.#negotiation.begun) return
    this.#requirementTimer ??= setTimeout(() => {
      this.#requirementTimer = undefined
      const requirement = this.subscriptions.takeRequirement()
      if (requirement === undefined) return
      this.send({ case: 'mediaSectionsRequirement', value: new MediaSectionsRequirement(requirement) })
    }, requirementDelayMs)
  }

  /** Close the participant's subscriptions and connections, and send it the reason. */
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

  /** What is missing of the cameras that this client sends. A static screen sends little, whatever the line. */
  uplinkShortage(nowMs: number): UplinkShortage {
    const shortages = this.publishing.all
      .filter(({ info }) => info.source === TrackSource.CAMERA && !info.muted)
      .map((publication) => shortageOf(publication, this.#qualities.enabledLayers(publication), nowMs))
    return shortages.includes('most') ? 'most' : shortages.includes('some') ? 'some' : 'none'
  }

  /** Send what is due: RTCP, keyframe requests, and quality updates with each report. */
  tick(nowMs: number, isReportDue: boolean): void {
    for (const packet of controlDue(this, nowMs, isReportDue)) this.#transport?.sendRtcp(packet)
    for (const subscription of this.subscriptions.all) {
      if (subscription.awaitsKeyframe(nowMs)) subscription.requestKeyframe(nowMs)
    }
    this.downlink.tick(this.subscriptions.all, nowMs)
    if (isReportDue) this.downlink.allocate(this.subscriptions.all, nowMs)
    const streamStates = this.subscriptions.takeStreamStates()
    if (streamStates !== undefined) this.send({ case: 'streamStateUpdate', value: streamStates })
    if (!isReportDue) return
    for (const publication of this.publishing.all) {
      const value = this.#qualities.takeChange(publication, nowMs)
      if (value !== undefined) this.send({ case: 'subscribedQualityUpdate', value })
    }
  }
}
