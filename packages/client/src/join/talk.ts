import type { RoomRole } from '@parley/contract'
import { now } from '../clock-and-random.ts'
import { pause } from '../pause.ts'
import type { RoomMessage } from './message.ts'
import type { RoomSnapshot } from './room.ts'
import type { Store } from './store.ts'

export const maxMessages = 500
export const maxReactions = 50
const reactionShownMs = 5000

type Sender = { id: string; name: string; isMe: boolean; role: RoomRole; isGuest: boolean }

/** The messages that chat-history.ts and captions.ts handle. */
type OtherMessage = { kind: 'ask_history' | 'history' | 'caption' | 'captions_wanted' }

export type Talk = {
  /**
   * Process a message. The sender's name comes from the room, not from the message. `to` is the recipient of the
   * caller's own private message.
   */
  receive(sender: Sender, message: Exclude<RoomMessage, OtherMessage>, to?: string): void
  /** The ids of participants with a raised hand, in the order in which they were raised. */
  hands(): readonly string[]
  removeParticipant(participantId: string): void
  /** Lower all hands: the caller has gone to another breakout room. */
  lowerHands(): void
}

/** Chat, raised hands and reactions since this page joined. */
export function createTalk(store: Store<RoomSnapshot>): Talk {
  let count = 0
  const hands = new Set<string>()

  function showReaction({ id: from, name }: Sender, emoji: string) {
    const reaction = { id: ++count, from, name, emoji }
    const shown = store.snapshot().reactions.slice(1 - maxReactions)
    store.change({ reactions: [...shown, reaction] })
    void pause(reactionShownMs).then(() =>
      store.change({ reactions: store.snapshot().reactions.filter((one) => one !== reaction) }),
    )
  }

  return {
    receive(sender, message, to) {
      switch (message.kind) {
        case 'chat': {
          const { id: from, name, isGuest, isMe: isMine } = sender
          const { text, isPrivate = false } = message
          const received = {
            id: ++count,
            from,
            name,
            isGuest,
            isMine,
            isPrivate,
            to: to ?? null,
            text,
            receivedOn: now(),
          }
          return store.change({ messages: [...store.snapshot().messages.slice(1 - maxMessages), received] })
        }
        case 'hand':
          if (message.up) hands.add(sender.id)
          else hands.delete(sender.id)
          return
        case 'lower_hand':
          if (sender.role !== 'participant') hands.delete(message.of)
          return
        case 'reaction':
          return showReaction(sender, message.emoji)
      }
    },
    hands: () => [...hands],
    removeParticipant: (participantId) => void hands.delete(participantId),
    lowerHands: () => hands.clear(),
  }
}
