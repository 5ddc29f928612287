import { NativeSelect, Text, Textarea } from '@mantine/core'
import { type ChatMessage, maxChatCharacters, type RelayedMessage } from '@parley/client/join'
import { IconSend } from '@tabler/icons-react'
import { type KeyboardEvent, type ReactNode, useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { LinkedText } from '../../meetings/LinkedText.tsx'
import { useDates } from '../../texts/dates.ts'
import { GuestBadge } from '../GuestBadge.tsx'
import { useNameOf, useSnapshot, useVisited } from '../room-context.ts'
import { ToolButton } from '../tools/ToolButton.tsx'
import { useAction } from '../use-action.ts'
import classes from './ChatPanel.module.css'
import { PanelFrame } from './PanelFrame.tsx'

/** The chat: plain text with clickable links. */
export function ChatPanel({ onClose, ...draft }: DraftProps & { onClose(): void }) {
  const { t } = useTranslation(['room', 'call'])
  const { messages, allowed, breakout } = useSnapshot()
  const end = useRef<HTMLDivElement>(null)
  const latest = messages.at(-1)?.id
  // biome-ignore lint/correctness/useExhaustiveDependencies: scroll when a message arrives
  useEffect(() => void end.current?.scrollIntoView({ block: 'nearest' }), [latest])
  return (
    <PanelFrame title={t('tools.chat')} onClose={onClose} footer={allowed.chat ? <ChatForm {...draft} /> : <ChatOff />}>
      <Text size="sm" c="dimmed" mb="md">
        {t(breakout === null ? 'call:chat.hint' : 'call:breakout.chatHint')}
      </Text>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable content must be reachable by keyboard */}
      <div role="log" aria-label={t('call:chat.log')} aria-live="off" tabIndex={0} className={classes.log}>
        <EarlierLines />
        {messages.map((message) => (
          <MessageLine key={message.id} message={message} />
        ))}
        <div ref={end} />
      </div>
    </PanelFrame>
  )
}

/** Messages to everyone from before joining, each as what the person who passed it on says. */
function EarlierLines() {
  const { t } = useTranslation(['room', 'call', 'app'])
  const { earlierMessages } = useSnapshot()
  if (earlierMessages === null) return null
  const { relayedBy, messages } = earlierMessages
  return (
    <>
      <Text size="sm" c="dimmed">
        {t('call:chat.earlier', { name: relayedBy || t('app:guest') })}
      </Text>
      {messages.map((message, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the list only grows, at its end
        <RelayedLine key={index} message={message} />
      ))}
    </>
  )
}

/** The name is what the message claims: it does not look like that of a message that this page has received. */
function RelayedLine({ message: { claimedName, relayedBy, text, sentOn } }: { message: RelayedMessage }) {
  const { t } = useTranslation(['room', 'call', 'app'])
  const [name, source] = [claimedName || t('app:guest'), relayedBy || t('app:guest')]
  return <Line name={t('call:chat.claimed', { name, source })} isClaim text={text} on={new Date(sentOn)} />
}

function MessageLine({ message }: { message: ChatMessage }) {
  const { t } = useTranslation(['room', 'call', 'app'])
  const { name, isMine, isPrivate, to, text, receivedOn } = message
  const onlyTo = to === null ? t('call:chat.onlyYou') : t('call:chat.onlyTo', { name: to || t('app:guest') })
  return (
    <Line
      name={isMine ? t('you') : name || t('app:guest')}
      isMine={isMine}
      badge={isMine ? undefined : <GuestBadge person={message} />}
      note={isPrivate ? onlyTo : undefined}
      text={text}
      on={receivedOn}
    />
  )
}

type LineProps = {
  name: string
  isMine?: boolean
  isClaim?: boolean
  badge?: ReactNode
  note?: string | undefined
  text: string
  on: Date
}

function Line({ name, isMine = false, isClaim = false, badge, note, text, on }: LineProps) {
  const { time } = useDates()
  return (
    <div className={classes.line} data-mine={isMine}>
      <p className={classes.from}>
        {isClaim ? <em>{name}</em> : <strong>{name}</strong>} {badge}{' '}
        <time dateTime={on.toISOString()}>{time(on)}</time>
        {note !== undefined && <span className={classes.note}> {note}</span>}
      </p>
      <p className={classes.text} dir="auto">
        <LinkedText text={text} />
      </p>
    </div>
  )
}

/** In place of the form; an unsent message comes back with it. */
function ChatOff() {
  const { t } = useTranslation(['room', 'call'])
  return <Text size="sm">{t('errors.chat_not_allowed')}</Text>
}

/** A participant to whom alone a message goes. */
export type Recipient = { id: string; name: string }

/** An unsent message, which outlives the panel. */
export type Draft = { text: string; to: Recipient | undefined }
export const emptyDraft: Draft = { text: '', to: undefined }

type DraftProps = { draft: Draft; onDraft(change: (draft: Draft) => Draft): void }

/** Enter sends, Shift+Enter starts a new line; during IME composition, Enter ends the composition. */
function ChatForm({ draft: { text, to }, onDraft }: DraftProps) {
  const { t } = useTranslation(['room', 'call', 'app'])
  const { room } = useVisited()
  const runAction = useAction()
  const setText = (written: string) => onDraft((draft) => ({ ...draft, text: written }))
  const field = useRef<HTMLTextAreaElement>(null)
  const isGone = useIsGone(to)
  // A kept draft is written on at its end.
  useEffect(() => field.current?.setSelectionRange(field.current.value.length, field.current.value.length), [])
  const send = async () => {
    // Also after a click on the button, so that the next message can be typed at once.
    field.current?.focus()
    if (text.trim() === '' || isGone) return
    setText('')
    const sent = await runAction(() => room.sendChat(text.trim(), to?.id), 'chat')
    // Keep the text when sending has failed.
    if (!sent) onDraft((draft) => (draft.text === '' ? { ...draft, text } : draft))
  }
  const sendByEnter = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return
    event.preventDefault()
    void send()
  }
  const label = to === undefined ? t('call:chat.message') : t('call:chat.messageTo', { name: to.name })
  return (
    <form
      className={classes.form}
      onSubmit={(event) => {
        event.preventDefault()
        void send()
      }}
    >
      <RecipientSelect to={to} onChange={(chosen) => onDraft((draft) => ({ ...draft, to: chosen }))} />
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
        error={isGone ? t('call:chat.gone', { name: to?.name }) : undefined}
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
  const { t } = useTranslation(['room', 'call', 'app'])
  const nameOf = useNameOf()
  const { others } = useSnapshot()
  const isGone = useIsGone(to)
  const people: Recipient[] = others.map((person) => ({ id: person.id, name: nameOf(person) }))
  const choices = to !== undefined && isGone ? [...people, to] : people
  if (choices.length === 0) return null
  return (
    <NativeSelect
      className={classes.recipient}
      label={t('call:chat.to')}
      size="xs"
      value={to?.id ?? ''}
      data={[{ value: '', label: t('app:everyone') }, ...choices.map(({ id, name }) => ({ value: id, label: name }))]}
      onChange={({ currentTarget: { value } }) => onChange(choices.find(({ id }) => id === value))}
    />
  )
}
