/** What pages say to each other through the media server, beside sound and pictures. Everything in it may be forged. */
export type RoomMessage =
  | { kind: 'chat'; text: string }
  /** How long ago the hand went up, since clocks differ; absent when it came down. */
  | { kind: 'hand'; raisedForMs?: number }
  | { kind: 'reaction'; reaction: Reaction }

export const reactions = ['👍', '👏', '❤️', '😂', '😮', '🎉'] as const
export type Reaction = (typeof reactions)[number]

/** The name under which these messages are sent, so that those of other programs are left alone. */
export const messageTopic = 'parley'

/** A message has to fit into one packet of the media server, which takes some 15,000 bytes. */
export const longestChatText = 2_000
const mostMessageBytes = 12_000
/** A hand that is said to be up for longer was not raised in this meeting. */
const longestRaisedMs = 24 * 60 * 60_000

export const writeMessage = (message: RoomMessage): Uint8Array => new TextEncoder().encode(JSON.stringify(message))

/** A message as it arrives; undefined for everything that is none. */
export function readMessage(bytes: Uint8Array): RoomMessage | undefined {
  if (bytes.length > mostMessageBytes) return undefined
  try {
    const read: unknown = JSON.parse(new TextDecoder().decode(bytes))
    return typeof read === 'object' && read !== null ? judge(Object(read)) : undefined
  } catch {
    return undefined
  }
}

function judge({ kind, text, raisedForMs, reaction }: Record<string, unknown>): RoomMessage | undefined {
  switch (kind) {
    case 'chat': {
      const words = typeof text === 'string' ? text.trim() : ''
      return words === '' || words.length > longestChatText ? undefined : { kind, text: words }
    }
    case 'hand':
      if (raisedForMs === undefined) return { kind }
      return typeof raisedForMs === 'number' && raisedForMs >= 0 && raisedForMs <= longestRaisedMs
        ? { kind, raisedForMs }
        : undefined
    case 'reaction': {
      const known = reactions.find((one) => one === reaction)
      return known && { kind, reaction: known }
    }
    default:
      return undefined
  }
}
