import {
  DisconnectReason,
  LeaveRequest_Action,
  type ParticipantInfo,
  ParticipantInfo_State,
  ParticipantUpdate,
  type Room,
  TrackSubscribed,
} from '@livekit/protocol'
import type { Publication } from '../tracks/publication.ts'
import { generateSid } from '../tracks/sid.ts'
import { forwardData } from './data-forwarding.ts'
import type { Person } from './describe-participant.ts'
import { describeRoom } from './describe-room.ts'
import type { JoinOrigin } from './join-origin.ts'
import { Participant } from './participant.ts'
import { participationEndOf } from './participation-end.ts'
import type { RoomDependencies } from './room-dependencies.ts'
import { changeSettings, defaultSettings, type RoomSettings } from './room-settings.ts'
import { RoomTicker, tickMs } from './room-ticker.ts'
import type { SignalMessage } from './signal-socket.ts'
import { subscribe, unsubscribe } from './subscribing.ts'
import { tooMuchSent } from './too-much-sent.ts'

/** Some people who see and hear each other. */
export class MediaRoom {
  readonly name: string
  readonly sid: string
  readonly createdMs: number
  #settings = defaultSettings
  readonly #tools: RoomDependencies
  readonly #participants = new Map<string, Participant>()
  /** Of those who have not connected yet: what takes them out of the pending joins. */
  readonly #releasePending = new Map<Participant, () => void>()
  readonly #ticker = new RoomTicker()
  readonly #timer: NodeJS.Timeout
  #onClosed: () => void
  #emptySinceMs: number
  #wasEntered = false
  #closed = false

  constructor(name: string, tools: RoomDependencies, onClosed: () => void) {
    this.name = name
    this.sid = generateSid(tools.random, 'RM_')
    this.#tools = tools
    this.#onClosed = onClosed
    this.createdMs = tools.nowMs()
    this.#emptySinceMs = this.createdMs
    this.#timer = setInterval(() => this.#tick(), tickMs)
    tools.report('room_started', this)
  }

  get participants(): Participant[] {
    return [...this.#participants.values()]
  }

  get(identity: string): Participant | undefined {
    return this.#participants.get(identity)
  }

  /** Joins over which no connection has come about take nobody's place: there are limits of their own for them. */
  get isFull(): boolean {
    return this.#participants.size - this.#releasePending.size >= this.#settings.maxParticipants
  }

  get settings(): RoomSettings {
    return this.#settings
  }

  toInfo(): Room {
    return describeRoom(this, this.#tools.codecs)
  }

  /** Changes what is named; everybody is told. */
  configure(wishes: RoomSettings): void {
    this.#settings = changeSettings(this.#settings, wishes)
    this.#ticker.isChanged = true
  }

  setMetadata(metadata: string): void {
    this.#settings = { ...this.#settings, metadata }
    this.#ticker.isChanged = true
  }

  /** Add a participant in the place of the one, if any, who is there under the same identity. */
  join(person: Person, autoSubscribe: boolean, origin: JoinOrigin): Participant {
    const participant = new Participant(person, autoSubscribe, this.#tools, {
      onActive: (one) => this.#activate(one),
      onLost: (one) => {
        one.lostSinceMs = this.#tools.nowMs()
      },
      onSubscribed: (_, publication) => this.#noteSubscriber(publication),
      onPublished: (one, publication) => this.#publish(one, publication),
      onUnpublished: (one, publication) => this.unpublish(one, publication),
      onData: (one, label, message) => forwardData(this.participants, one, label, message),
      onAbuse: (one) => this.leave(one, tooMuchSent),
    })
    const before = this.#participants.get(person.identity)
    if (before !== undefined) this.leave(before, DisconnectReason.DUPLICATE_IDENTITY)
    this.#participants.set(person.identity, participant)
    const evict = () => this.leave(participant, DisconnectReason.JOIN_FAILURE)
    this.#releasePending.set(participant, this.#tools.pending.add(origin, evict))
    this.#wasEntered = true
    for (const other of this.participants)
      for (const publication of other.publishing.all) subscribe(this, participant, publication)
    return participant
  }

  /** Ends a participation. Those who stay are told; a second call does nothing. */
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
    if (wasActive) this.#broadcast(participant, info)
    this.#tools.report(wasActive ? 'participant_left' : 'participant_connection_aborted', this, info)
    this.#ticker.isChanged = true
    if (this.#participants.size === 0) this.#emptySinceMs = this.#tools.nowMs()
  }

  /** Sends everybody out; with another `action` than this they come back by themselves. */
  close(reason: DisconnectReason, action = LeaveRequest_Action.DISCONNECT): void {
    if (this.#closed) return
    this.#closed = true
    clearInterval(this.#timer)
    for (const participant of this.participants) this.leave(participant, reason, action)
    this.#tools.report('room_finished', this)
    this.#onClosed()
  }

  /** Tells everybody how the participant is now. */
  announce(participant: Participant): void {
    if (participant.state === ParticipantInfo_State.ACTIVE) this.#broadcast(participant, participant.toInfo())
  }

  #endPending(participant: Participant): void {
    this.#releasePending.get(participant)?.()
    this.#releasePending.delete(participant)
  }

  #activate(participant: Participant): void {
    // Others may have connected since this one was let in.
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
    this.#tools.report('participant_joined', this, info)
  }

  /** The publisher is told once that there is somebody who has its track. */
  #noteSubscriber({ sid, publisher, subscriptions }: Publication): void {
    if (subscriptions.size !== 1) return
    this.get(publisher.identity)?.send({ case: 'trackSubscribed', value: new TrackSubscribed({ trackSid: sid }) })
  }

  #publish(participant: Participant, publication: Publication): void {
    this.#ticker.speakers.watch(publication)
    this.announce(participant)
    for (const other of this.participants) subscribe(this, other, publication)
    this.#tools.report('track_published', this, participant.toInfo(), publication.info)
  }

  /** A track of the participant's is there no more. */
  unpublish(participant: Participant, publication: Publication): void {
    this.#drop(participant, publication)
    this.announce(participant)
  }

  #drop(participant: Participant, publication: Publication): void {
    this.#ticker.speakers.forget(publication)
    for (const other of this.participants) unsubscribe(other, publication)
    this.#tools.report('track_unpublished', this, participant.toInfo(), publication.info)
  }

  #broadcast(about: Participant, info: ParticipantInfo): void {
    const update = new ParticipantUpdate({ participants: [info] })
    const { hidden } = about.person.permission
    for (const one of this.participants) if (!hidden || one === about) one.send({ case: 'update', value: update })
  }

  /** Says something to everybody. */
  tell(message: SignalMessage): void {
    for (const one of this.participants) one.send(message)
  }

  #tick(): void {
    const nowMs = this.#tools.nowMs()
    const { messages, isReportDue } = this.#ticker.tick(this.participants, nowMs, () => this.toInfo())
    for (const message of messages) this.tell(message)
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
