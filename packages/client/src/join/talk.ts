import type { RoomRole } from '@parley/contract'
import { now } from '../clock-and-random.ts'
import { pause } from '../pause.ts'
import type { RoomMessage } from './message.ts'
import type { RoomSnapshot } from './room.ts'
import type { Store } from './store.ts'

export const maxMessages = 500
export const maxReactions = 50
const reactionShownMs = 5000

export type Speaker = { id: string; name: string; isMe: boolean; role: RoomRole }

/** What chat-history.ts deals with. */
type HistoryMessage = { kind: 'ask_history' | 'history' }

export type Talk = {
  /** Takes in what somebody said; the name is the room's, not the message's. `to` names who got what oneself wrote to one alone. */
  hear(speaker: Speaker, message: Exclude<RoomMessage, HistoryMessage>, to?: string): void
  /** Whose hands are up, the first that was raised first. */
  hands(): readonly string[]
  forget(participantId: string): void
}

/** Chat, hands and reactions of a room, as long as this page has been in it. */
export function createTalk(store: Store<RoomSnapshot>): Talk {
  let count = 0
  const hands = new Set<string>()

  function showReaction({ id: from, name }: Speaker, emoji: string) {
    const reaction = { id: ++count, from, name, emoji }
    const shown = store.snapshot().reactions.slice(1 - maxReactions)
    store.change({ reactions: [...shown, reaction] })
    void pause(reactionShownMs).then(() =>
      store.change({ reactions: store.snapshot().reactions.filter((one) => one !== reaction) }),
    )
  }

  return {
    hear(speaker, message, to) {
      switch (message.kind) {
        case 'chat': {
          const { id: from, name, isMe: isMine } = speaker
          const { text, isPrivate = false } = message
          const said = { id: ++count, from, name, isMine, isPrivate, to: to ?? null, text, receivedOn: now() }
          return store.change({ messages: [...store.snapshot().messages.slice(1 - maxMessages), said] })
        }
        case 'hand':
          if (message.up) hands.add(speaker.id)
          else hands.delete(speaker.id)
          return
        case 'lower_hand':
          if (speaker.role !== 'participant') hands.delete(message.of)
          return
        case 'reaction':
          return showReaction(speaker, message.emoji)
      }
    },
    hands: () => [...hands],
    forget: (participantId) => void hands.delete(participantId),
  }
}
