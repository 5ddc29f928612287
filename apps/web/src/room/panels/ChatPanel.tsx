import { Text } from '@mantine/core'
import type { ChatMessage } from '@parley/client/join'
import { useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { ownTimeZone, writeTime } from '../../texts/dates.ts'
import { LinkedText } from '../../ui/LinkedText.tsx'
import { useSnapshot } from '../room-context.ts'
import { ChatForm } from './ChatForm.tsx'
import classes from './ChatPanel.module.css'
import { PanelFrame } from './PanelFrame.tsx'

/** What is written beside the talking: text, in which addresses can be opened, and nothing else. */
export function ChatPanel({ onClose }: { onClose(): void }) {
  const { t } = useTranslation('room')
  const { messages } = useSnapshot()
  const end = useRef<HTMLDivElement>(null)
  const latest = messages.at(-1)?.id
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new message is what scrolls
  useEffect(() => void end.current?.scrollIntoView({ block: 'nearest' }), [latest])
  return (
    <PanelFrame title={t('chat.title')} onClose={onClose} footer={<ChatForm />}>
      <Text size="sm" c="dimmed" mb="md">
        {t('chat.hint')}
      </Text>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard */}
      <div role="log" aria-label={t('chat.log')} aria-live="off" tabIndex={0} className={classes.log}>
        {messages.map((message) => (
          <Line key={message.id} message={message} />
        ))}
        <div ref={end} />
      </div>
    </PanelFrame>
  )
}

function Line({ message: { name, isMine, text, receivedOn } }: { message: ChatMessage }) {
  const { t, i18n } = useTranslation('room')
  return (
    <div className={classes.line} data-mine={isMine}>
      <p className={classes.from}>
        <strong>{isMine ? t('chat.you') : name}</strong>{' '}
        <time dateTime={receivedOn.toISOString()}>
          {writeTime(receivedOn, { language: i18n.language, timeZone: ownTimeZone() })}
        </time>
      </p>
      <p className={classes.text} dir="auto">
        <LinkedText text={text} />
      </p>
    </div>
  )
}
