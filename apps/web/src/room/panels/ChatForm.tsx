import { Textarea } from '@mantine/core'
import { mostChatCharacters } from '@parley/client/join'
import { IconSend } from '@tabler/icons-react'
import { type KeyboardEvent, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ToolButton } from '../../ui/ToolButton.tsx'
import { useVisited } from '../room-context.ts'
import { useDeed } from '../use-deed.ts'
import classes from './ChatPanel.module.css'

/** Enter sends, Shift and Enter begins a line; while a word is composed from several keys, Enter ends the word. */
export function ChatForm() {
  const { t } = useTranslation('room')
  const { room } = useVisited()
  const deed = useDeed()
  const [text, setText] = useState('')
  const field = useRef<HTMLTextAreaElement>(null)
  const send = async () => {
    // Also after a click on the button: the next message is typed here.
    field.current?.focus()
    if (text.trim() === '') return
    setText('')
    const sent = await deed(() => room.sendChat(text.trim()), 'chat')
    // What could not be sent is not lost.
    if (!sent) setText((typed) => (typed === '' ? text : typed))
  }
  const sendByEnter = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return
    event.preventDefault()
    void send()
  }
  return (
    <form
      className={classes.form}
      onSubmit={(event) => {
        event.preventDefault()
        void send()
      }}
    >
      <Textarea
        ref={field}
        data-autofocus
        aria-label={t('chat.message')}
        placeholder={t('chat.message')}
        autosize
        minRows={1}
        maxRows={4}
        maxLength={mostChatCharacters}
        value={text}
        dir="auto"
        onChange={({ currentTarget: { value } }) => setText(value)}
        onKeyDown={sendByEnter}
      />
      <ToolButton type="submit" label={t('chat.send')} icon={<IconSend size={20} aria-hidden />} />
    </form>
  )
}
