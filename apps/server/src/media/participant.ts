import {
  type DataPacket,
  type DisconnectReason,
  LeaveRequest,
  LeaveRequest_Action,
  MediaSectionsRequirement,
  ParticipantInfo,
  ParticipantInfo_State,
  type ParticipantPermission,
  SessionDescription,
  type SubscriptionPermission,
} from '@livekit/protocol'
import type { Random } from '../platform/random.ts'
import { IncomingMedia } from './incoming-media.ts'
import { hostAddresses } from './ip-address.ts'
import { PeerTransport, type TransportTools } from './peer-transport.ts'
import type { Publication } from './publication.ts'
import { isSending, Publishing } from './publishing.ts'
import { readControl, writePictureLoss } from './rtcp.ts'
import { type SectionAnswer, writeAnswer } from './sdp-answer.ts'
import { type OfferedSection, readOffer } from './sdp-offer.ts'
import { drawSid } from './sid.ts'
import type { SignalMessage, SignalSocket } from './signal-socket.ts'
import { isReceiving, Subscriptions } from './subscriptions.ts'

export type MediaTools = TransportTools & { publicAddress: string | undefined }

export type Person = {
  identity: string
  name: string
  metadata: string
  attributes: Record<string, string>
  permission: ParticipantPermission
}

/** What a room learns from one of its participants. */
export type ParticipantEvents = {
  onActive(participant: Participant): void
  /** Its transport is gone for good. */
  onLost(participant: Participant, reason: string): void
  onPublished(participant: Participant, publication: Publication): void
  onUnpublished(participant: Participant, publication: Publication): void
  onData(participant: Participant, label: string, message: Buffer): void
}

/** RTCP needs a source; nobody sends media as this one. */
const OUR_SSRC = 1
const REQUIREMENT_DELAY_MS = 10

/** Somebody in a room: who it is, what it may do, what it sends and what it gets. */
export class Participant {
  readonly sid: string
  readonly identity: string
  readonly joinedMs: number
  readonly autoSubscribe: boolean
  readonly publishing: Publishing
  readonly subscriptions: Subscriptions
  readonly incoming = new IncomingMedia()
  person: Person
  state = ParticipantInfo_State.JOINED
  signal: SignalSocket | undefined
  /** Who may have its tracks, as it said itself. */
  trackPermission: SubscriptionPermission | undefined
  /** Tracks that it asked for or declined. */
  readonly wantedTracks = new Map<string, boolean>()
  /** Since when nobody listens on the signal socket. */
  awaySinceMs: number | undefined
  /** Since when its transport is gone. */
  lostSinceMs: number | undefined
  #version = 0
  #transport: PeerTransport | undefined
  #offered: { usernameFragment: string; password: string } | undefined
  #answers = 0
  #requirementTimer: NodeJS.Timeout | undefined
  readonly #tools: MediaTools
  readonly #events: ParticipantEvents

  constructor(
    person: Person,
    autoSubscribe: boolean,
    tools: MediaTools & { random: Random },
    events: ParticipantEvents,
  ) {
    const { random } = tools
    this.sid = drawSid(random, 'PA_')
    this.identity = person.identity
    this.person = person
    this.autoSubscribe = autoSubscribe
    this.joinedMs = tools.nowMs()
    this.#tools = tools
    this.#events = events
    this.publishing = new Publishing({ sid: this.sid, identity: this.identity }, random, (ssrc) =>
      this.#transport?.sendRtcp(writePictureLoss(OUR_SSRC, ssrc)),
    )
    this.subscriptions = new Subscriptions(random, {
      sendRtp: (header, payload) => this.#transport?.sendRtp(header, payload),
      sendRtcp: (packet) => this.#transport?.sendRtcp(packet),
      forget: (ssrc) => this.#transport?.forget(ssrc),
    })
  }

  /** Takes a port. Throws when there is none. */
  async open(): Promise<void> {
    this.#transport = await PeerTransport.open(this.#tools, {
      onConnected: () => this.#events.onActive(this),
      onEnded: (reason) => this.#events.onLost(this, reason),
      onRtp: (packet) => this.incoming.receive(packet, this.#tools.nowMs()),
      onRtcp: (packet) => this.#receiveControl(packet),
      onData: (label, message) => this.#events.onData(this, label, message),
    })
  }

  /** When the client last showed on the network that it is there; undefined before the first time. */
  get lastCheckMs(): number | undefined {
    return this.#transport?.ice.lastCheckMs
  }

  /** The participant as others are told. Each telling has a higher version, and clients ignore a lower one. */
  toInfo(): ParticipantInfo {
    this.#version += 1
    const { name, metadata, attributes, permission } = this.person
    return new ParticipantInfo({
      sid: this.sid,
      identity: this.identity,
      state: this.state,
      tracks: this.publishing.all.map(({ info }) => info.clone()),
      name,
      metadata,
      attributes,
      permission,
      joinedAt: BigInt(Math.floor(this.joinedMs / 1000)),
      joinedAtMs: BigInt(this.joinedMs),
      version: this.#version,
      isPublisher: this.publishing.all.length > 0,
    })
  }

  send(message: SignalMessage): void {
    this.signal?.send(message)
  }

  sendData(label: string, packet: DataPacket): void {
    this.#transport?.data.send(label, Buffer.from(packet.toBinary()))
  }

  /** Answers the client's offer. Throws for what is none. */
  negotiate({ sdp, id }: SessionDescription): void {
    const transport = this.#transport
    if (transport === undefined) return
    const offer = readOffer(sdp)
    const { usernameFragment, password } = offer
    if (this.#offered !== undefined && this.#offered.usernameFragment !== usernameFragment) transport.ice.restart()
    this.#offered = { usernameFragment, password }
    const { ended, begun } = this.publishing.takeOffer(offer)
    this.incoming.setPublications(this.publishing.all, new Map(offer.sections.map(({ mid, ssrcs }) => [mid, ssrcs])))
    this.subscriptions.beginAnswer(offer.sections)
    const local = {
      credentials: transport.ice.local,
      fingerprint: transport.fingerprint,
      addresses: hostAddresses(this.#tools.publicAddress, this.#tools.ports.withIpv6),
      port: transport.port,
    }
    this.#answers += 1
    const answer = writeAnswer(offer, (section) => this.#answerTo(section), local, this.#answers)
    const midToTrackId = this.subscriptions.placed()
    this.send({ case: 'answer', value: new SessionDescription({ type: 'answer', sdp: answer, id, midToTrackId }) })
    transport.start(offer.fingerprints)
    for (const publication of ended) this.#events.onUnpublished(this, publication)
    for (const publication of begun) this.#events.onPublished(this, publication)
    this.requireSections()
  }

  /** Asks the client for an offer when what it is to get has changed; several changes at once are one wish. */
  requireSections(): void {
    if (this.#answers === 0) return
    this.#requirementTimer ??= setTimeout(() => {
      this.#requirementTimer = undefined
      const requirement = this.subscriptions.takeRequirement()
      if (requirement === undefined) return
      this.send({ case: 'mediaSectionsRequirement', value: new MediaSectionsRequirement(requirement) })
    }, REQUIREMENT_DELAY_MS)
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
    for (const packet of this.incoming.takeNacks(OUR_SSRC, nowMs)) this.#transport?.sendRtcp(packet)
    for (const subscription of this.subscriptions.all) {
      if (subscription.awaitsKeyframe) subscription.requestKeyframe(nowMs)
    }
    if (isReportDue) this.#transport?.sendRtcp(this.incoming.takeReceiverReport(OUR_SSRC, nowMs))
  }

  #answerTo(section: OfferedSection): SectionAnswer {
    if (section.rejected) return { kind: 'reject' }
    if (section.kind === 'application') {
      return /^UDP\/DTLS\/SCTP webrtc-datachannel/.test(section.protocolAndFormats)
        ? { kind: 'data' }
        : { kind: 'reject' }
    }
    if (isReceiving(section)) return this.subscriptions.answer(section)
    if (isSending(section)) return this.publishing.answer(section)
    const answer = this.publishing.answer(section)
    return answer.kind === 'receive' ? { ...answer, kind: 'inactive' } : answer
  }

  #receiveControl(compound: Buffer): void {
    const nowMs = this.#tools.nowMs()
    for (const message of readControl(compound)) {
      if (message.kind === 'sender-report') {
        const route = this.incoming.noteReport(message, nowMs)
        if (route === undefined) continue
        for (const one of route.publication.subscriptions) one.forwardReport(route.layer, this.sid)
      } else if (message.kind === 'nack') {
        this.subscriptions.bySsrc(message.ssrc)?.resend(message.sequenceNumbers, nowMs)
      } else if (message.kind === 'keyframe-request') {
        this.subscriptions.bySsrc(message.ssrc)?.requestKeyframe(nowMs)
      }
    }
  }
}
