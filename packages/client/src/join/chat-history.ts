import { now } from '../clock-and-random.ts'
import { pause } from '../pause.ts'
import { type EarlierMessage, type RoomMessage, writeMessage } from './message.ts'
import type { RoomSnapshot } from './room.ts'
import type { Store } from './store.ts'

/** Only the latest messages are relayed, so that a long chat does not delay joining. */
export const maxEarlierMessages = 200
/** The size of one message of the data channel. */
const maxBatchBytes = 12_000
/** Retry, because either data channel may not be open yet. */
const askAgainAfterMs = 2_000
const maxRequests = 3
/**
 * A participant who reloads the page asks again, so each participant is answered again, after a pause that doubles with
 * each answer. This bounds the load that one participant can cause to 400 KB in two minutes from each page.
 */
const minAnswerPauseMs = 10_000
const maxAnswerPauseMs = 120_000

type SendMessage = (message: RoomMessage, to: string) => Promise<void>
type Sender = { id: string; name: string }

export type ChatHistory = {
  /**
   * Request the earlier messages to everyone from the participant who has been here longest. Only once, not after
   * reconnecting.
   */
  request(longestPresent: Sender | undefined, sendMessage: SendMessage, leaving: AbortSignal): Promise<void>
  /** Relay the messages to everyone that this page knows. */
  answer(to: string, sendMessage: SendMessage): Promise<void>
  /** Store the messages relayed by the participant who was asked; messages from others are ignored. */
  receive(from: Sender, history: Extract<RoomMessage, { kind: 'history' }>): void
}

/**
 * The chat for participants who join later. It exists only in the pages of the room: the participant who has been there
 * longest relays the messages to everyone, and it is gone when the last participant leaves.
 */
export function createChatHistory(store: Store<RoomSnapshot>): ChatHistory {
  const answers = new Map<string, { nextAtMs: number; pauseMs: number }>()
  let source: Sender | undefined
  let isRequested = false
  let hasAnswer = false

  return {
    async request(longestPresent, sendMessage, leaving) {
      if (isRequested || longestPresent === undefined) return
      isRequested = true
      source = longestPresent
      for (let requests = 0; requests < maxRequests && !hasAnswer && !leaving.aborted; requests++) {
        await sendMessage({ kind: 'ask_history' }, longestPresent.id).catch(() => {})
        await pause(askAgainAfterMs, leaving)
      }
    },
    async answer(to, sendMessage) {
      const nowMs = now().getTime()
      const { nextAtMs, pauseMs } = answers.get(to) ?? { nextAtMs: nowMs, pauseMs: minAnswerPauseMs }
      if (nowMs < nextAtMs) return
      answers.set(to, { nextAtMs: nowMs + pauseMs, pauseMs: Math.min(2 * pauseMs, maxAnswerPauseMs) })
      for (const message of inBatches(messagesToEveryone(store.snapshot()))) await sendMessage(message, to)
    },
    receive(from, { messages, isLast }) {
      if (source?.id !== from.id) return
      hasAnswer = true
      if (isLast) source = undefined
      const known = store.snapshot().earlierMessages?.messages ?? []
      const all = [...known, ...messages].slice(0, maxEarlierMessages)
      if (all.length > 0) store.change({ earlierMessages: { relayedBy: from.name, messages: all } })
    },
  }
}

/** The messages to everyone, relayed ones first. */
function messagesToEveryone({ earlierMessages, messages }: RoomSnapshot): EarlierMessage[] {
  const own = messages
    .filter(({ isPrivate }) => !isPrivate)
    .map(({ name, text, receivedOn }) => ({ name, text, sentOn: receivedOn.toISOString() }))
  return [...(earlierMessages?.messages ?? []), ...own].slice(-maxEarlierMessages)
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
