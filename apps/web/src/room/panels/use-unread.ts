import type { ChatMessage } from '@parley/client/join'
import { useState } from 'react'

/** The number of messages from others since the chat was last open. */
export function useUnread(messages: readonly ChatMessage[], open: boolean): number {
  const latest = messages.at(-1)?.id ?? 0
  const [read, setRead] = useState(0)
  if (open && read !== latest) setRead(latest)
  return open ? 0 : messages.filter(({ id, isMine }) => id > read && !isMine).length
}
