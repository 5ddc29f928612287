import {
  allRights,
  changeOwnBreakoutRoom,
  type Entering,
  enterRoom,
  type RoomMedia,
  type RoomRight,
  renameAdmission,
} from '@parley/contract'
import { type LocalTrack, LogLevel, setLogLevel, Track } from 'livekit-client'
import { connect } from '../connect.ts'
import { pause } from '../pause.ts'
import type { ConnectOptions } from '../send.ts'
import { attend } from './attend.ts'
import { createCameraBlur } from './camera-blur.ts'
import { createCaptions } from './captions.ts'
import { createChatHistory } from './chat-history.ts'
import { createDevices, publishOptionsOf } from './devices.ts'
import { createHostActions } from './host-actions.ts'
import { connectToRoom, type RoomConnection } from './inside.ts'
import { isReaction, maxChatCharacters } from './message.ts'
import { identityIn } from './participant-view.ts'
import type { ChosenDevices, ChosenEffects, Participant, Room, RoomSnapshot, TakeTrack } from './room.ts'
import { RoomError } from './room-error.ts'
import { createSnapshotStore } from './store.ts'
import { createTalk } from './talk.ts'
import { createTrackEffects } from './track-effects.ts'

export { InvalidBase } from '../send.ts'
export { maxCaptionCharacters, maxChatCharacters, reactionEmoji } from './message.ts'
export type * from './room.ts'
export { RoomError, type RoomErrorReason } from './room-error.ts'

export type JoinOptions = ChosenDevices & {
  /** The service's address, such as `https://meet.example.org`; empty in our own pages. */
  base: string
  svcMeetId: string
  pin?: string
  /** The `roomKey` or the `vpin`, in place of the PIN: grants the host role. */
  hostKey?: string
  /** A guest's displayed name. */
  name?: string
  /**
   * An app's token with `meeting:join`, whose user joins. `host` and `hostView` need `meeting:update` as well. A function
   * is called before each request, because a meeting may outlive a token. Without it, the browser's cookie is used,
   * which only our own pages have.
   */
  accessToken?: ConnectOptions['token']
  /** Ask the host again after being declined or removed. */
  askAgain?: boolean
  /** The initial state of the devices. The meeting's options may keep them off, and are the default. */
  microphone?: boolean
  camera?: boolean
  /**
   * Called when the room switches a device on: a live track of yours, such as that of a preview, which the room then
   * publishes and stops in the end. Without one, the room opens the device.
   */
  takeTrack?: TakeTrack
  /** Applies where the camera supports it; no model is downloaded. */
  backgroundBlur?: boolean
  /** What is done to picture and sound before they are sent; `setEffect` of the room changes it. */
  effects?: ChosenEffects
  fetch?: typeof globalThis.fetch
  /** Leaves the meeting when aborted. */
  signal?: AbortSignal
}

const republishAfterMs = 1000

const initialSnapshot: RoomSnapshot = {
  status: { phase: 'requesting' },
  meeting: null,
  pin: null,
  role: null,
  me: null,
  others: [],
  elsewhere: [],
  breakout: null,
  cancelled: false,
  hardMuted: false,
  allowed: allRights,
  spotlight: [],
  endsAt: null,
  unmuteAskedOn: null,
  deviceProblem: null,
  stoppedByHost: null,
  soundBlocked: false,
  unstable: false,
  receivesVideo: true,
  backgroundBlur: null,
  messages: [],
  earlierMessages: null,
  reactions: [],
  hostView: null,
}

/**
 * Enter a meeting: wait where necessary, then connect. Return at once; the snapshot shows the progress. A lost
 * connection is restored automatically until `status` is `over`.
 * @throws InvalidBase
 */
export function join(options: JoinOptions): Room {
  const { base, svcMeetId, pin, hostKey, askAgain, accessToken, fetch, signal } = options
  let { name } = options
  // LiveKit's log would contain addresses with tokens.
  setLogLevel(LogLevel.silent)
  const connection = { base, ...(accessToken && { token: accessToken }), ...(fetch && { fetch }) }
  const client = connect(connection)
  const store = createSnapshotStore(initialSnapshot)
  const talk = createTalk(store)
  const history = createChatHistory(store)
  const leaving = new AbortController()
  let inside: RoomConnection | undefined
  let preservedTracks: readonly LocalTrack[] = []

  const requireInside = () => {
    if (inside === undefined) throw new RoomError('not_inside')
    return inside
  }
  /** The media server drops what is not allowed; this gives the reason. */
  const requireAllowed = (right: Exclude<RoomRight, 'microphone'>) => {
    if (!store.snapshot().allowed[right]) throw new RoomError(`${right}_not_allowed`)
  }
  const blur = createCameraBlur(options.backgroundBlur ?? false)
  const effects = createTrackEffects(options.effects ?? {})
  const devices = createDevices({
    store,
    blur,
    effects,
    takeTrack: (device) => options.takeTrack?.(device),
    inside: requireInside,
    requireAllowed,
  })

  /** Start the devices. Failures do not prevent joining; the snapshot shows them. */
  async function startDevices({ devices: allowed }: Entering) {
    const { microphone = true, camera = true } = options
    const speaks = microphone && (allowed?.microphone ?? true) && !store.snapshot().hardMuted
    await Promise.allSettled([
      ...(speaks ? [devices.setMicrophone(true)] : []),
      ...(camera && (allowed?.camera ?? true) && store.snapshot().allowed.camera ? [devices.setCamera(true)] : []),
    ])
  }

  /** Publish the tracks one after the other, each with one retry: a new connection may not accept them yet. */
  async function republish(connection: RoomConnection, tracks: readonly LocalTrack[]) {
    const { livekit, ended, finishRestoring } = connection
    const lost = new AbortController()
    void ended.then(() => lost.abort())
    for (const track of tracks.filter(({ mediaStreamTrack }) => mediaStreamTrack.readyState === 'live')) {
      const send = () => livekit.localParticipant.publishTrack(track, publishOptionsOf(track))
      await send()
        .catch(() => pause(republishAfterMs, lost.signal).then(send))
        .catch(() => track.stop())
    }
    finishRestoring()
    // The connection that was lost has taken the microphone's effect with it.
    await effects.restore(livekit.localParticipant).catch(() => {})
  }

  function dropPreservedTracks() {
    for (const track of preservedTracks) track.stop()
    preservedTracks = []
  }

  /** The caller, as the media server names them. @throws RoomError `not_inside` */
  const me = () => {
    const { identity: id, name: myName = '', metadata } = requireInside().livekit.localParticipant
    return { id, name: myName, isMe: true, ...identityIn(metadata) }
  }

  async function sendMessage(message: Parameters<typeof talk.receive>[1], to?: Participant) {
    const { sendMessage: send, refresh } = requireInside()
    await send(message, to?.id)
    talk.receive(me(), message, to?.name)
    refresh()
  }

  async function changeBreakoutRoom(body: { room: string | null } | { help: boolean }) {
    const admissionId = requireInside().livekit.localParticipant.identity
    await client.call(changeOwnBreakoutRoom, { params: { svcMeetId, admissionId }, body })
  }

  const captions = createCaptions({
    me,
    sendMessage: async (message) => requireInside().sendMessage(message),
    requireSpeech() {
      if (store.snapshot().hardMuted) throw new RoomError('hard_muted')
    },
  })

  const participation = {
    store,
    connection,
    svcMeetId,
    leaving: leaving.signal,
    enter: () =>
      client.call(enterRoom, {
        params: { svcMeetId },
        body: {
          ...(pin && { pin }),
          ...(hostKey && { hostKey }),
          ...(name && { name }),
          ...(askAgain && { askAgain }),
        },
      }),
    async connect({ media }: { media: RoomMedia }, entering: Entering) {
      const isBack = store.snapshot().me !== null
      const connected = await connectToRoom(media, { store, talk, history, captions, devices: options, blur }, isBack)
      inside = connected
      const restored = preservedTracks
      void (isBack ? republish(connected, preservedTracks) : startDevices(entering))
      preservedTracks = []
      void connected.ended.then(() => {
        // A connection that is lost again may not have published all of them yet. Those that were switched off have ended.
        preservedTracks = [...new Set([...connected.preservedTracks(), ...restored])]
        inside = undefined
      })
      return connected
    },
    onWaiting() {
      dropPreservedTracks()
      store.change({ me: null, others: [], elsewhere: [], breakout: null })
    },
  }

  if (signal?.aborted) leaving.abort()
  signal?.addEventListener('abort', () => leaving.abort())
  const over = attend(participation).then((end) => {
    dropPreservedTracks()
    store.change({
      status: { phase: 'over', end },
      me: null,
      others: [],
      elsewhere: [],
      breakout: null,
      hostView: null,
    })
  })

  return {
    snapshot: store.snapshot,
    subscribe: store.subscribe,
    ...devices,
    microphoneTrack: () =>
      inside?.livekit.localParticipant.getTrackPublication(Track.Source.Microphone)?.track?.mediaStreamTrack,
    async sendChat(text, to) {
      if (text.trim() === '') throw new RoomError('message_empty')
      if (text.length > maxChatCharacters) throw new RoomError('message_too_long')
      requireAllowed('chat')
      if (to === undefined) return sendMessage({ kind: 'chat', text })
      const recipient = store.snapshot().others.find(({ id }) => id === to)
      // A private message is never sent to everyone instead.
      if (recipient === undefined) throw new RoomError('participant_gone')
      await sendMessage({ kind: 'chat', text, isPrivate: true }, recipient)
    },
    async rename(wanted) {
      const admissionId = requireInside().livekit.localParticipant.identity
      const { name: changed } = await client.call(renameAdmission, {
        params: { svcMeetId, admissionId },
        body: { name: wanted },
      })
      // Sent again after a lost connection.
      if (name !== undefined) name = changed
    },
    goToBreakoutRoom: (id) => changeBreakoutRoom({ room: id }),
    askForHelp: (help) => changeBreakoutRoom({ help }),
    raiseHand: (up) => sendMessage({ kind: 'hand', up }),
    async react(emoji) {
      if (!isReaction(emoji)) throw new RoomError('unknown_reaction')
      requireAllowed('reactions')
      await sendMessage({ kind: 'reaction', emoji })
    },
    async leave() {
      leaving.abort()
      await over
    },
    captions,
    host: createHostActions({ client, svcMeetId, sendMessage }),
  }
}
