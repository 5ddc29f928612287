import { NativeSelect, Textarea } from '@mantine/core'
import { maxChatCharacters } from '@parley/client/join'
import { IconSend } from '@tabler/icons-react'
import { type KeyboardEvent, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useSnapshot, useVisited } from '../room-context.ts'
import { ToolButton } from '../tools/ToolButton.tsx'
import { useAction } from '../use-action.ts'
import { useNameOf } from '../use-name-of.ts'
import classes from './ChatPanel.module.css'

type Recipient = { id: string; name: string }

/** Enter sends, Shift+Enter starts a new line; during IME composition, Enter ends the composition. */
export function ChatForm() {
  const { t } = useTranslation(['room', 'app'])
  const { room } = useVisited()
  const runAction = useAction()
  const [text, setText] = useState('')
  const [to, setTo] = useState<Recipient>()
  const field = useRef<HTMLTextAreaElement>(null)
  const isGone = useIsGone(to)
  const send = async () => {
    // Also after a click on the button, so that the next message can be typed at once.
    field.current?.focus()
    if (text.trim() === '' || isGone) return
    setText('')
    const sent = await runAction(() => room.sendChat(text.trim(), to?.id), 'chat')
    // Keep the text when sending has failed.
    if (!sent) setText((typed) => (typed === '' ? text : typed))
  }
  const sendByEnter = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return
    event.preventDefault()
    void send()
  }
  const label = to === undefined ? t('chat.message') : t('chat.messageTo', { name: to.name })
  return (
    <form
      className={classes.form}
      onSubmit={(event) => {
        event.preventDefault()
        void send()
      }}
    >
      <RecipientSelect to={to} onChange={setTo} />
      <Textarea
        ref={field}
        data-autofocus
        aria-label={label}
        placeholder={label}
        autosize
        minRows={1}
        maxRows={4}
        maxLength={maxChatCharacters}
        value={text}
        dir="auto"
        // A private message is never sent to everyone instead.
        error={isGone ? t('chat.gone', { name: to?.name }) : undefined}
        onChange={({ currentTarget: { value } }) => setText(value)}
        onKeyDown={sendByEnter}
      />
      <ToolButton type="submit" label={t('app:send')} icon={<IconSend size={20} aria-hidden />} />
    </form>
  )
}

function useIsGone(to: Recipient | undefined): boolean {
  const { others } = useSnapshot()
  return to !== undefined && !others.some(({ id }) => id === to.id)
}

/** Choose everyone or one person. A person who has left stays selected until the selection changes. */
function RecipientSelect({ to, onChange }: { to: Recipient | undefined; onChange(to: Recipient | undefined): void }) {
  const { t } = useTranslation(['room', 'app'])
  const nameOf = useNameOf()
  const { others } = useSnapshot()
  const isGone = useIsGone(to)
  const people: Recipient[] = others.map((person) => ({ id: person.id, name: nameOf(person) }))
  const choices = to !== undefined && isGone ? [...people, to] : people
  if (choices.length === 0) return null
  return (
    <NativeSelect
      className={classes.recipient}
      label={t('chat.to')}
      size="xs"
      value={to?.id ?? ''}
      data={[{ value: '', label: t('app:everyone') }, ...choices.map(({ id, name }) => ({ value: id, label: name }))]}
      onChange={({ currentTarget: { value } }) => onChange(choices.find(({ id }) => id === value))}
    />
  )
}
