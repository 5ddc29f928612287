import { breakoutAttribute, dataTopics, type RoomMedia, topicsAttribute } from '@parley/contract'
import {
  ConnectionQuality,
  ConnectionState,
  type DisconnectReason,
  type Participant as LivekitParticipant,
  Room as LivekitRoom,
  type LocalTrack,
  type RemoteParticipant,
  type RemoteTrackPublication,
  RoomEvent,
  Track,
} from 'livekit-client'
import { now, random } from '../clock-and-random.ts'
import { pause } from '../pause.ts'
import type { CameraBlur } from './camera-blur.ts'
import type { CallCaptions } from './captions.ts'
import type { ChatHistory } from './chat-history.ts'
import { countPackets, watchLine } from './line-watch.ts'
import { type RoomMessage, readMessage, topicOf, writeMessage } from './message.ts'
import { hasMatchingKind, identityIn, maySpeak, viewParticipant } from './participant-view.ts'
import { keepPlaces } from './places.ts'
import type {
  ChosenDevices,
  Participant,
  ParticipantElsewhere,
  RoomSnapshot,
  RoomTrack,
  StoppedByHost,
} from './room.ts'
import { isSame, type Store } from './store.ts'
import type { Talk } from './talk.ts'

export type RoomConnection = {
  livekit: LivekitRoom
  /** The local tracks when the connection was lost, still running, for the next connection to publish. */
  preservedTracks(): readonly LocalTrack[]
  /** Resolves when LiveKit's client has given the connection up. */
  ended: Promise<DisconnectReason | undefined>
  sendMessage(message: RoomMessage, to?: string): Promise<void>
  /** Update the snapshot. */
  refresh(): void
  /** Show the caller's own devices as they are, after those of the last connection were published again. */
  finishRestoring(): void
}

/** After the connection of everyone was lost, so long the others may take to come back before they count as gone. */
const returnMs = 8000

const handAgainMs = 3000

/** Longer than for a hand: many people may read captions, and all others are told. */
const captionsAgainMs = 30_000

const stoppedDevices: Partial<Record<Track.Source, StoppedByHost['device']>> = {
  [Track.Source.Microphone]: 'microphone',
  [Track.Source.Camera]: 'camera',
  [Track.Source.ScreenShare]: 'screen',
}

/** Every event that changes the snapshot. */
const shownEvents = [
  RoomEvent.ParticipantConnected,
  RoomEvent.ParticipantDisconnected,
  RoomEvent.ParticipantNameChanged,
  RoomEvent.ParticipantMetadataChanged,
  RoomEvent.ParticipantPermissionsChanged,
  RoomEvent.ParticipantAttributesChanged,
  RoomEvent.TrackPublished,
  RoomEvent.TrackUnpublished,
  RoomEvent.TrackSubscribed,
  RoomEvent.TrackUnsubscribed,
  RoomEvent.TrackMuted,
  RoomEvent.TrackUnmuted,
  RoomEvent.LocalTrackPublished,
  RoomEvent.LocalTrackUnpublished,
  RoomEvent.ActiveSpeakersChanged,
  RoomEvent.ConnectionQualityChanged,
  RoomEvent.TrackStreamStateChanged,
  RoomEvent.AudioPlaybackStatusChanged,
] as const

type Dependencies = {
  store: Store<RoomSnapshot>
  talk: Talk
  history: ChatHistory
  captions: CallCaptions
  devices: ChosenDevices
  blur: CameraBlur
}

/**
 * Connect to the media server and update the store until the connection ends.
 * @throws what livekit-client throws when there is no connection
 */
export async function connectToRoom(
  { url, token, iceServers }: RoomMedia,
  { store, talk, history, captions, devices, blur }: Dependencies,
  isBack: boolean,
): Promise<RoomConnection> {
  const livekit = new LivekitRoom({
    adaptiveStream: true,
    dynacast: true,
    reconnectPolicy: { nextRetryDelayInMs: ({ retryCount }) => retryDelayMs(retryCount) },
    audioCaptureDefaults: captureOptions(devices.microphoneId),
    videoCaptureDefaults: captureOptions(devices.cameraId),
    audioOutput: captureOptions(devices.speakerId),
  })
  const viewTrack = createTrackViews()
  let connected = false
  /** No media arrives although it did. */
  let isSilent = false
  /** Until the tracks are published again, the caller's devices are shown as they were. */
  let isRestoring = isBack
  const expected = new Set(isBack ? store.snapshot().others.map(({ id }) => id) : [])
  let preservedTracks: readonly LocalTrack[] = []

  const view = (participant: LivekitParticipant, before: Participant | null | undefined): Participant => {
    const position = talk.hands().indexOf(participant.identity) + 1
    const current = viewParticipant(
      participant,
      position === 0 ? null : position,
      viewTrack,
      store.snapshot().receivesVideo,
    )
    return before && isSame(before, current) ? before : current
  }

  /** The others in the caller's breakout room, or in the main room with the caller. */
  const together = () => {
    const room = breakoutRoomOf(livekit.localParticipant)
    return [...livekit.remoteParticipants.values()].filter((one) => breakoutRoomOf(one) === room)
  }

  function refresh() {
    if (!connected || livekit.state === ConnectionState.Disconnected) return
    const { me, others, status, elsewhere } = store.snapshot()
    const current = together()
      .toSorted(byArrival)
      .map((participant) =>
        view(
          participant,
          others.find(({ id }) => id === participant.identity),
        ),
      )
    for (const { id } of current) expected.delete(id)
    const placed = keepPlaces(others, current, expected)
    // While reconnecting, people and devices are shown as they were.
    const keeps = status.phase === 'reconnecting'
    const isWeak = [ConnectionQuality.Poor, ConnectionQuality.Lost].includes(livekit.localParticipant.connectionQuality)
    const changed = !keeps && (placed.length !== others.length || placed.some((one, at) => one !== others[at]))
    store.change({
      ...(!keeps && !isRestoring && { me: view(livekit.localParticipant, me) }),
      ...(changed && { others: placed }),
      ...(!keeps && { elsewhere: viewElsewhere(livekit, elsewhere) }),
      soundBlocked: !livekit.canPlaybackAudio,
      // A paused video says already what the rating is about.
      unstable:
        isSilent || (isWeak && !current.some(({ isVideoPaused, isScreenPaused }) => isVideoPaused || isScreenPaused)),
      backgroundBlur: blur.refresh(livekit.localParticipant, refresh),
    })
  }

  /** The others who may write in the chat, by arrival. The service has written their roles. */
  const present = () =>
    together()
      .filter(maySendChat)
      .toSorted(byArrival)
      .map(({ identity, name = '', metadata }) => ({ id: identity, name, role: identityIn(metadata).role }))

  async function sendMessage(message: RoomMessage, to?: string) {
    await livekit.localParticipant.publishData(writeMessage(message), {
      reliable: true,
      topic: topicOf(message),
      ...(to !== undefined && { destinationIdentities: [to] }),
    })
  }

  const raiseHandAgain = (to?: string) => {
    if (talk.hands().includes(livekit.localParticipant.identity))
      void sendMessage({ kind: 'hand', up: true }, to).catch(() => {})
  }

  const repeatState = (to?: string) => {
    raiseHandAgain(to)
    captions.repeatWanted((message) => sendMessage(message, to))
  }

  const over = new AbortController()
  const requestHistory = () => void history.request(present, sendMessage, over.signal)
  /** A hand is raised, and the chat written, for the people of one room. */
  function enterBreakoutRoom() {
    if (!history.enter(breakoutRoomOf(livekit.localParticipant))) return
    talk.lowerHands()
    requestHistory()
  }

  const removeLeftCaptions = () => captions.removeAllBut(new Set([livekit.localParticipant.identity, ...remoteIds()]))
  const remoteIds = () => together().map(({ identity }) => identity)

  function handleConnectionLoss() {
    store.change({ status: { phase: 'reconnecting' } })
    // Keep the screen track, so that the user does not have to choose a screen again.
    livekit.options.stopLocalTrackOnUnpublish = false
    preservedTracks = tracksOf(livekit)
  }

  for (const event of shownEvents) livekit.on(event, refresh)
  livekit.on(RoomEvent.DataReceived, (bytes, participant, _kind, topic) => {
    const message = readMessage(bytes, topic)
    if (message === undefined || participant === undefined) return
    const { identity, name = '', metadata } = participant
    if (message.kind === 'ask_history') return void history.answer(identity, sendMessage).catch(() => {})
    const sender = { id: identity, name, ...identityIn(metadata) }
    if (message.kind === 'caption' || message.kind === 'captions_wanted') {
      // The embedded engine drops captions of those who may not speak; LiveKit does not.
      if (message.kind === 'captions_wanted' || maySpeak(participant))
        captions.receive({ ...sender, isMe: false }, message)
      return
    }
    if (message.kind === 'history') return history.receive(sender, message, present())
    talk.receive({ ...sender, isMe: false }, message)
    refresh()
  })
  livekit.engine.on('remoteMute', (sid, muted) => {
    const source = livekit.localParticipant.trackPublications.get(sid)?.source
    const device = source === undefined ? undefined : stoppedDevices[source]
    if (!muted || device === undefined) return
    store.change({ stoppedByHost: { device, on: now() } })
    // Stop capturing a screen that is no longer shown.
    if (device === 'screen') void livekit.localParticipant.setScreenShareEnabled(false).then(refresh, refresh)
  })
  livekit.on(RoomEvent.TrackSubscribed, (_track, publication) => {
    if (!hasMatchingKind(publication)) publication.setSubscribed(false)
    else if (!store.snapshot().receivesVideo) receiveVideo(publication, false)
  })
  livekit.on(RoomEvent.ParticipantDisconnected, ({ identity }) => {
    talk.removeParticipant(identity)
    removeLeftCaptions()
    expected.delete(identity)
    refresh()
  })
  livekit.on(RoomEvent.ParticipantAttributesChanged, (changed, participant) => {
    if (changed[breakoutAttribute] === undefined) return
    const { identity, isLocal } = participant
    if (isLocal) enterBreakoutRoom()
    else if (breakoutRoomOf(participant) === breakoutRoomOf(livekit.localParticipant)) repeatState(identity)
    else talk.removeParticipant(identity)
    removeLeftCaptions()
    expected.delete(identity)
    refresh()
  })
  // A participant who joins later, or had lost us, does not know of what was said before.
  livekit.on(RoomEvent.ParticipantActive, ({ identity }) => repeatState(identity))
  livekit.on(RoomEvent.Reconnected, () => repeatState())
  livekit.on(RoomEvent.SignalReconnecting, () => handleConnectionLoss())
  livekit.on(RoomEvent.Reconnecting, () => {
    handleConnectionLoss()
    // A connection that cannot be resumed is replaced by entering again, with a new token and a new check of the
    // admission.
    void livekit.disconnect(false)
  })
  livekit.on(RoomEvent.Reconnected, () => {
    livekit.options.stopLocalTrackOnUnpublish = true
    preservedTracks = []
    store.change({ status: { phase: 'inside' } })
    refresh()
  })
  const ended = new Promise<DisconnectReason | undefined>((resolve) => livekit.once(RoomEvent.Disconnected, resolve))

  await livekit.connect(url, token, iceServers.length === 0 ? {} : { rtcConfig: { iceServers } })
  connected = true
  // Forget raised hands of participants who left while we were disconnected.
  for (const id of talk.hands()) {
    if (id !== livekit.localParticipant.identity && !livekit.remoteParticipants.has(id)) talk.removeParticipant(id)
  }
  removeLeftCaptions()
  repeatState()
  void ended.then(() => over.abort())
  enterBreakoutRoom()
  requestHistory()
  // A message sent while a participant reconnects may be lost.
  const reminders = [
    setInterval(() => raiseHandAgain(), handAgainMs),
    setInterval(() => captions.repeatWanted((message) => sendMessage(message)), captionsAgainMs),
  ]
  void ended.then(() => {
    for (const reminder of reminders) clearInterval(reminder)
  })
  const { pcManager } = livekit.engine
  const connections = [pcManager?.publisher, pcManager?.subscriber].filter((one) => one !== undefined)
  const reportSilence = (silent: boolean) => {
    isSilent = silent && together().some(sendsMedia)
    refresh()
  }
  watchLine(
    () => countPackets(connections),
    reportSilence,
    () => now().getTime(),
    over.signal,
  )
  if (expected.size > 0) {
    void pause(returnMs, over.signal).then(() => {
      expected.clear()
      refresh()
    })
  }
  refresh()
  const finishRestoring = () => {
    isRestoring = false
    refresh()
  }
  return { livekit, preservedTracks: () => preservedTracks, ended, sendMessage, refresh, finishRestoring }
}

/** Whether media of a participant should arrive: where everyone is muted, silence says nothing about the connection. */
const sendsMedia = ({ trackPublications }: RemoteParticipant): boolean =>
  [...trackPublications.values()].some(({ isSubscribed, isMuted, isEnabled, track }) => {
    return isSubscribed && !isMuted && isEnabled && track?.streamState !== Track.StreamState.Paused
  })

/** Ask the media server to send a camera or not. Shared screens are always received. */
export function receiveVideo(publication: RemoteTrackPublication, on: boolean): void {
  if (publication.source === Track.Source.Camera && publication.isSubscribed) publication.setEnabled(on)
}

const tracksOf = ({ localParticipant }: LivekitRoom): LocalTrack[] =>
  [...localParticipant.trackPublications.values()].flatMap(({ track }) => track ?? [])

/** Empty for the main room. The service sets it, and the embedded media engine keeps the rooms apart. */
const breakoutRoomOf = ({ attributes }: LivekitParticipant): string => attributes[breakoutAttribute] ?? ''

/** The people in other breakout rooms; the list as it was if nothing has changed. */
function viewElsewhere(
  { localParticipant, remoteParticipants }: LivekitRoom,
  before: readonly ParticipantElsewhere[],
): readonly ParticipantElsewhere[] {
  const room = breakoutRoomOf(localParticipant)
  const current = [...remoteParticipants.values()]
    .filter((one) => breakoutRoomOf(one) !== room)
    .toSorted(byArrival)
    .map((one) => {
      const { isGuest } = identityIn(one.metadata)
      return { id: one.identity, name: one.name ?? '', isGuest, breakoutRoom: breakoutRoomOf(one) || null }
    })
  return JSON.stringify(current) === JSON.stringify(before) ? before : current
}

const byArrival = (one: LivekitParticipant, other: LivekitParticipant) =>
  (one.joinedAt?.getTime() ?? 0) - (other.joinedAt?.getTime() ?? 0)

/** The media server drops the chat of others, also what they relay of it. */
const maySendChat = ({ attributes }: LivekitParticipant) => {
  const topics = attributes[topicsAttribute]
  return topics === undefined || topics.split(' ').includes(dataTopics.chat)
}

const captureOptions = (deviceId: string | undefined) => (deviceId === undefined ? {} : { deviceId })

/**
 * About ten seconds in all; after that the client enters again for a new token. The second attempt is early, for a
 * media server that was restarted and has rejected the first because it does not know the participant.
 */
const delaysMs = [0, 100, 600, 1000, 1500, 2000, 3000] as const

/** The delay of LiveKit's own attempts to resume a connection; null to give up. */
function retryDelayMs(attempts: number): number | null {
  const delayMs = delaysMs[attempts]
  return delayMs === undefined ? null : delayMs * (0.75 + random() / 2) + random() * 100
}

/** Return the same view for the same track, so that a list attaches it once. */
function createTrackViews(): (track: Track) => RoomTrack {
  const views = new WeakMap<Track, RoomTrack>()
  return (track) => {
    const known = views.get(track)
    if (known !== undefined) return known
    const view: RoomTrack = {
      attach(element) {
        track.attach(element)
        return () => void track.detach(element)
      },
    }
    views.set(track, view)
    return view
  }
}
