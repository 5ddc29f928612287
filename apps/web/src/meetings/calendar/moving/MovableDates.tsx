import { Button, Group, Paper, Text, useDirection } from '@mantine/core'
import { invitationResponses } from '@parley/contract'
import {
  type KeyboardEvent,
  lazy,
  type PointerEvent,
  type ReactNode,
  Suspense,
  useDeferredValue,
  useEffect,
  useId,
  useLayoutEffect,
  useMemo,
  useRef,
} from 'react'
import { useTranslation } from 'react-i18next'
import { useDates } from '../../../texts/dates.ts'
import { useCommands } from '../../../ui/keyboard/commands.ts'
import { showToast } from '../../../ui/toast.ts'
import classes from '../CalendarGrid.module.css'
import { type CalendarDate, isSameDate, placeOf } from '../calendar-dates.ts'
import { OpenedDateLayer } from '../DateLink.tsx'
import { moveTimes, shiftOfKey, stepLength, stepToQuarter, type Times } from './moves.ts'
import { useGliding } from './use-gliding.ts'
import { ignoreClick, MoveContext, minDragPixels, useMoving } from './use-moving.ts'

const MoveConfirmation = lazy(async () => ({ default: (await import('./MoveConfirmation.tsx')).MoveConfirmation }))

const answers = [...invitationResponses, 'none'] as const

type MovableDatesProps = {
  meetings: readonly CalendarDate[]
  isMonth: boolean
  /** The view and the days that are shown. */
  period: string
  /** A date is moved by keys: the calendar shows the days where it is. */
  onShow(times: Times): void
  /** The grid with these dates. */
  children(meetings: readonly CalendarDate[]): ReactNode
}

/**
 * Let hosts move dates in the grid, and change their length: by dragging, which a finger begins with a rest, because one
 * that moves at once scrolls; and by keys after Space. The dragging of `@mantine/schedule` is that of HTML: it moves no
 * meeting that passes midnight, and begins with a long press on Android.
 */
export function MovableDates({ meetings, isMonth, period, onShow, children }: MovableDatesProps) {
  const { t } = useTranslation(['occurrence', 'meetings'])
  const grid = useRef<HTMLDivElement>(null)
  const hintId = useId()
  const { moving, shown, canMove, confirm, end, endUndo, show, beginByKeys, beginByPointer } = useMoving(grid, meetings)
  const isByPointer = moving?.by === 'pointer'
  useCommands(
    useMemo(() => [{ id: 'calendar-move', label: t('move.command'), keys: 'space', held: true, run: () => {} }], [t]),
  )
  const place = moving && placeOf({ ...moving.date, ...moving.times })
  const isByKeys = moving?.by === 'keys'
  useEffect(() => {
    if (isByKeys) grid.current?.querySelector(`[data-date="${place}"]`)?.scrollIntoView({ block: 'nearest' })
  }, [isByKeys, place])

  const refuse = () => showToast({ about: 'not-yours', message: t('move.notYours') })
  const refusal = {
    draggable: false,
    onPointerDown: (event: PointerEvent) => onDrag(event, refuse),
    onKeyDown(event: KeyboardEvent) {
      if (event.key !== ' ') return
      event.preventDefault()
      refuse()
    },
  }
  const propsOf = (date: CalendarDate) => {
    const isMoving = moving !== undefined && moving.by !== 'finished' && isSameDate(moving.date, date)
    if (isMoving) return { 'data-moving': true, draggable: false } as const
    if (!canMove(date)) return date.role === 'participant' ? refusal : {}
    return {
      'data-movable': true,
      // The browser would drag the link.
      draggable: false,
      'aria-describedby': date.response === undefined ? hintId : `${hintId} ${hintId}-${date.response}`,
      'aria-keyshortcuts': 'Space',
      onPointerDown(event: PointerEvent<HTMLElement>) {
        const isInGrid = grid.current?.contains(event.currentTarget) === true
        if (event.button !== 0 || event.ctrlKey || event.metaKey || !isInGrid) return
        const isEnd = event.target instanceof Element && event.target.closest('[data-end]') !== null
        beginByPointer(date, event, isEnd ? 'end' : 'whole')
      },
      onKeyDown(event: KeyboardEvent<HTMLElement>) {
        if (event.key !== ' ') return
        event.preventDefault()
        beginByKeys(date)
      },
    } as const
  }
  const isTaken = moving !== undefined && moving.by !== 'finished'
  // biome-ignore lint/correctness/useExhaustiveDependencies: `shown` and `propsOf` are new in each render; they use these only
  const changed = useMemo(() => ({ shown, moves: { propsOf } }), [meetings, moving?.date, moving?.times, isTaken, t])
  // A grid of hundreds of dates follows the pointer when there is time for it, and answers the pointer's events before.
  const deferred = useDeferredValue(changed)
  const rendered = isByPointer ? deferred : changed
  useGliding(grid, rendered.shown, { period, isOn: !isByPointer })
  const dates = useMemo(
    () => <MoveContext value={rendered.moves}>{children(rendered.shown)}</MoveContext>,
    [rendered, children],
  )
  return (
    <div ref={grid} data-dragging={isByPointer || undefined}>
      <span id={hintId} className="hidden">
        {t('move.hint')}
      </span>
      {answers.map((answer) => (
        <span key={answer} id={`${hintId}-${answer}`} className="hidden">
          {t(`meetings:calendar.own.${answer}`)}
        </span>
      ))}
      {dates}
      <OpenedDateLayer onMove={beginByKeys} />
      <Suspense fallback={null}>
        {moving?.by === 'keys' && (
          <MoveByKeys
            date={moving.date}
            times={moving.times}
            isMonth={isMonth}
            onMove={(times) => {
              show(times)
              onShow(times)
            }}
            onConfirm={() => confirm(moving.date, moving.times)}
            onCancel={() => {
              onShow(moving.date)
              end(moving.date)
            }}
          />
        )}
        {moving?.by === 'confirmation' && (
          <MoveConfirmation date={moving.date} times={moving.times} onEnd={end} onUndone={endUndo} />
        )}
      </Suspense>
    </div>
  )
}

/** Call `explain` at an attempt to drag with a mouse or a pen. */
function onDrag(pressed: PointerEvent, explain: () => void): void {
  if (pressed.pointerType === 'touch' || pressed.button !== 0) return
  const ending = new AbortController()
  const { signal } = ending
  addEventListener(
    'pointermove',
    (event) => {
      if (Math.hypot(event.clientX - pressed.clientX, event.clientY - pressed.clientY) < minDragPixels) return
      ending.abort()
      ignoreClick(false)
      explain()
    },
    { signal },
  )
  for (const over of ['pointerup', 'pointercancel']) addEventListener(over, () => ending.abort(), { signal })
}

type MoveByKeysProps = {
  date: CalendarDate
  times: Times
  /** Whether up and down are weeks, as in a month. */
  isMonth: boolean
  onMove(times: Times): void
  onConfirm(): void
  onCancel(): void
}

/** Move a date with the arrow keys, or with buttons. The new time is announced after each step. */
function MoveByKeys({ date, times, isMonth, onMove, onConfirm, onCancel }: MoveByKeysProps) {
  const { t } = useTranslation(['occurrence', 'app'])
  const dates = useDates()
  const { dir } = useDirection()
  const [headingId, keysId] = [useId(), useId()]
  const bar = useRef<HTMLDivElement>(null)
  // Before the bar is painted: a key pressed at once is one of its keys.
  useLayoutEffect(() => bar.current?.focus(), [])

  const byDays = (days: number) => onMove(moveTimes(times, { days, minutes: 0 }))
  const byQuarter = (direction: 1 | -1) =>
    onMove(moveTimes(times, { days: 0, minutes: stepToQuarter(times.startTime, direction) }))
  const press = (event: KeyboardEvent) => {
    const { key } = event
    const isLength = event.shiftKey && (key === 'ArrowUp' || key === 'ArrowDown')
    const shift = isLength
      ? undefined
      : shiftOfKey(key, { startTime: times.startTime, isMonth, isRightToLeft: dir === 'rtl' })
    const isConfirmed = key === 'Enter' && !(event.target instanceof HTMLButtonElement)
    if (shift === undefined && !isLength && !isConfirmed && key !== 'Escape') return
    event.preventDefault()
    event.stopPropagation()
    if (isLength) onMove(stepLength(times, key === 'ArrowDown' ? 1 : -1))
    else if (shift !== undefined) onMove(moveTimes(times, shift))
    else if (isConfirmed) onConfirm()
    else onCancel()
  }
  const buttons = [
    ...(isMonth
      ? []
      : [
          { label: t('move.earlier'), run: () => byQuarter(-1) },
          { label: t('move.later'), run: () => byQuarter(1) },
        ]),
    { label: t('move.dayBefore'), run: () => byDays(-1) },
    { label: t('move.dayAfter'), run: () => byDays(1) },
    { label: t('move.shorter'), run: () => onMove(stepLength(times, -1)) },
    { label: t('move.longer'), run: () => onMove(stepLength(times, 1)) },
  ]
  return (
    <Paper
      ref={bar}
      className={classes.bar}
      withBorder
      shadow="md"
      p="md"
      // Screen readers pass the arrow keys on.
      role="application"
      tabIndex={-1}
      data-own-keys
      aria-labelledby={headingId}
      aria-describedby={keysId}
      onKeyDown={press}
    >
      <Text fw={600} id={headingId}>
        {t('move.name', { topic: date.topic })}
      </Text>
      <Text aria-live="assertive" aria-atomic>
        {dates.range(times.startTime, times.endTime)}
      </Text>
      <Text size="sm" c="dimmed" id={keysId} mb="sm">
        {t('move.keys')}
      </Text>
      <Group gap="xs">
        {buttons.map(({ label, run }) => (
          <Button key={label} variant="default" size="compact-sm" onClick={run}>
            {label}
          </Button>
        ))}
        <Button variant="default" size="compact-sm" onClick={onCancel} ms="auto">
          {t('app:cancel')}
        </Button>
        <Button size="compact-sm" onClick={onConfirm}>
          {t('move.confirm.time')}
        </Button>
      </Group>
    </Paper>
  )
}
