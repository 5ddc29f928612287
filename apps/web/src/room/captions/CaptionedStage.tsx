import { CloseButton, Text, TextInput } from '@mantine/core'
import { type Caption, maxCaptionCharacters } from '@parley/client/join'
import { IconKeyboard } from '@tabler/icons-react'
import { type KeyboardEvent, type ReactNode, useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useNow } from '../../ui/hooks/use-now.ts'
import { useReturnFocus } from '../../ui/hooks/use-return-focus.ts'
import { useNameOf, useSnapshot, useVisited } from '../room-context.ts'
import colors from '../stage-colors.module.css'
import { useAction } from '../use-action.ts'
import classes from './CaptionedStage.module.css'
import { type CaptionGroup, linesToReadOut, shownCaptions } from './shown-captions.ts'
import { type CaptionTools, useCaptionLines } from './use-captions.ts'

/** The stage with captions below or above it, and the field in which the caller types them. */
export function CaptionedStage({ captions, children }: { captions: CaptionTools; children: ReactNode }) {
  const { choice, isTyping, typingRequests, setTyping } = captions
  return (
    <div className={classes.frame} data-place={choice.place} data-size={choice.size}>
      <div className={classes.stage}>{children}</div>
      <div className={`${classes.captions} ${colors.over}`} data-beside={choice.showsSpeech || isTyping}>
        <CaptionLines showsSpeech={choice.showsSpeech} />
        {isTyping && <CaptionField requests={typingRequests} onClose={() => setTyping(false)} />}
      </div>
      <ReadOut readsSpeechOut={choice.readsSpeechOut} />
    </div>
  )
}

/** Lines disappear at the next tick after they were read. */
const tickMs = 1_000

/** Not a live region: changing lines would be read out again and again. */
function CaptionLines({ showsSpeech }: { showsSpeech: boolean }) {
  const { t } = useTranslation(['room', 'call'])
  const { lines } = useCaptionLines()
  const now = useNow(tickMs)
  const groups = shownCaptions(lines, showsSpeech, now.getTime())
  if (groups.length === 0 && !showsSpeech) return null
  return (
    <section
      className={classes.lines}
      aria-label={t('call:captions.title')}
      data-reserved={showsSpeech}
      data-groups={groups.length}
    >
      {groups.length === 0 && <p className={classes.none}>{t('call:captions.none')}</p>}
      {groups.map((group) => (
        <CaptionParagraph key={group.id} group={group} />
      ))}
    </section>
  )
}

type CaptionParagraphProps = {
  group: CaptionGroup
  /** The name has a row of its own, and nothing is cut off. */
  isWhole?: boolean
}

/** Lines of a participant after the name that the room gives them. The latest words are in sight. */
export function CaptionParagraph({ group, isWhole = false }: CaptionParagraphProps) {
  const { t } = useTranslation(['room', 'call'])
  const nameOf = useNameOf()
  return (
    <p className={classes.paragraph} data-whole={isWhole}>
      <span className={classes.sender}>
        {group.isTyped && (
          <IconKeyboard className={classes.typed} size="1em" role="img" aria-label={t('call:captions.isTyped')} />
        )}
        <bdi className={classes.name}>{group.isMine ? t('you') : nameOf(group)}</bdi>
      </span>{' '}
      {/* The text's own direction decides which end of it is cut off. */}
      <span className={classes.words} dir="auto">
        <span>
          {group.lines.map(({ id, text, isFinal, language }) => (
            <span key={id} lang={language ?? undefined} className={classes.line} data-final={isFinal}>
              {text}
            </span>
          ))}
        </span>
      </span>
    </p>
  )
}

/**
 * Real-time text: the others read each letter within a third of a second. Enter ends the line, Escape the typing. A
 * person without the right to speak has no field.
 */
function CaptionField({ requests, onClose }: { requests: number; onClose(): void }) {
  const { t } = useTranslation(['room', 'call'])
  const { room } = useVisited()
  const { hardMuted } = useSnapshot()
  const runAction = useAction()
  const [text, setText] = useState('')
  const field = useRef<HTMLInputElement>(null)
  useReturnFocus()
  const write = (written: string, isFinal: boolean) => {
    setText(isFinal ? '' : written)
    void runAction(() => room.captions.write(written, { isFinal, isTyped: true }), 'captions')
  }
  const latest = useRef({ text, write })
  latest.current = { text, write }
  // biome-ignore lint/correctness/useExhaustiveDependencies: each request focuses the field
  useEffect(() => field.current?.focus({ preventScroll: true }), [requests])
  useEffect(
    () => () => {
      if (latest.current.text !== '') latest.current.write(latest.current.text, true)
    },
    [],
  )
  const handleKey = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return
    if (event.key === 'Enter' && text.trim() !== '') write(text, true)
    if (event.key === 'Escape') onClose()
    if (event.key === 'Enter' || event.key === 'Escape') event.preventDefault()
  }
  return (
    <div className={classes.field}>
      {hardMuted ? (
        <Text>{t('errors.hard_muted')}</Text>
      ) : (
        <TextInput
          ref={field}
          aria-label={t('call:captions.type')}
          placeholder={t('call:captions.type')}
          description={t('call:captions.typeHint')}
          inputWrapperOrder={['label', 'input', 'description', 'error']}
          enterKeyHint="done"
          autoComplete="off"
          dir="auto"
          maxLength={maxCaptionCharacters}
          value={text}
          onChange={({ currentTarget: { value } }) => write(value, false)}
          onKeyDown={handleKey}
        />
      )}
      <CloseButton size="lg" aria-label={t('call:captions.stopTyping')} onClick={onClose} />
    </div>
  )
}

/** As in Announcer.tsx, so that a screen reader does not talk over people all the time. */
const gatherMs = 2_000
/** A screen reader's user would not listen to more at once; the list has everything. */
const maxReadLines = 3

/** Read out what people type, which cannot be heard, and on request what they say: once each line is finished. */
function ReadOut({ readsSpeechOut }: { readsSpeechOut: boolean }) {
  const { t } = useTranslation(['room', 'call'])
  const nameOf = useNameOf()
  const { room } = useVisited()
  const known = useRef<ReadonlySet<number>>(undefined)
  const [read, setRead] = useState<readonly Caption[]>([])
  useEffect(() => {
    const due = () => linesToReadOut(room.captions.snapshot().lines, readsSpeechOut)
    // What came before is not read out when the person chooses to hear what follows.
    known.current = new Set(due().map(({ id }) => id))
    const timer = setInterval(() => {
      const lines = due()
      const fresh = lines.filter(({ id }) => !known.current?.has(id))
      known.current = new Set(lines.map(({ id }) => id))
      if (fresh.length > 0) setRead(fresh.slice(-maxReadLines))
    }, gatherMs)
    return () => clearInterval(timer)
  }, [room, readsSpeechOut])
  return (
    <div className="hidden" role="status" aria-live="polite">
      {read.map((line) => (
        <p key={line.id} lang={line.language ?? undefined}>
          {t(line.isTyped ? 'call:captions.typedBy' : 'call:captions.saidBy', { name: nameOf(line), text: line.text })}
        </p>
      ))}
    </div>
  )
}
