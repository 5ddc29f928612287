import { Button } from '@mantine/core'
import type { ChatMessage } from '@parley/client/join'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { GuestBadge } from '../GuestBadge.tsx'
import type { Recipient } from '../panels/ChatPanel.tsx'
import { useNameOf, useSnapshot } from '../room-context.ts'
import { Notice } from './Notice.tsx'

/** Long enough to recognise a message; the chat has all of it. */
const shownMs = 5_000
const maxShownLength = 140

/**
 * The latest message of another participant, while the chat is closed. Not in a live region: the announcer reads
 * messages out.
 */
export function ChatBubble({ onReply }: { onReply(to: Recipient | undefined): void }) {
  const { messages } = useSnapshot()
  const latest = messages.at(-1)
  // What came while the chat was open has been seen.
  const [seen, setSeen] = useState(latest?.id ?? 0)
  if (latest === undefined || latest.isMine || latest.id <= seen) return null
  const close = () => setSeen(latest.id)
  return <Bubble key={latest.id} message={latest} onReply={onReply} onClose={close} />
}

type BubbleProps = { message: ChatMessage; onReply(to: Recipient | undefined): void; onClose(): void }

/** Stays while the pointer or the focus is on it. */
function Bubble({ message, onReply, onClose }: BubbleProps) {
  const { t } = useTranslation(['room', 'call', 'app'])
  const { others, allowed } = useSnapshot()
  const nameOf = useNameOf()
  const [held, setHeld] = useState(false)
  useEffect(() => {
    if (held) return
    const timer = setTimeout(onClose, shownMs)
    return () => clearTimeout(timer)
  })
  const { from, name, isPrivate, text } = message
  const sender = others.find(({ id }) => id === from)
  const to = sender && { id: sender.id, name: nameOf(sender) }
  const reply = (recipient: Recipient | undefined) => {
    onReply(recipient)
    onClose()
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the handlers only pause the timer while the message is read
    <div
      onPointerEnter={() => setHeld(true)}
      onPointerLeave={() => setHeld(false)}
      onFocus={() => setHeld(true)}
      onBlur={() => setHeld(false)}
    >
      <Notice
        onClose={onClose}
        actions={
          <>
            {allowed.chat && !isPrivate && (
              <Button size="sm" variant="default" onClick={() => reply(undefined)}>
                {t('call:chat.reply')}
              </Button>
            )}
            {allowed.chat && to !== undefined && (
              <Button size="sm" variant="default" onClick={() => reply(to)}>
                {t('call:chat.replyPrivately')}
              </Button>
            )}
          </>
        }
      >
        <strong dir="auto">{name || t('app:guest')}</strong> <GuestBadge person={message} />{' '}
        {isPrivate && `(${t('call:chat.onlyYou')}) `}
        <span dir="auto">{text.length > maxShownLength ? `${text.slice(0, maxShownLength)}…` : text}</span>
      </Notice>
    </div>
  )
}
