import type { RoomRole } from '@parley/contract'
import { now } from '../clock-and-random.ts'
import { pause } from '../pause.ts'
import { type EarlierMessage, type RoomMessage, writeMessage } from './message.ts'
import type { ChatMessage, RelayedMessage, RoomSnapshot } from './room.ts'
import type { Store } from './store.ts'

/** Only the latest messages are relayed, so that a long chat does not delay joining. */
export const maxEarlierMessages = 200
/** The size of one message of the data channel. */
const maxBatchBytes = 12_000
/** Retry, because either data channel may not be open yet. */
const firstAskAgainAfterMs = 2_000
/**
 * A participant who reloads the page asks again, so each participant is answered again, after a pause that doubles with
 * each answer. This bounds the load that one participant can cause to 400 KB in two minutes from each page.
 */
const minAnswerPauseMs = 10_000
const maxAnswerPauseMs = 120_000
/** A page that was just reloaded asks until the longest pause is over: 0, 2, 6, 14, 30, 62 and 126 seconds after joining. */
const maxRequests = 7

type SendMessage = (message: RoomMessage, to: string) => Promise<void>
/** A participant, with the role that the media server vouches for. */
type Present = { id: string; name: string; role: RoomRole }

/** The chat of one breakout room, as this page has seen it. */
type ChatOfRoom = Pick<RoomSnapshot, 'messages' | 'earlierMessages'> & {
  /** Empty for the main room. */
  room: string
  isRequested: boolean
  hasAnswer: boolean
}

export type ChatHistory = {
  /**
   * Request the earlier messages to everyone from a host, or where none is present, from the participant who has been
   * here longest. Only once in each breakout room, not after reconnecting.
   *
   * @param present the others in the room, by arrival
   */
  request(present: () => readonly Present[], sendMessage: SendMessage, leaving: AbortSignal): Promise<void>
  /**
   * Show the messages of a breakout room (empty for the main room), and keep those of the room before. False if the
   * caller is there already.
   */
  enter(breakoutRoom: string): boolean
  /** Relay the messages to everyone in the caller's breakout room that this page knows. */
  answer(to: string, sendMessage: SendMessage): Promise<void>
  /**
   * Store the messages relayed by the participant who was asked; messages from others are ignored, and so are a guest's
   * while a host is present.
   */
  receive(from: Present, history: Extract<RoomMessage, { kind: 'history' }>, present: readonly Present[]): void
}

/**
 * The chat for participants who join later. The chat exists only in the pages of the room: a host, or else the
 * participant who has been there longest, relays the messages to everyone, and the chat is gone when the last
 * participant leaves. What is relayed is a claim: a guest who waits in the room before the host could otherwise make up
 * what others read as the host's.
 */
export function createChatHistory(store: Store<RoomSnapshot>): ChatHistory {
  const answers = new Map<string, { nextAtMs: number; pauseMs: number }>()
  let source: Present | undefined
  let current: ChatOfRoom = { room: '', isRequested: false, hasAnswer: false, messages: [], earlierMessages: null }
  const rooms = [current]

  return {
    async request(present, sendMessage, leaving) {
      const asked = current
      if (asked.isRequested || present().length === 0) return
      asked.isRequested = true
      for (let requests = 0; requests < maxRequests && !asked.hasAnswer && !leaving.aborted; requests++) {
        if (current !== asked) return
        const sources = sourcesAmong(present())
        source = sources[requests % sources.length]
        if (source === undefined) return
        await sendMessage({ kind: 'ask_history' }, source.id).catch(() => {})
        await pause(firstAskAgainAfterMs * 2 ** requests, leaving)
      }
    },
    enter(breakoutRoom) {
      if (current.room === breakoutRoom) return false
      const { messages, earlierMessages } = store.snapshot()
      Object.assign(current, { messages, earlierMessages })
      const known = rooms.find(({ room }) => room === breakoutRoom)
      current = known ?? {
        room: breakoutRoom,
        isRequested: false,
        hasAnswer: false,
        messages: [],
        earlierMessages: null,
      }
      if (known === undefined) rooms.push(current)
      source = undefined
      store.change({ messages: current.messages, earlierMessages: current.earlierMessages })
      return true
    },
    async answer(to, sendMessage) {
      const nowMs = now().getTime()
      const { nextAtMs, pauseMs } = answers.get(to) ?? { nextAtMs: nowMs, pauseMs: minAnswerPauseMs }
      if (nowMs < nextAtMs) return
      answers.set(to, { nextAtMs: nowMs + pauseMs, pauseMs: Math.min(2 * pauseMs, maxAnswerPauseMs) })
      for (const message of inBatches(messagesToEveryone(store.snapshot()))) await sendMessage(message, to)
    },
    receive(from, { messages, isLast }, present) {
      if (source?.id !== from.id || (from.role === 'participant' && present.some(isHost))) return
      current.hasAnswer = true
      if (isLast) source = undefined
      const relayed = messages.map(({ name, text, sentOn, relayedBy = from.name }) => ({
        claimedName: name,
        text,
        sentOn,
        relayedBy,
      }))
      const { earlierMessages, messages: received } = store.snapshot()
      const earlier = withoutReceived(relayed, received)
      const all = [...(earlierMessages?.messages ?? []), ...earlier].slice(0, maxEarlierMessages)
      const { name, role } = from
      if (all.length > 0) store.change({ earlierMessages: { relayedBy: name, role, messages: all } })
    },
  }
}

const isHost = ({ role }: Present) => role !== 'participant'

/** The participants to ask, one after the other: only hosts and cohosts where one is present. */
function sourcesAmong(present: readonly Present[]): readonly Present[] {
  const hosts = present.filter(isHost)
  return hosts.length > 0 ? hosts : present.slice(0, 1)
}

/**
 * The messages to everyone, relayed messages first. A host passes on messages that hosts have relayed, but none from
 * guests, because participants trust what a host relays.
 */
function messagesToEveryone({ role, earlierMessages, messages }: RoomSnapshot): EarlierMessage[] {
  const isAccepted = role === null || role === 'participant' || earlierMessages?.role !== 'participant'
  const relayed = (isAccepted ? (earlierMessages?.messages ?? []) : []).map(({ claimedName, ...message }) => ({
    name: claimedName,
    ...message,
  }))
  const own = messages
    .filter(({ isPrivate }) => !isPrivate)
    .map(({ name, text, receivedOn }) => ({ name, text, sentOn: receivedOn.toISOString() }))
  return [...relayed, ...own].slice(-maxEarlierMessages)
}

/** An answer that comes late repeats what this page has received since it joined: the last ones of the same words. */
function withoutReceived(relayed: readonly RelayedMessage[], received: readonly ChatMessage[]): RelayedMessage[] {
  const own = received.filter(({ isPrivate }) => !isPrivate)
  return relayed
    .toReversed()
    .filter(({ claimedName, text }) => {
      const at = own.findLastIndex((message) => message.name === claimedName && message.text === text)
      if (at >= 0) own.splice(at, 1)
      return at < 0
    })
    .toReversed()
}

/** Split into batches; at least one, so that the receiver learns that there is nothing more. */
export function inBatches(messages: readonly EarlierMessage[]): Extract<RoomMessage, { kind: 'history' }>[] {
  const batches: EarlierMessage[][] = [[]]
  for (const message of messages) {
    const last = batches.at(-1) ?? []
    const withIt = writeMessage({ kind: 'history', messages: [...last, message], isLast: false })
    if (last.length > 0 && withIt.length > maxBatchBytes) batches.push([message])
    else last.push(message)
  }
  return batches.map((batch, at) => ({ kind: 'history', messages: batch, isLast: at === batches.length - 1 }))
}
