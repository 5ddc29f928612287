import type { RoomMedia } from '@parley/contract'
import {
  ConnectionState,
  type DisconnectReason,
  type Participant as LivekitParticipant,
  Room as LivekitRoom,
  type LocalTrack,
  RoomEvent,
  Track,
} from 'livekit-client'
import { now } from '../clock-and-random.ts'
import type { CameraBlur } from './camera-blur.ts'
import type { ChatHistory } from './chat-history.ts'
import { messageTopic, type RoomMessage, readMessage, writeMessage } from './message.ts'
import { isWhatItSays, roleIn, viewParticipant } from './participant-view.ts'
import { retryDelayMs } from './retry-delay.ts'
import type { Participant, RoomSnapshot, StoppedByHost } from './room.ts'
import { isSame, type Store } from './store.ts'
import type { Talk } from './talk.ts'
import { createTrackViews } from './track-view.ts'

export type ChosenDevices = { microphoneId?: string; cameraId?: string; speakerId?: string }

export type Inside = {
  livekit: LivekitRoom
  /** What oneself was sending when the connection was lost, still running: for the next one to send. */
  carried(): readonly LocalTrack[]
  /** Settled when the connection has ended for good, as far as LiveKit's client is concerned. */
  ended: Promise<DisconnectReason | undefined>
  say(message: RoomMessage, to?: string): Promise<void>
  /** Looks at everything again. */
  refresh(): void
}

const handAgainMs = 3000

const stoppedDevices: Partial<Record<Track.Source, StoppedByHost['device']>> = {
  [Track.Source.Microphone]: 'microphone',
  [Track.Source.Camera]: 'camera',
  [Track.Source.ScreenShare]: 'screen',
}

/** Whatever changes what a snapshot shows. */
const shownEvents = [
  RoomEvent.ParticipantConnected,
  RoomEvent.ParticipantDisconnected,
  RoomEvent.ParticipantNameChanged,
  RoomEvent.ParticipantMetadataChanged,
  RoomEvent.ParticipantPermissionsChanged,
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
  RoomEvent.AudioPlaybackStatusChanged,
] as const

type Dependencies = {
  store: Store<RoomSnapshot>
  talk: Talk
  history: ChatHistory
  devices: ChosenDevices
  blur: CameraBlur
}

/**
 * Connects to the media server and shows in the store what happens there, until it ends.
 * @throws what livekit-client throws when there is no connection
 */
export async function goInside(
  { url, token, iceServers }: RoomMedia,
  { store, talk, history, devices, blur }: Dependencies,
): Promise<Inside> {
  const livekit = new LivekitRoom({
    adaptiveStream: true,
    dynacast: true,
    reconnectPolicy: { nextRetryDelayInMs: ({ retryCount }) => retryDelayMs(retryCount) },
    audioCaptureDefaults: chosen(devices.microphoneId),
    videoCaptureDefaults: chosen(devices.cameraId),
    audioOutput: chosen(devices.speakerId),
  })
  const viewTrack = createTrackViews()
  let connected = false
  let carried: readonly LocalTrack[] = []

  const view = (participant: LivekitParticipant, before: Participant | null | undefined): Participant => {
    const place = talk.hands().indexOf(participant.identity) + 1
    const seen = viewParticipant(participant, place === 0 ? null : place, viewTrack)
    return before && isSame(before, seen) ? before : seen
  }

  function refresh() {
    if (!connected || livekit.state === ConnectionState.Disconnected) return
    const { me, others, standing } = store.snapshot()
    const seen = [...livekit.remoteParticipants.values()].toSorted(byArrival).map((participant) =>
      view(
        participant,
        others.find(({ id }) => id === participant.identity),
      ),
    )
    // Who was there when the connection was lost stays in the picture until there is another one.
    const keeps = standing.phase === 'reconnecting'
    const changed = !keeps && (seen.length !== others.length || seen.some((one, at) => one !== others[at]))
    store.change({
      me: view(livekit.localParticipant, me),
      ...(changed && { others: seen }),
      soundBlocked: !livekit.canPlaybackAudio,
      backgroundBlur: blur.look(livekit.localParticipant, refresh),
    })
  }

  async function say(message: RoomMessage, to?: string) {
    await livekit.localParticipant.publishData(writeMessage(message), {
      reliable: true,
      topic: messageTopic,
      ...(to !== undefined && { destinationIdentities: [to] }),
    })
  }

  const raiseHandAgain = (to?: string) => {
    if (talk.hands().includes(livekit.localParticipant.identity))
      void say({ kind: 'hand', up: true }, to).catch(() => {})
  }

  function loseConnection() {
    store.change({ standing: { phase: 'reconnecting' } })
    // Nobody has to choose their screen again.
    livekit.options.stopLocalTrackOnUnpublish = false
    carried = tracksOf(livekit)
  }

  for (const event of shownEvents) livekit.on(event, refresh)
  livekit.on(RoomEvent.DataReceived, (bytes, participant, _kind, topic) => {
    const message = readMessage(bytes, topic)
    if (message === undefined || participant === undefined) return
    const { identity, name = '', metadata } = participant
    if (message.kind === 'ask_history') return void history.answer(identity, say).catch(() => {})
    if (message.kind === 'history') return history.receive({ id: identity, name }, message)
    talk.hear({ id: identity, name, isMe: false, role: roleIn(metadata) }, message)
    refresh()
  })
  livekit.engine.on('remoteMute', (sid, muted) => {
    const source = livekit.localParticipant.trackPublications.get(sid)?.source
    const device = source === undefined ? undefined : stoppedDevices[source]
    if (!muted || device === undefined) return
    store.change({ stoppedByHost: { device, on: now() } })
    // A screen that nobody sees any more is captured no longer.
    if (device === 'screen') void livekit.localParticipant.setScreenShareEnabled(false).then(refresh, refresh)
  })
  livekit.on(RoomEvent.TrackSubscribed, (_track, publication) => {
    if (!isWhatItSays(publication)) publication.setSubscribed(false)
  })
  livekit.on(RoomEvent.ParticipantDisconnected, ({ identity }) => {
    talk.forget(identity)
    refresh()
  })
  // Who comes later, and whoever took us for gone, does not know of a hand that was raised before.
  livekit.on(RoomEvent.ParticipantActive, ({ identity }) => raiseHandAgain(identity))
  livekit.on(RoomEvent.Reconnected, () => raiseHandAgain())
  livekit.on(RoomEvent.SignalReconnecting, () => loseConnection())
  livekit.on(RoomEvent.Reconnecting, () => {
    loseConnection()
    // What cannot be resumed is made anew by entering again, with a new token and asked whether one still may.
    void livekit.disconnect(false)
  })
  livekit.on(RoomEvent.Reconnected, () => {
    livekit.options.stopLocalTrackOnUnpublish = true
    carried = []
    store.change({ standing: { phase: 'inside' } })
    refresh()
  })
  const ended = new Promise<DisconnectReason | undefined>((resolve) => livekit.once(RoomEvent.Disconnected, resolve))

  await livekit.connect(url, token, iceServers.length === 0 ? {} : { rtcConfig: { iceServers } })
  connected = true
  // Who has gone while we were away was not seen going.
  for (const id of talk.hands()) {
    if (id !== livekit.localParticipant.identity && !livekit.remoteParticipants.has(id)) talk.forget(id)
  }
  raiseHandAgain()
  const over = new AbortController()
  void ended.then(() => over.abort())
  const [longestPresent] = [...livekit.remoteParticipants.values()].toSorted(byArrival)
  const oldest = longestPresent && { id: longestPresent.identity, name: longestPresent.name ?? '' }
  void history.request(oldest, say, over.signal)
  // What is sent while somebody comes back may be lost.
  const reminder = setInterval(() => raiseHandAgain(), handAgainMs)
  void ended.then(() => clearInterval(reminder))
  refresh()
  return { livekit, carried: () => carried, ended, say, refresh }
}

const tracksOf = ({ localParticipant }: LivekitRoom): LocalTrack[] =>
  [...localParticipant.trackPublications.values()].flatMap(({ track }) => track ?? [])

const byArrival = (one: LivekitParticipant, other: LivekitParticipant) =>
  (one.joinedAt?.getTime() ?? 0) - (other.joinedAt?.getTime() ?? 0)

const chosen = (deviceId: string | undefined) => (deviceId === undefined ? {} : { deviceId })
