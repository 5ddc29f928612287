import { now } from '../clock-and-random.ts'
import { pause } from '../pause.ts'
import { type EarlierMessage, type RoomMessage, writeMessage } from './message.ts'
import type { RoomSnapshot } from './room.ts'
import type { Store } from './store.ts'

/** The latest of them, so that a long meeting's chat does not hold up whoever joins. */
export const maxEarlierMessages = 200
/** A message of the data channel holds as many as fit. */
const maxBatchBytes = 12_000
/** One's own data channel, or that of the participant who is asked, may not be open yet. */
const askAgainAfterMs = 2_000
const maxRequests = 3
/**
 * A participant who reloads the page asks again, so each is answered again after a pause that doubles with each answer.
 * A participant who asks for nothing but the load gets 400 KB once in two minutes from each page.
 */
const minAnswerPauseMs = 10_000
const maxAnswerPauseMs = 120_000

type Say = (message: RoomMessage, to: string) => Promise<void>
type Sender = { id: string; name: string }

export type ChatHistory = {
  /** Asks the participant who has been here longest for what was written to everyone. Once, and not after coming back. */
  request(longestPresent: Sender | undefined, say: Say, leaving: AbortSignal): Promise<void>
  /** Passes on what was written to everyone, as far as this page knows it. */
  answer(to: string, say: Say): Promise<void>
  /** Takes in what the participant who was asked passes on; from everybody else it is nothing. */
  receive(from: Sender, history: Extract<RoomMessage, { kind: 'history' }>): void
}

/**
 * The chat for those who join later. It is kept by nobody but the pages in the room: whoever has been there longest passes
 * on what was written to everyone, and when the last person leaves it is gone.
 */
export function createChatHistory(store: Store<RoomSnapshot>): ChatHistory {
  const answers = new Map<string, { nextAtMs: number; pauseMs: number }>()
  let asked: Sender | undefined
  let hasAsked = false
  let hasAnswer = false

  return {
    async request(longestPresent, say, leaving) {
      if (hasAsked || longestPresent === undefined) return
      hasAsked = true
      asked = longestPresent
      for (let requests = 0; requests < maxRequests && !hasAnswer && !leaving.aborted; requests++) {
        await say({ kind: 'ask_history' }, longestPresent.id).catch(() => {})
        await pause(askAgainAfterMs, leaving)
      }
    },
    async answer(to, say) {
      const nowMs = now().getTime()
      const { nextAtMs, pauseMs } = answers.get(to) ?? { nextAtMs: nowMs, pauseMs: minAnswerPauseMs }
      if (nowMs < nextAtMs) return
      answers.set(to, { nextAtMs: nowMs + pauseMs, pauseMs: Math.min(2 * pauseMs, maxAnswerPauseMs) })
      for (const message of inBatches(messagesToEveryone(store.snapshot()))) await say(message, to)
    },
    receive(from, { messages, isLast }) {
      if (asked?.id !== from.id) return
      hasAnswer = true
      if (isLast) asked = undefined
      const known = store.snapshot().earlierMessages?.messages ?? []
      const all = [...known, ...messages].slice(0, maxEarlierMessages)
      if (all.length > 0) store.change({ earlierMessages: { relayedBy: from.name, messages: all } })
    },
  }
}

/** What was written before one came, as it was passed on, and since. */
function messagesToEveryone({ earlierMessages, messages }: RoomSnapshot): EarlierMessage[] {
  const own = messages
    .filter(({ isPrivate }) => !isPrivate)
    .map(({ name, text, receivedOn }) => ({ name, text, sentOn: receivedOn.toISOString() }))
  return [...(earlierMessages?.messages ?? []), ...own].slice(-maxEarlierMessages)
}

/** At least one, so that whoever asked knows that there is nothing more. */
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
