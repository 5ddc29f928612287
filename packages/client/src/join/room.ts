import type { MeetingAtTheDoor, Problem, RoomRole, RoomState, RoomWatch } from '@parley/contract'
import type { EarlierMessage } from './message.ts'
import type { RoomErrorReason } from './room-error.ts'

/** Somebody's sound or picture, the same value for as long as it is the same track. */
export type RoomTrack = {
  /** Plays it in the element; what is returned ends that. */
  attach(element: HTMLMediaElement): () => void
}

/** The camera or the microphone could not be switched on when it was wanted. */
export type DeviceProblem = { device: 'microphone' | 'camera'; reason: RoomErrorReason }

export type ConnectionQuality = 'unknown' | 'lost' | 'poor' | 'good' | 'excellent'

/** Somebody inside. The value is replaced when anything of it changes, and only then. */
export type Participant = {
  /** What the API knows them by: the id of their admission. */
  id: string
  name: string
  role: RoomRole
  isMe: boolean
  /** No microphone, or one that is off. */
  muted: boolean
  /** Each is null while there is nothing to hear or to see of it. */
  microphone: RoomTrack | null
  camera: RoomTrack | null
  screen: RoomTrack | null
  screenAudio: RoomTrack | null
  speaking: boolean
  quality: ConnectionQuality
  /** 1 for who raised it first; null while it is down. */
  handPlace: number | null
}

export type ChatMessage = {
  /** Counts up; for a list's keys. */
  id: number
  from: string
  /** As the room knows the sender. */
  name: string
  isMine: boolean
  /** To one participant alone, as its sender says. */
  isPrivate: boolean
  /** Of one's own private messages: who got it. */
  to: string | null
  text: string
  receivedOn: Date
}

/** What was written to everyone before one came. Another participant passes it on, and nobody vouches for it. */
export type EarlierMessages = { relayedBy: string; messages: readonly EarlierMessage[] }

/** Shown for a few seconds, then gone from the list. */
export type Reaction = { id: number; from: string; name: string; emoji: string }

/** What a host switched off, and when: each time is a value of its own. */
export type StoppedByHost = { device: 'microphone' | 'camera' | 'screen'; on: Date }

/** Why it is over, for good: to try again is another `join()`. */
export type RoomEnd =
  | { reason: 'left' }
  /** By a host. Only an admission of theirs opens the door again. */
  | { reason: 'removed' }
  /** For everybody. */
  | { reason: 'ended' }
  | { reason: 'cancelled' }
  /** The same person has entered in another window. */
  | { reason: 'elsewhere' }
  /** This client kept sending far more than the media server takes from one participant. */
  | { reason: 'too_much_sent' }
  /** The connection was gone for too long. */
  | { reason: 'lost' }
  /** At the door; the state says why. `retryAfterSeconds` comes with `slow_down`. */
  | { reason: 'refused'; state: RoomState; retryAfterSeconds?: number }
  /** The API did not take the request: no such token, no such right. */
  | { reason: 'failed'; problem: Problem }

/** How it stands with oneself. */
export type Standing =
  | { phase: 'asking' }
  /** `opensAt` comes with `too_early`; `hostInside`, whether a host sees it, with `waiting`. */
  | { phase: 'waiting'; state: 'waiting' | 'waiting_for_host' | 'too_early'; opensAt?: string; hostInside?: boolean }
  | { phase: 'connecting' }
  | { phase: 'inside' }
  /** It was inside, and comes back by itself if that can be. */
  | { phase: 'reconnecting' }
  | { phase: 'over'; end: RoomEnd }

/** All that can be shown, at one moment. What has not changed since the last snapshot is the same value. */
export type RoomSnapshot = {
  standing: Standing
  /** Told once the PIN was right. */
  meeting: MeetingAtTheDoor | null
  /** Told to hosts: the meeting's PIN, to hand on. */
  pin: string | null
  /** Told once the PIN was right. */
  role: RoomRole | null
  me: Participant | null
  /** In the order in which they came. */
  others: readonly Participant[]
  /** The microphone cannot be switched on until a host allows it. */
  hardMuted: boolean
  /** When a host last asked oneself to switch the microphone on. */
  unmuteAskedOn: string | null
  /** Of the last time that oneself came in, or asked for a device. */
  deviceProblem: DeviceProblem | null
  /** What a host switched off last: it can be switched on again. */
  stoppedByHost: StoppedByHost | null
  /** Whether the background is blurred; null where the camera that is on cannot do it, or none is on. */
  backgroundBlur: boolean | null
  /** The browser plays nothing before somebody has clicked: call `startSound()` from the click. */
  soundBlocked: boolean
  /** At most the last 500 of this stay. */
  messages: readonly ChatMessage[]
  /** Null where nothing was written, or nobody who was there passes it on. */
  earlierMessages: EarlierMessages | null
  reactions: readonly Reaction[]
  /** Who waits and who is inside, for hosts; null for other people, and for an app's token without `meeting:update`. */
  door: RoomWatch | null
}

export type DeviceKind = 'microphone' | 'camera' | 'speaker'

/**
 * What a host may do. Each is settled when the service has done it. An app's token needs `meeting:join` and
 * `meeting:update`.
 * @throws ProblemError
 */
export type HostActions = {
  admit(admissionId: string): Promise<void>
  deny(admissionId: string): Promise<void>
  admitAll(): Promise<void>
  mute(participantId: string): Promise<void>
  stopCamera(participantId: string): Promise<void>
  stopShare(participantId: string): Promise<void>
  /** Sent to everybody inside; pages follow it where a host sent it. @throws RoomError `not_inside` */
  lowerHand(participantId: string): Promise<void>
  askUnmute(participantId: string): Promise<void>
  liftHardMute(participantId: string): Promise<void>
  remove(participantId: string): Promise<void>
  makeCohost(participantId: string): Promise<void>
  lock(): Promise<void>
  unlock(): Promise<void>
  /** New guests wait until a host admits them: a removed guest may come back as another. */
  askNewGuests(): Promise<void>
  stopAskingNewGuests(): Promise<void>
  muteAll(): Promise<void>
  /** For everybody. */
  end(): Promise<void>
}

/** A meeting that one has asked to enter: from the door to the end. */
export type Room = {
  /** The same value until something changes. */
  snapshot(): RoomSnapshot
  /** The listener is called after each change; what is returned ends that. Both fit React's useSyncExternalStore. */
  subscribe(listener: () => void): () => void
  /** @throws RoomError `hard_muted`, `not_inside`, or what the device said */
  setMicrophone(on: boolean): Promise<void>
  /** @throws RoomError `not_inside`, or what the device said */
  setCamera(on: boolean): Promise<void>
  /** With its sound where the browser gives it. @throws RoomError `cancelled` when nothing was chosen */
  shareScreen(on: boolean): Promise<void>
  /** @throws RoomError */
  switchDevice(kind: DeviceKind, deviceId: string): Promise<void>
  startSound(): Promise<void>
  /** Does nothing where the camera cannot (`backgroundBlur` is null). @throws RoomError */
  setBackgroundBlur(on: boolean): Promise<void>
  /**
   * At most `maxChatCharacters` characters, to everyone, or to one participant alone (`id`).
   * @throws RoomError `not_inside`, `message_too_long`, `message_empty`, `participant_gone`
   */
  sendChat(text: string, to?: string): Promise<void>
  raiseHand(up: boolean): Promise<void>
  /** One of `reactionEmoji`. */
  react(emoji: string): Promise<void>
  /** Also ends waiting at the door. */
  leave(): Promise<void>
  host: HostActions
}
