import { type Entering, enterRoom, type RoomMedia } from '@parley/contract'
import { type LocalTrack, LogLevel, setLogLevel } from 'livekit-client'
import { connect } from '../index.ts'
import { pause } from '../pause.ts'
import type { ConnectOptions } from '../send.ts'
import { attend } from './attend.ts'
import { createCameraBlur } from './camera-blur.ts'
import { createChatHistory } from './chat-history.ts'
import { createDevices } from './devices.ts'
import { createHostActions } from './host-actions.ts'
import { type ChosenDevices, goInside, type Inside } from './inside.ts'
import { isReaction, maxChatCharacters } from './message.ts'
import { roleIn } from './participant-view.ts'
import type { Participant, Room, RoomSnapshot } from './room.ts'
import { RoomError } from './room-error.ts'
import { createStore } from './store.ts'
import { createTalk } from './talk.ts'

export { maxChatCharacters, reactionEmoji } from './message.ts'
export type * from './room.ts'
export { RoomError, type RoomErrorReason } from './room-error.ts'

export type JoinOptions = ChosenDevices & {
  /** The service's address, without a slash at the end; empty in our own pages. */
  base: string
  svcMeetId: string
  pin?: string
  /** The `roomKey` or the `vpin`, in place of the PIN: makes the host. */
  hostKey?: string
  /** What others see of a guest. */
  name?: string
  /**
   * An app's token with `meeting:join`: its user joins. `host` and `door` need `meeting:update` as well. A function is asked before each request, since an hour's meeting
   * may outlive a token. Absent, the browser's cookie is used, which only our own pages have.
   */
  accessToken?: ConnectOptions['token']
  /** Somebody whom a host has turned away or removed asks a host to think again. */
  askAgain?: boolean
  /** Whether they are on at the beginning. The meeting's options may keep them off, and are what holds without these. */
  microphone?: boolean
  camera?: boolean
  /** Where the camera can; no model is fetched for it. */
  backgroundBlur?: boolean
  fetch?: typeof globalThis.fetch
  /** Leaves when it is aborted. */
  signal?: AbortSignal
}

const sendAgainMs = 1000

const atFirst: RoomSnapshot = {
  standing: { phase: 'asking' },
  ...{ meeting: null, pin: null, role: null, me: null, others: [], hardMuted: false, unmuteAskedOn: null },
  ...{
    deviceProblem: null,
    stoppedByHost: null,
    soundBlocked: false,
    backgroundBlur: null,
    messages: [],
    earlierMessages: null,
    reactions: [],
    door: null,
  },
}

/**
 * Asks to enter a meeting, waits where one has to wait, and connects (rooms.md 2). It answers at once; how it goes is in
 * the snapshot. What is lost comes back by itself, until `standing` says that it is over.
 */
export function join(options: JoinOptions): Room {
  const { base, svcMeetId, pin, hostKey, name, askAgain, accessToken, fetch, signal } = options
  // What it would write into the page's console holds addresses with tokens in them.
  setLogLevel(LogLevel.silent)
  const connection = { base, ...(accessToken && { token: accessToken }), ...(fetch && { fetch }) }
  const client = connect(connection)
  const store = createStore(atFirst)
  const talk = createTalk(store)
  const history = createChatHistory(store)
  const leaving = new AbortController()
  let inside: Inside | undefined
  let carried: readonly LocalTrack[] = []

  const requireInside = () => {
    if (inside === undefined) throw new RoomError('not_inside')
    return inside
  }
  const blur = createCameraBlur(options.backgroundBlur ?? false)
  const devices = createDevices({ store, blur, inside: requireInside })

  /** A device that fails does not keep anybody out; the snapshot tells of it. */
  async function startDevices({ devices: allowed }: Entering) {
    const { microphone = true, camera = true } = options
    const speaks = microphone && (allowed?.microphone ?? true) && !store.snapshot().hardMuted
    await Promise.allSettled([
      ...(speaks ? [devices.setMicrophone(true)] : []),
      ...(camera && (allowed?.camera ?? true) ? [devices.setCamera(true)] : []),
    ])
  }

  /** One after the other, and once more when it failed: a connection that has just begun may not bear it yet. */
  async function sendAgain({ livekit, refresh, ended }: Inside, tracks: readonly LocalTrack[]) {
    const lost = new AbortController()
    void ended.then(() => lost.abort())
    for (const track of tracks.filter(({ mediaStreamTrack }) => mediaStreamTrack.readyState === 'live')) {
      const send = () => livekit.localParticipant.publishTrack(track)
      await send()
        .catch(() => pause(sendAgainMs, lost.signal).then(send))
        .catch(() => track.stop())
      refresh()
    }
  }

  function dropCarried() {
    for (const track of carried) track.stop()
    carried = []
  }

  async function say(message: Parameters<typeof talk.hear>[1], to?: Participant) {
    const { livekit, say: send, refresh } = requireInside()
    await send(message, to?.id)
    const { identity: id, name: myName = '', metadata } = livekit.localParticipant
    talk.hear({ id, name: myName, isMe: true, role: roleIn(metadata) }, message, to?.name)
    refresh()
  }

  const visit = {
    ...{ store, connection, svcMeetId, leaving: leaving.signal },
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
      const connected = await goInside(media, { store, talk, history, devices: options, blur })
      inside = connected
      void (isBack ? sendAgain(connected, carried) : startDevices(entering))
      carried = []
      void connected.ended.then(() => {
        carried = connected.carried()
        inside = undefined
      })
      return connected
    },
    admissionOf() {
      dropCarried()
      store.change({ me: null, others: [] })
    },
  }

  if (signal?.aborted) leaving.abort()
  signal?.addEventListener('abort', () => leaving.abort())
  const over = attend(visit).then((end) => {
    dropCarried()
    store.change({ standing: { phase: 'over', end }, me: null, others: [], door: null })
  })

  return {
    snapshot: store.snapshot,
    subscribe: store.subscribe,
    ...devices,
    async sendChat(text, to) {
      if (text.trim() === '') throw new RoomError('message_empty')
      if (text.length > maxChatCharacters) throw new RoomError('message_too_long')
      if (to === undefined) return say({ kind: 'chat', text })
      const recipient = store.snapshot().others.find(({ id }) => id === to)
      // Never to everyone instead.
      if (recipient === undefined) throw new RoomError('participant_gone')
      await say({ kind: 'chat', text, isPrivate: true }, recipient)
    },
    raiseHand: (up) => say({ kind: 'hand', up }),
    async react(emoji) {
      if (!isReaction(emoji)) throw new RoomError('unknown_reaction')
      await say({ kind: 'reaction', emoji })
    },
    async leave() {
      leaving.abort()
      await over
    },
    host: createHostActions({ client, svcMeetId, say }),
  }
}
