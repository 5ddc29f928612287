import { now, random } from '../clock-and-random.ts'
import { pause } from '../pause.ts'
import { maxCaptionCharacters, type RoomMessage } from './message.ts'
import type { Caption, CaptionsSnapshot, RoomCaptions } from './room.ts'
import { RoomError } from './room-error.ts'
import { createSnapshotStore } from './store.ts'

/** What is kept in the page; captions are not stored anywhere else. */
export const maxCaptions = 500
/** The buffering time that RFC 4103, 5.1 recommends for text that is shown while it is typed. */
export const captionIntervalMs = 300

type CaptionMessage = Extract<RoomMessage, { kind: 'caption' }>
type WantedMessage = Extract<RoomMessage, { kind: 'captions_wanted' }>
type Sender = { id: string; name: string; isMe: boolean; isGuest: boolean }

type Dependencies = {
  /** Send a message to everyone. @throws RoomError `not_inside` */
  sendMessage(message: CaptionMessage | WantedMessage): Promise<void>
  /** The caller, as the media server names them. @throws RoomError `not_inside` */
  me(): Sender
  /** @throws RoomError `hard_muted` */
  requireSpeech(): void
}

/** The captions of a call, and what the connection to the media server tells them. */
export type CallCaptions = RoomCaptions & {
  /** Process a message. The sender's name comes from the room, not from the message. */
  receive(sender: Sender, message: CaptionMessage | WantedMessage): void
  /** Send again that the caller reads captions, to those who do not know. */
  repeatWanted(send: (message: WantedMessage) => Promise<void>): void
  /** Keep the state of these participants only: the others have left. */
  removeAllBut(present: ReadonlySet<string>): void
}

/** An unfinished line, by which the next message of its sender finds the caption. */
type OpenLine = { from: string; line: number; id: number }

/**
 * What people say or type, line by line. Each message carries the whole line as it is now, so that a page that joins in
 * the middle of a sentence shows all of it. A participant has at most one unfinished line of each kind.
 */
export function createCaptions({ sendMessage, me, requireSpeech }: Dependencies): CallCaptions {
  const store = createSnapshotStore<CaptionsSnapshot>({ lines: [], wanted: false })
  const open = new Map<string, OpenLine>()
  const readers = new Set<string>()
  let count = 0
  let wants = false

  const changeLine = (id: number, changed: Partial<Caption>) =>
    store.change({ lines: store.snapshot().lines.map((one) => (one.id === id ? { ...one, ...changed } : one)) })

  function showLine(sender: Sender, { line, text, isFinal, isTyped, language }: CaptionMessage) {
    const key = `${sender.id} ${isTyped}`
    const unfinished = open.get(key)
    if (unfinished !== undefined && unfinished.line !== line) changeLine(unfinished.id, { isFinal: true })
    const known = unfinished?.line === line ? unfinished.id : undefined
    const id = known ?? ++count
    if (isFinal) open.delete(key)
    else open.set(key, { from: sender.id, line, id })
    const changed = { text, isFinal, changedOn: now(), language: language ?? null }
    const { lines } = store.snapshot()
    if (text.trim() === '') return store.change({ lines: lines.filter((one) => one.id !== id) })
    if (lines.some((one) => one.id === id)) return changeLine(id, changed)
    const { id: from, name, isGuest, isMe: isMine } = sender
    // A line that was emptied and is written again has kept its id, but not its place.
    const shown = [...lines, { id, from, name, isGuest, isMine, isTyped, ...changed }]
    store.change({ lines: shown.toSorted((one, other) => one.id - other.id).slice(-maxCaptions) })
  }

  const write = createWriter(async (message) => {
    await sendMessage(message)
    showLine(me(), message)
  })

  return {
    snapshot: store.snapshot,
    subscribe: store.subscribe,
    async write(text, { isFinal, isTyped, language }) {
      if (text.length > maxCaptionCharacters) throw new RoomError('message_too_long')
      requireSpeech()
      me()
      await write({ kind: 'caption', text, isFinal, isTyped, ...(language !== undefined && { language }) })
    },
    setWanted(on) {
      if (wants === on) return
      wants = on
      // Without a connection, the next one says it.
      void sendMessage({ kind: 'captions_wanted', on }).catch(() => {})
    },
    receive(sender, message) {
      if (message.kind === 'caption') return showLine(sender, message)
      if (message.on) readers.add(sender.id)
      else readers.delete(sender.id)
      store.change({ wanted: readers.size > 0 })
    },
    repeatWanted(send) {
      if (wants) void send({ kind: 'captions_wanted', on: true }).catch(() => {})
    },
    removeAllBut(present) {
      for (const [key, { from, id }] of open) {
        if (present.has(from)) continue
        open.delete(key)
        changeLine(id, { isFinal: true })
      }
      for (const id of readers) if (!present.has(id)) readers.delete(id)
      store.change({ wanted: readers.size > 0 })
    },
  }
}

type Written = Omit<CaptionMessage, 'line'>

/** Send a line as it is, at most once in an interval; every finished line is sent, of unfinished ones the latest. */
function createWriter(send: (message: CaptionMessage) => Promise<void>): (written: Written) => Promise<void> {
  const kinds = [createKindWriter(send), createKindWriter(send)] as const
  return (written) => kinds[written.isTyped ? 0 : 1](written)
}

function createKindWriter(send: (message: CaptionMessage) => Promise<void>): (written: Written) => Promise<void> {
  // Random, because after a reload the others may still have an unfinished line of this participant.
  let line = Math.floor(random() * 2 ** 30)
  let queue: CaptionMessage[] = []
  let sentAtMs = Number.NEGATIVE_INFINITY
  let flushing: Promise<void> | undefined

  async function flush() {
    // At most the interval, also where the clock was set back.
    await pause(Math.min(captionIntervalMs, sentAtMs + captionIntervalMs - now().getTime()))
    flushing = undefined
    sentAtMs = now().getTime()
    const due = queue
    queue = []
    for (const message of due) await send(message)
  }

  return (written) => {
    queue = [...queue.filter((one) => one.line !== line), { ...written, line }]
    if (written.isFinal) line += 1
    flushing ??= flush()
    return flushing
  }
}
