export type ChatLine = { id: number; personId: string; name: string; own: boolean; text: string; atMs: number }

export type Chat = { lines: readonly ChatLine[]; unread: number }

/** Older lines go: the page stays quick, and what was said in a meeting of hours is not kept here. */
export const mostChatLines = 200

export const emptyChat: Chat = { lines: [], unread: 0 }

/** One more line at the end; unread unless it is one's own, or the chat is open. */
export function addChatLine(chat: Chat, said: Omit<ChatLine, 'id'>, open: boolean): Chat {
  const id = (chat.lines.at(-1)?.id ?? 0) + 1
  return {
    lines: [...chat.lines, { ...said, id }].slice(-mostChatLines),
    unread: open ? 0 : Math.min(chat.unread + (said.own ? 0 : 1), mostChatLines),
  }
}
