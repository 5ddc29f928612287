import {
  type Codec,
  DisconnectReason,
  LeaveRequest_Action,
  type ParticipantInfo,
  ParticipantInfo_State,
  ParticipantUpdate,
  Room,
  type SpeakersChanged,
  TrackSubscribed,
} from '@livekit/protocol'
import type { Publication } from '../tracks/publication.ts'
import { generateSid } from '../tracks/sid.ts'
import { speakersAmong } from '../tracks/speakers.ts'
import { forwardData } from './data-forwarding.ts'
import type { ParticipantProfile } from './describe-participant.ts'
import type { JoinOrigin } from './join-origin.ts'
import { Participant } from './participant.ts'
import { abuseReason, participationEndOf } from './participation-end.ts'
import { areTogether, breakoutRoomOf, withBreakoutRoom } from './permission.ts'
import type { RoomDependencies } from './room-dependencies.ts'
import { RoomTicker, tickMs } from './room-ticker.ts'
import type { SignalMessage } from './signal-socket.ts'
import { resubscribeAround, subscribe, unsubscribe } from './wanted-tracks.ts'

/** More participants would need more than one process. */
const maxRoomParticipants = 200
/** Time until the end of a room that no participant has joined; LiveKit's `empty_timeout`. */
const emptyTimeoutSeconds = 300
/** Time until the end of a room that all participants have left; LiveKit's `departure_timeout`. */
const departureTimeoutSeconds = 20

/** The settings of CreateRoomRequest that apply. Timeouts are in seconds. */
type RoomSettings = {
  metadata: string
  emptyTimeout: number
  departureTimeout: number
  maxParticipants: number
}

const defaultSettings: RoomSettings = {
  metadata: '',
  emptyTimeout: emptyTimeoutSeconds,
  departureTimeout: departureTimeoutSeconds,
  maxParticipants: maxRoomParticipants,
}

/** Change the settings that are given. Zero and empty, the defaults of protocol buffers, change nothing. */
const changeSettings = (settings: RoomSettings, changes: RoomSettings): RoomSettings => ({
  metadata: changes.metadata || settings.metadata,
  emptyTimeout: changes.emptyTimeout || settings.emptyTimeout,
  departureTimeout: changes.departureTimeout || settings.departureTimeout,
  maxParticipants: Math.min(changes.maxParticipants || settings.maxParticipants, maxRoomParticipants),
})

/** A room: its participants and the subscriptions between them. */
export class MediaRoom {
  readonly name: string
  readonly sid: string
  readonly createdMs: number
  #settings = defaultSettings
  readonly #dependencies: RoomDependencies
  readonly #participants = new Map<string, Participant>()
  /**
   * For each participant who has not connected yet, the function that removes the participant from the pending joins.
   */
  readonly #releasePending = new Map<Participant, () => void>()
  /** The latest breakout room of each identity, which holds also against older tokens. */
  readonly #breakoutRooms = new Map<string, { name: string; sinceMs: number }>()
  readonly #ticker = new RoomTicker()
  readonly #timer: NodeJS.Timeout
  #onClosed: () => void
  #emptySinceMs: number
  #wasEntered = false
  #closed = false

  constructor(name: string, dependencies: RoomDependencies, onClosed: () => void) {
    this.name = name
    this.sid = generateSid(dependencies.random, 'RM_')
    this.#dependencies = dependencies
    this.#onClosed = onClosed
    this.createdMs = dependencies.nowMs()
    this.#emptySinceMs = this.createdMs
    this.#timer = setInterval(() => this.#tick(), tickMs)
    dependencies.report('room_started', this)
  }

  get participants(): Participant[] {
    return [...this.#participants.values()]
  }

  get(identity: string): Participant | undefined {
    return this.#participants.get(identity)
  }

  /** Participants who have not connected yet do not count: pending joins have limits of their own. */
  get isFull(): boolean {
    return this.#participants.size - this.#releasePending.size >= this.#settings.maxParticipants
  }

  get settings(): RoomSettings {
    return this.#settings
  }

  toInfo(): Room {
    return describeRoom(this, this.#dependencies.codecs)
  }

  /** Change the settings that are given, and notify the participants. */
  configure(changes: RoomSettings): void {
    this.#settings = changeSettings(this.#settings, changes)
    this.#ticker.isChanged = true
  }

  setMetadata(metadata: string): void {
    this.#settings = { ...this.#settings, metadata }
    this.#ticker.isChanged = true
  }

  /**
   * Add a participant, and remove an earlier one of the same identity.
   * @param issuedMs when the token was issued; the breakout room that it names may be older than the last move
   */
  join(claimed: ParticipantProfile, issuedMs: number, autoSubscribe: boolean, origin: JoinOrigin): Participant {
    const profile = this.#withLatestBreakoutRoom(claimed, issuedMs)
    const participant = new Participant(profile, autoSubscribe, this.#dependencies, {
      onActive: (sender) => this.#activate(sender),
      onLost: (sender) => {
        sender.lostSinceMs = this.#dependencies.nowMs()
      },
      onSubscribed: (_, publication) => this.#notifyFirstSubscription(publication),
      onPublished: (sender, publication) => this.#publish(sender, publication),
      onUnpublished: (sender, publication) => this.unpublish(sender, publication),
      onData: (sender, label, message) => forwardData(this.participants, sender, label, message),
      onAbuse: (sender) => this.leave(sender, abuseReason),
    })
    const before = this.#participants.get(profile.identity)
    if (before !== undefined) this.leave(before, DisconnectReason.DUPLICATE_IDENTITY)
    this.#participants.set(profile.identity, participant)
    const evict = () => this.leave(participant, DisconnectReason.JOIN_FAILURE)
    this.#releasePending.set(participant, this.#dependencies.pending.add(origin, evict))
    this.#wasEntered = true
    for (const other of this.participants)
      for (const publication of other.publishing.all) subscribe(this, participant, publication)
    return participant
  }

  #withLatestBreakoutRoom(claimed: ParticipantProfile, issuedMs: number): ParticipantProfile {
    const { identity, attributes } = claimed
    const known = this.#breakoutRooms.get(identity)
    if (known !== undefined && issuedMs <= known.sinceMs)
      return { ...claimed, attributes: withBreakoutRoom(attributes, known.name) }
    const name = breakoutRoomOf(claimed)
    if (known !== undefined || name !== '') this.#breakoutRooms.set(identity, { name, sinceMs: issuedMs })
    return claimed
  }

  /** Apply the breakout room that a participant has been put into: to media at once, and to its earlier tokens. */
  move(participant: Participant): void {
    const { identity, profile } = participant
    this.#breakoutRooms.set(identity, { name: breakoutRoomOf(profile), sinceMs: this.#dependencies.nowMs() })
    resubscribeAround(this, participant)
  }

  /** Remove a participant and notify the others. A second call does nothing. */
  leave(participant: Participant, reason: DisconnectReason, action = LeaveRequest_Action.DISCONNECT): void {
    if (participant.state === ParticipantInfo_State.DISCONNECTED) return
    const wasActive = participant.state === ParticipantInfo_State.ACTIVE
    this.#endPending(participant)
    for (const publication of participant.publishing.all) {
      participant.publishing.remove(publication.sid)
      this.#drop(participant, publication)
    }
    participant.close(reason, action)
    if (this.#participants.get(participant.identity) === participant) this.#participants.delete(participant.identity)
    const info = participant.toInfo()
    info.disconnectReason = reason
    // When the room closes, everyone's client joins again or stops: it need not see the others leave one by one.
    if (wasActive && !this.#closed) this.#broadcast(participant, info)
    this.#dependencies.report(wasActive ? 'participant_left' : 'participant_connection_aborted', this, info)
    this.#ticker.isChanged = true
    if (this.#participants.size === 0) this.#emptySinceMs = this.#dependencies.nowMs()
  }

  /**
   * Close the room and disconnect all participants. With the action RECONNECT their clients join again by themselves.
   */
  close(reason: DisconnectReason, action = LeaveRequest_Action.DISCONNECT): void {
    if (this.#closed) return
    this.#closed = true
    clearInterval(this.#timer)
    for (const participant of this.participants) this.leave(participant, reason, action)
    this.#dependencies.report('room_finished', this)
    this.#onClosed()
  }

  /** Send a participant's current state to all participants. */
  broadcastState(participant: Participant): void {
    if (participant.state === ParticipantInfo_State.ACTIVE) this.#broadcast(participant, participant.toInfo())
  }

  #endPending(participant: Participant): void {
    this.#releasePending.get(participant)?.()
    this.#releasePending.delete(participant)
  }

  #activate(participant: Participant): void {
    // Others may have connected since this participant joined.
    if (this.isFull) {
      this.leave(participant, DisconnectReason.JOIN_FAILURE)
      return
    }
    this.#endPending(participant)
    participant.state = ParticipantInfo_State.ACTIVE
    this.#ticker.qualities.resetSent()
    this.#ticker.isChanged = true
    const info = participant.toInfo()
    this.#broadcast(participant, info)
    this.#dependencies.report('participant_joined', this, info)
  }

  /** Notify the publisher of a track's first subscription. */
  #notifyFirstSubscription({ sid, publisher, subscriptions }: Publication): void {
    if (subscriptions.size !== 1) return
    this.get(publisher.identity)?.send({ case: 'trackSubscribed', value: new TrackSubscribed({ trackSid: sid }) })
  }

  #publish(participant: Participant, publication: Publication): void {
    this.#ticker.speakers.watch(publication)
    this.broadcastState(participant)
    for (const other of this.participants) subscribe(this, other, publication)
    this.#dependencies.report('track_published', this, participant.toInfo(), publication.info)
  }

  /** Remove a track that the participant no longer publishes. */
  unpublish(participant: Participant, publication: Publication): void {
    this.#drop(participant, publication)
    this.broadcastState(participant)
  }

  #drop(participant: Participant, publication: Publication): void {
    this.#ticker.speakers.unwatch(publication)
    for (const other of this.participants) unsubscribe(other, publication)
    this.#dependencies.report('track_unpublished', this, participant.toInfo(), publication.info)
  }

  #broadcast(about: Participant, info: ParticipantInfo): void {
    const update = new ParticipantUpdate({ participants: [info] })
    const { hidden } = about.profile.permission
    for (const participant of this.participants) {
      if (!hidden || participant === about) participant.send({ case: 'update', value: update })
    }
  }

  /** Send a message to all participants. */
  broadcast(message: SignalMessage): void {
    for (const participant of this.participants) participant.send(message)
  }

  /** Tell each participant who speaks in the same breakout room, and of all who no longer speak. */
  #sendSpeakers(changed: SpeakersChanged): void {
    const profiles = new Map(this.participants.map(({ sid, profile }) => [sid, profile]))
    for (const participant of this.participants) {
      const value = speakersAmong(changed, (sid) => {
        const speaker = profiles.get(sid)
        return speaker !== undefined && areTogether(speaker, participant.profile)
      })
      if (value !== undefined) participant.send({ case: 'speakersChanged', value })
    }
  }

  #tick(): void {
    const nowMs = this.#dependencies.nowMs()
    const { messages, isReportDue } = this.#ticker.tick(this.participants, nowMs, () => this.toInfo())
    for (const message of messages) {
      if (message.case === 'speakersChanged') this.#sendSpeakers(message.value)
      else this.broadcast(message)
    }
    for (const participant of this.participants) {
      const ending = participationEndOf(participant, nowMs)
      if (ending !== undefined) this.leave(participant, ending.reason, ending.action)
      else participant.tick(nowMs, isReportDue)
    }
    const limitSeconds = this.#wasEntered ? this.#settings.departureTimeout : this.#settings.emptyTimeout
    if (this.#participants.size === 0 && nowMs - this.#emptySinceMs >= limitSeconds * 1000) {
      this.close(DisconnectReason.ROOM_CLOSED)
    }
  }
}

type Described = {
  sid: string
  name: string
  settings: RoomSettings
  createdMs: number
  participants: readonly Participant[]
}

/** Describe a room in LiveKit's protocol. */
function describeRoom(room: Described, enabledCodecs: Codec[]): Room {
  const { sid, name, settings, createdMs, participants } = room
  return new Room({
    sid,
    name,
    ...settings,
    creationTime: BigInt(Math.floor(createdMs / 1000)),
    creationTimeMs: BigInt(createdMs),
    numParticipants: participants.length,
    numPublishers: participants.filter(({ publishing }) => publishing.all.length > 0).length,
    enabledCodecs,
  })
}
