import {
  DisconnectReason,
  LeaveRequest_Action,
  MuteTrackRequest,
  type ParticipantInfo,
  ParticipantInfo_State,
  type ParticipantPermission,
  ParticipantUpdate,
  Room,
  TrackUnpublishedResponse,
} from '@livekit/protocol'
import { forwardData } from './data-forwarding.ts'
import { Participant, type Person } from './participant.ts'
import { mayPublish } from './permission.ts'
import type { Publication } from './publication.ts'
import type { RoomTools } from './room-tools.ts'
import { drawSid } from './sid.ts'
import { Speakers } from './speakers.ts'
import { isSubscriptionAllowed } from './track-permissions.ts'

export const MAX_PARTICIPANTS = 200
const TICK_MS = 50
const TICKS_PER_SPEAKER_UPDATE = 8
const TICKS_PER_REPORT = 20
/** A room that nobody has entered, as LiveKit's `empty_timeout`. */
export const EMPTY_TIMEOUT_SECONDS = 300
/** A room that everybody has left, as LiveKit's `departure_timeout`. */
export const DEPARTURE_TIMEOUT_SECONDS = 20
/** How long a participant may be without a signal socket: the client tries again for about as long. */
const AWAY_LIMIT_MS = 20_000
/** How long after its transport a client that leaves may take to say goodbye. */
const GOODBYE_LIMIT_MS = 2000
/** How long ICE and DTLS may take after the join. */
const CONNECT_LIMIT_MS = 20_000
/** Browsers check every few seconds; RFC 7675 gives up after thirty. */
const SILENCE_LIMIT_MS = 30_000

/** Some people who see and hear each other. */
export class MediaRoom {
  readonly name: string
  readonly sid: string
  readonly createdMs: number
  metadata = ''
  emptyTimeoutSeconds = EMPTY_TIMEOUT_SECONDS
  departureTimeoutSeconds = DEPARTURE_TIMEOUT_SECONDS
  maxParticipants = MAX_PARTICIPANTS
  readonly #tools: RoomTools
  readonly #participants = new Map<string, Participant>()
  readonly #speakers = new Speakers()
  readonly #timer: NodeJS.Timeout
  #onClosed: () => void
  #emptySinceMs: number
  #wasEntered = false
  #ticks = 0
  #closed = false

  constructor(name: string, tools: RoomTools, onClosed: () => void) {
    this.name = name
    this.sid = drawSid(tools.random, 'RM_')
    this.#tools = tools
    this.#onClosed = onClosed
    this.createdMs = tools.nowMs()
    this.#emptySinceMs = this.createdMs
    this.#timer = setInterval(() => this.#tick(), TICK_MS)
    tools.report('room_started', this)
  }

  get participants(): Participant[] {
    return [...this.#participants.values()]
  }

  get(identity: string): Participant | undefined {
    return this.#participants.get(identity)
  }

  get isFull(): boolean {
    return this.#participants.size >= this.maxParticipants
  }

  toInfo(): Room {
    return new Room({
      sid: this.sid,
      name: this.name,
      metadata: this.metadata,
      emptyTimeout: this.emptyTimeoutSeconds,
      departureTimeout: this.departureTimeoutSeconds,
      maxParticipants: this.maxParticipants,
      creationTime: BigInt(Math.floor(this.createdMs / 1000)),
      creationTimeMs: BigInt(this.createdMs),
      numParticipants: this.#participants.size,
      numPublishers: this.participants.filter(({ publishing }) => publishing.all.length > 0).length,
      enabledCodecs: this.#tools.codecs,
    })
  }

  /** Changes what a request names; zero and empty change nothing. */
  configure(wishes: {
    metadata: string
    emptyTimeout: number
    departureTimeout: number
    maxParticipants: number
  }): void {
    this.metadata = wishes.metadata || this.metadata
    this.emptyTimeoutSeconds = wishes.emptyTimeout || this.emptyTimeoutSeconds
    this.departureTimeoutSeconds = wishes.departureTimeout || this.departureTimeoutSeconds
    this.maxParticipants = Math.min(wishes.maxParticipants || MAX_PARTICIPANTS, MAX_PARTICIPANTS)
  }

  /** Lets somebody in; who is there under the same identity is thrown out. Throws when no UDP port is left. */
  async join(person: Person, autoSubscribe: boolean): Promise<Participant> {
    const participant = new Participant(person, autoSubscribe, this.#tools, {
      onActive: (one) => this.#activate(one),
      onLost: (one) => this.#noteLoss(one),
      onPublished: (one, publication) => this.#publish(one, publication),
      onUnpublished: (one, publication) => this.#unpublish(one, publication),
      onData: (one, label, message) => forwardData(this, one, label, message),
    })
    await participant.open()
    if (this.#closed) {
      participant.close(DisconnectReason.ROOM_CLOSED)
      throw new Error('The room was closed')
    }
    const before = this.#participants.get(person.identity)
    if (before !== undefined) this.leave(before, DisconnectReason.DUPLICATE_IDENTITY)
    this.#participants.set(person.identity, participant)
    this.#wasEntered = true
    for (const other of this.participants)
      for (const publication of other.publishing.all) this.#subscribe(participant, publication)
    return participant
  }

  /** Ends a participation. Those who stay are told; a second call does nothing. */
  leave(participant: Participant, reason: DisconnectReason, action = LeaveRequest_Action.DISCONNECT): void {
    if (participant.state === ParticipantInfo_State.DISCONNECTED) return
    const wasActive = participant.state === ParticipantInfo_State.ACTIVE
    for (const publication of participant.publishing.all) {
      participant.publishing.remove(publication.sid)
      this.#drop(participant, publication)
    }
    participant.close(reason, action)
    if (this.#participants.get(participant.identity) === participant) this.#participants.delete(participant.identity)
    const info = participant.toInfo()
    info.disconnectReason = reason
    if (wasActive) this.#broadcast(participant, info)
    this.#tools.report(wasActive ? 'participant_left' : 'participant_connection_aborted', this, info)
    if (this.#participants.size === 0) this.#emptySinceMs = this.#tools.nowMs()
  }

  close(reason: DisconnectReason): void {
    if (this.#closed) return
    this.#closed = true
    clearInterval(this.#timer)
    for (const participant of this.participants) this.leave(participant, reason)
    this.#tools.report('room_finished', this)
    this.#onClosed()
  }

  /** Tells everybody how the participant is now. */
  announce(participant: Participant): void {
    if (participant.state === ParticipantInfo_State.ACTIVE) this.#broadcast(participant, participant.toInfo())
  }

  /** Mutes or unmutes; `remotely` when it is not the participant itself who does it. */
  mute(participant: Participant, trackSid: string, muted: boolean, remotely: boolean): boolean {
    const info = participant.publishing.infoOf(trackSid)
    if (info === undefined) return false
    if (remotely) participant.send({ case: 'mute', value: new MuteTrackRequest({ sid: trackSid, muted }) })
    if (info.muted === muted) return true
    info.muted = muted
    // What comes after does not fit to what was shown before.
    for (const subscription of participant.publishing.get(trackSid)?.subscriptions ?? []) subscription.interrupt()
    this.announce(participant)
    return true
  }

  /** Puts new rights into force at once, for what is published and subscribed to already, too. */
  permit(participant: Participant, permission: ParticipantPermission): void {
    participant.person = { ...participant.person, permission }
    for (const { sid } of participant.publishing.forbidden((source) => mayPublish(permission, source))) {
      const publication = participant.publishing.remove(sid)
      participant.send({ case: 'trackUnpublished', value: new TrackUnpublishedResponse({ trackSid: sid }) })
      if (publication !== undefined) this.#unpublish(participant, publication)
    }
    participant.incoming.setPublications(participant.publishing.all, new Map())
    this.resubscribe(participant)
  }

  /** Brings what a participant gets in line with what it may get. */
  resubscribe(participant: Participant): void {
    for (const publisher of this.participants) {
      for (const publication of publisher.publishing.all) {
        if (this.#maySubscribe(participant, publication)) this.#subscribe(participant, publication)
        else if (participant.subscriptions.remove(publication)) participant.requireSections()
      }
    }
  }

  /** The participant asks for tracks, or declines them. */
  setWanted(participant: Participant, trackSids: readonly string[], wanted: boolean): void {
    for (const publication of this.participants.flatMap(({ publishing }) => publishing.all)) {
      if (!trackSids.includes(publication.sid)) continue
      participant.wantedTracks.set(publication.sid, wanted)
      if (wanted) this.#subscribe(participant, publication)
      else if (participant.subscriptions.remove(publication)) participant.requireSections()
    }
  }

  #maySubscribe(participant: Participant, publication: Publication): boolean {
    const publisher = this.#participants.get(publication.publisher.identity)
    return (
      participant.person.permission.canSubscribe &&
      publication.publisher.sid !== participant.sid &&
      publisher !== undefined &&
      isSubscriptionAllowed(publisher.trackPermission, publication.sid, participant)
    )
  }

  #subscribe(participant: Participant, publication: Publication): void {
    const wanted = participant.wantedTracks.get(publication.sid) ?? participant.autoSubscribe
    if (!wanted || !this.#maySubscribe(participant, publication)) return
    if (participant.subscriptions.add(publication)) participant.requireSections()
  }

  #activate(participant: Participant): void {
    participant.state = ParticipantInfo_State.ACTIVE
    const info = participant.toInfo()
    this.#broadcast(participant, info)
    this.#tools.report('participant_joined', this, info)
  }

  /** A client that leaves closes its transport first and says so a moment later. */
  #noteLoss(participant: Participant): void {
    participant.lostSinceMs = this.#tools.nowMs()
    if (participant.signal === undefined) this.leave(participant, DisconnectReason.SIGNAL_CLOSE)
  }

  #publish(participant: Participant, publication: Publication): void {
    this.#speakers.watch(publication)
    this.announce(participant)
    for (const other of this.participants) this.#subscribe(other, publication)
    this.#tools.report('track_published', this, participant.toInfo(), publication.info)
  }

  #unpublish(participant: Participant, publication: Publication): void {
    this.#drop(participant, publication)
    this.announce(participant)
  }

  #drop(participant: Participant, publication: Publication): void {
    this.#speakers.forget(publication)
    for (const other of this.participants) if (other.subscriptions.remove(publication)) other.requireSections()
    this.#tools.report('track_unpublished', this, participant.toInfo(), publication.info)
  }

  #broadcast(about: Participant, info: ParticipantInfo): void {
    const update = new ParticipantUpdate({ participants: [info] })
    const { hidden } = about.person.permission
    for (const one of this.participants) if (!hidden || one === about) one.send({ case: 'update', value: update })
  }

  #tick(): void {
    const nowMs = this.#tools.nowMs()
    this.#ticks += 1
    for (const participant of this.participants) {
      participant.tick(nowMs, this.#ticks % TICKS_PER_REPORT === 0)
      this.#expire(participant, nowMs)
    }
    if (this.#ticks % TICKS_PER_SPEAKER_UPDATE === 0) {
      const changed = this.#speakers.takeChanges()
      if (changed !== undefined)
        for (const one of this.participants) one.send({ case: 'speakersChanged', value: changed })
    }
    const limitSeconds = this.#wasEntered ? this.departureTimeoutSeconds : this.emptyTimeoutSeconds
    if (this.#participants.size === 0 && nowMs - this.#emptySinceMs >= limitSeconds * 1000) {
      this.close(DisconnectReason.ROOM_CLOSED)
    }
  }

  #expire(participant: Participant, nowMs: number): void {
    const { awaySinceMs, lostSinceMs, lastCheckMs, joinedMs, state } = participant
    if (lostSinceMs !== undefined && nowMs - lostSinceMs > GOODBYE_LIMIT_MS) {
      this.leave(participant, DisconnectReason.CONNECTION_TIMEOUT, LeaveRequest_Action.RECONNECT)
    } else if (awaySinceMs !== undefined && nowMs - awaySinceMs > AWAY_LIMIT_MS) {
      this.leave(participant, DisconnectReason.SIGNAL_CLOSE)
    } else if (state !== ParticipantInfo_State.ACTIVE && nowMs - joinedMs > CONNECT_LIMIT_MS) {
      this.leave(participant, DisconnectReason.JOIN_FAILURE)
    } else if (state === ParticipantInfo_State.ACTIVE && nowMs - (lastCheckMs ?? joinedMs) > SILENCE_LIMIT_MS) {
      this.leave(participant, DisconnectReason.CONNECTION_TIMEOUT, LeaveRequest_Action.RECONNECT)
    }
  }
}
