import type {
  AllowedRights,
  BodyOf,
  BreakoutOfPerson,
  EntryMeeting,
  openBreakoutRooms,
  Problem,
  RoomRight,
  RoomRole,
  RoomState,
  RoomWatch,
  Spotlight,
  updateBreakoutRooms,
} from '@parley/contract'
import type { RoomErrorReason } from './room-error.ts'

/** The devices' ids, as the browser lists them. */
export type ChosenDevices = { microphoneId?: string; cameraId?: string; speakerId?: string }

/** An audio or video track; the same object while the track is the same. */
export type RoomTrack = {
  /** Play the track in the element. Return a function that stops it. */
  attach(element: HTMLMediaElement): () => void
}

/** The camera or microphone could not be switched on. */
export type DeviceProblem = { device: 'microphone' | 'camera'; reason: RoomErrorReason }

export type ConnectionQuality = 'unknown' | 'lost' | 'poor' | 'good' | 'excellent'

/** A participant. The object is replaced when and only when a field changes. */
export type Participant = {
  /** The id of the participant's admission, by which the API identifies them. */
  id: string
  name: string
  role: RoomRole
  /**
   * The participant has no account: the name is what the guest entered, and proves nothing. This value comes from the
   * service, not from the participant's client.
   */
  isGuest: boolean
  isMe: boolean
  /** The microphone is off, or there is none. */
  muted: boolean
  /** Each is null while it has no audio or video. */
  microphone: RoomTrack | null
  camera: RoomTrack | null
  /** The media server does not send the camera, because the caller's bandwidth only suffices for audio. */
  isVideoPaused: boolean
  screen: RoomTrack | null
  isScreenPaused: boolean
  screenAudio: RoomTrack | null
  speaking: boolean
  quality: ConnectionQuality
  /** 1 for the hand raised first; null while it is down. */
  handPlace: number | null
}

/** A participant in another breakout room, of whom nothing is received. */
export type ParticipantElsewhere = Pick<Participant, 'id' | 'name' | 'isGuest'> & {
  /** Null for the main room. */
  breakoutRoom: string | null
}

export type ChatMessage = {
  /** Ascending, for the keys of a list. */
  id: number
  from: string
  /** The sender's name in the room. */
  name: string
  /** The sender has no account. */
  isGuest: boolean
  isMine: boolean
  /** Sent to one participant only, according to its sender. */
  isPrivate: boolean
  /** The recipient of a private message that the caller sent; null for other messages. */
  to: string | null
  text: string
  receivedOn: Date
}

/**
 * A message to everyone from before joining: what the participant `relayedBy` says that `claimedName` wrote. The media
 * server vouches for name and role of the participant who passed it on to this page, and for nothing in the message.
 */
export type RelayedMessage = {
  claimedName: string
  text: string
  /** RFC 3339, as claimed. */
  sentOn: string
  /** The participant who first passed the message on, if known. */
  relayedBy: string
}

/** `role` is that of the participant who passed them on to this page. */
export type EarlierMessages = { relayedBy: string; role: RoomRole; messages: readonly RelayedMessage[] }

/** Shown for a few seconds, then removed from the list. */
export type Reaction = { id: number; from: string; name: string; emoji: string }

/** A line that a participant says or types. The object is replaced when and only when the line changes. */
export type Caption = {
  /** Ascending, for the keys of a list. */
  id: number
  from: string
  /** The sender's name in the room. */
  name: string
  /** The sender has no account. */
  isGuest: boolean
  isMine: boolean
  text: string
  /** The line changes no more. */
  isFinal: boolean
  /** Typed, and not recognised from speech: it cannot be heard. */
  isTyped: boolean
  /** The language of recognised speech, a BCP 47 tag; null if unknown. */
  language: string | null
  changedOn: Date
}

export type CaptionsSnapshot = {
  /** By their beginnings; at most the last 500 since joining. */
  lines: readonly Caption[]
  /** Another participant reads captions. */
  wanted: boolean
}

/** Captions change several times in a second, and have a snapshot of their own for that reason. */
export type RoomCaptions = {
  snapshot(): CaptionsSnapshot
  subscribe(listener: () => void): () => void
  /**
   * Send the caller's line as it is now, at most `maxCaptionCharacters` characters; call it as often as the line
   * changes. `isFinal` ends it, and the next call begins another one. Resolves when it was sent.
   * @throws RoomError `not_inside`, `hard_muted`, `message_too_long`
   */
  write(text: string, line: { isFinal: boolean; isTyped: boolean; language?: string }): Promise<void>
  /** Tell the others that the caller reads captions, or no longer. */
  setWanted(on: boolean): void
}

/** The device that a host switched off, and when; a new object each time. */
export type StoppedByHost = { device: 'microphone' | 'camera' | 'screen'; on: Date }

/** Why the visit is over. To try again, call `join()` again. */
export type RoomEnd =
  | { reason: 'left' }
  /** A host removed the participant. Only a host can admit the participant again. */
  | { reason: 'removed' }
  /** The host ended the meeting for everyone. */
  | { reason: 'ended' }
  | { reason: 'cancelled' }
  /** The same person has joined in another window. */
  | { reason: 'elsewhere' }
  /**
   * The client was disconnected because it kept sending far more than the media server accepts from one participant.
   */
  | { reason: 'too_much_sent' }
  /** There was no connection for two minutes; `error` says why the last attempt failed, where it was to enter. */
  | { reason: 'lost'; error?: unknown }
  /** Entering was refused; `state` is the reason. `retryAfterSeconds` comes with `slow_down`. */
  | { reason: 'refused'; state: RoomState; retryAfterSeconds?: number }
  /** The API refused the request: invalid token, missing permission, or `base` leads to another server. */
  | { reason: 'failed'; problem: Problem }

/** The caller's own state. */
export type JoinStatus =
  /** `failing` comes once an attempt has failed: the address is wrong, or the service is not to be reached. */
  | { phase: 'requesting'; failing?: { attempts: number; error: unknown } }
  /** `opensAt` comes with `too_early`; `hostInside`, whether a host can see the request, with `waiting`. */
  | { phase: 'waiting'; state: 'waiting' | 'waiting_for_host' | 'too_early'; opensAt?: string; hostInside?: boolean }
  | { phase: 'connecting' }
  | { phase: 'inside' }
  /** The connection was lost and is being restored. */
  | { phase: 'reconnecting' }
  | { phase: 'over'; end: RoomEnd }

/** The state of the room at one moment. Unchanged parts keep their identity. */
export type RoomSnapshot = {
  status: JoinStatus
  /** Known once the PIN was accepted. */
  meeting: EntryMeeting | null
  /** For hosts: the meeting's PIN, to share. */
  pin: string | null
  /** Known once the PIN was accepted. */
  role: RoomRole | null
  me: Participant | null
  /** In the order of joining; while breakout rooms are open, only those in the same one. */
  others: readonly Participant[]
  /** Those in other breakout rooms. */
  elsewhere: readonly ParticipantElsewhere[]
  /** The breakout rooms that are open, and where the caller is; null while there are none. */
  breakout: BreakoutOfPerson | null
  /** The meeting or its date was cancelled during the call, which continues for the people in it until they leave. */
  cancelled: boolean
  /** The microphone cannot be switched on until a host allows it. */
  hardMuted: boolean
  /** What the caller may do. Without `microphone`, `hardMuted` is true. Hosts may do everything. */
  allowed: AllowedRights
  /** The tiles that hosts show large to everyone, in their order. The people may have left. */
  spotlight: Spotlight
  /** The end of the call as planned or extended, RFC 3339; null where it has none. The call goes on after it. */
  endsAt: string | null
  /** When a host last asked the caller to unmute. */
  unmuteAskedOn: string | null
  /** The last failure to switch on a device. */
  deviceProblem: DeviceProblem | null
  /** The device that a host switched off last; it can be switched on again. */
  stoppedByHost: StoppedByHost | null
  /** Whether the background is blurred; null while the camera is off or does not support it. */
  backgroundBlur: boolean | null
  /** The browser blocks audio until a click: call `startSound()` in its handler. */
  soundBlocked: boolean
  /** No media arrives, or the media server rates the caller's connection as poor and has paused nothing. */
  unstable: boolean
  /** Whether the cameras of others are received; see `setReceivesVideo`. */
  receivesVideo: boolean
  /** At most the last 500 since joining; while breakout rooms are open, those of the room in which the caller is. */
  messages: readonly ChatMessage[]
  /** Null when there are none, or no participant relays them. */
  earlierMessages: EarlierMessages | null
  reactions: readonly Reaction[]
  /**
   * The waiting people and the participants, for hosts; null for others, and for an app's token without
   * `meeting:update`.
   */
  hostView: RoomWatch | null
}

export type DeviceKind = 'microphone' | 'camera' | 'speaker'

/** A captured track as it is sent. */
export type ProcessedTrack = {
  /** The captured track itself where the device does the work. */
  track: MediaStreamTrack
  /** The captured track continues. */
  stop(): void | Promise<void>
}

/** What is done to the picture of a camera, or the sound of a microphone, before it is sent. */
export type TrackEffect = {
  /** Called for each captured track: the camera is captured anew when it is switched on. @throws when it cannot */
  process(track: MediaStreamTrack): Promise<ProcessedTrack>
}

export type EffectDevice = 'microphone' | 'camera'
export type ChosenEffects = Partial<Record<EffectDevice, TrackEffect>>

/** Hand over a live track of the device, if there is one; from then on the room publishes, restarts and stops it. */
export type TakeTrack = (device: EffectDevice) => MediaStreamTrack | undefined

/**
 * The host's actions. Each resolves when the service has done it. An app's token needs `meeting:join` and
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
  /** A message to all clients, which obey it only from a host. @throws RoomError `not_inside` */
  lowerHand(participantId: string): Promise<void>
  askUnmute(participantId: string): Promise<void>
  /** Mute a participant until `liftHardMute`. */
  hardMute(participantId: string): Promise<void>
  liftHardMute(participantId: string): Promise<void>
  /**
   * Allow or forbid a participant one thing, until the next decision for all. @throws ProblemError
   * `right_not_controllable` unless `hostView.controllable` lists the right
   */
  setAllowed(participantId: string, right: RoomRight, allowed: boolean): Promise<void>
  /** Allow or forbid everyone except hosts one thing, also participants who come later. @throws as `setAllowed` */
  setAllowedForAll(right: RoomRight, allowed: boolean): Promise<void>
  remove(participantId: string): Promise<void>
  /** Make a participant a cohost. Like `removeCohost`, only the host may do this. */
  makeCohost(participantId: string): Promise<void>
  /** Take back `makeCohost`. @throws ProblemError `cohost_of_meeting` for a cohost of the meeting itself */
  removeCohost(participantId: string): Promise<void>
  /** Make a participant a host, as before leaving. Like `makeCohost`, only the host may do this. */
  makeHost(participantId: string): Promise<void>
  /** Take back `makeHost`: only the account that hosts the meeting may do this. */
  removeHost(participantId: string): Promise<void>
  /** Show at most nine tiles of people inside large to everyone; none ends it. */
  setSpotlight(spotlight: Spotlight): Promise<void>
  /**
   * Move the end of this call, not of the meeting, by 15 or 30 minutes. `shortened` says that the next date of the
   * meeting left less. @throws ProblemError `call_end_final`, `call_without_end`
   */
  extend(minutes: 15 | 30): Promise<{ endsAt: string; shortened: boolean }>
  /** @throws ProblemError `breakout_rooms_not_supported` unless `hostView.breakoutSupported` */
  openBreakoutRooms(opening: BodyOf<typeof openBreakoutRooms>): Promise<void>
  /** Move people, write to everyone, change the end, or close the rooms. */
  updateBreakoutRooms(changed: BodyOf<typeof updateBreakoutRooms>): Promise<void>
  lock(): Promise<void>
  unlock(): Promise<void>
  /** Make new guests wait until a host admits them: a removed guest may return as another. */
  requireApproval(): Promise<void>
  stopRequiringApproval(): Promise<void>
  muteAll(): Promise<void>
  /** End the meeting for everyone. */
  end(): Promise<void>
}

/** A meeting that the caller has asked to enter. */
export type Room = {
  /** The same object until something changes. */
  snapshot(): RoomSnapshot
  /** Call the listener after each change. Return a function that stops. Suits React's useSyncExternalStore. */
  subscribe(listener: () => void): () => void
  /** @throws RoomError `hard_muted`, `not_inside`, or the device's error */
  setMicrophone(on: boolean): Promise<void>
  /** @throws RoomError `not_inside`, `camera_not_allowed`, or the device's error */
  setCamera(on: boolean): Promise<void>
  /**
   * With its audio, in stereo and unprocessed, where the browser supports it.
   * @throws RoomError `screen_not_allowed`; `cancelled` when the user chose no screen
   */
  shareScreen(on: boolean): Promise<void>
  /** @throws RoomError */
  switchDevice(kind: DeviceKind, deviceId: string): Promise<void>
  startSound(): Promise<void>
  /**
   * What the caller's microphone sends, also while it is muted, to measure its level; undefined until it was switched
   * on. Stop and change only copies of it.
   */
  microphoneTrack(): MediaStreamTrack | undefined
  /** Receive the cameras of others or not, which leaves more bandwidth for audio. */
  setReceivesVideo(on: boolean): void
  /**
   * Switch the blur of the background. No effect when the camera does not support blur (`backgroundBlur` is null).
   * @throws RoomError
   */
  setBackgroundBlur(on: boolean): Promise<void>
  /**
   * Process the camera's picture or the microphone's sound before it is sent; null to send it as it is. Of a camera that
   * is switched on later, nothing is sent without the effect: when it fails, the camera stays off.
   * @throws RoomError `effect_failed`: what was sent before goes on
   */
  setEffect(device: EffectDevice, effect: TrackEffect | null): Promise<void>
  /**
   * Send at most `maxChatCharacters` characters to everyone, or to one participant (`id`).
   * @throws RoomError `not_inside`, `chat_not_allowed`, `message_too_long`, `message_empty`, `participant_gone`
   */
  sendChat(text: string, to?: string): Promise<void>
  /**
   * Change the user's own name in this call, as others see it; the profile of an account keeps its name.
   * @throws RoomError `not_inside`; ProblemError
   */
  rename(name: string): Promise<void>
  raiseHand(up: boolean): Promise<void>
  /**
   * Go to a breakout room, or to the main room (null): hosts to any, participants back to their own or, where
   * `breakout.choice`, to any. @throws RoomError `not_inside`; ProblemError
   */
  goToBreakoutRoom(id: string | null): Promise<void>
  /** Ask the hosts for help in the breakout room, or no longer. @throws as `goToBreakoutRoom` */
  askForHelp(on: boolean): Promise<void>
  /** One of `reactionEmoji`. @throws RoomError `reactions_not_allowed` */
  react(emoji: string): Promise<void>
  /** Leave the meeting, or stop waiting for admission. */
  leave(): Promise<void>
  captions: RoomCaptions
  host: HostActions
}
