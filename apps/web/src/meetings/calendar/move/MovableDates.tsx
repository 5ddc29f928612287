import {
  type KeyboardEvent,
  lazy,
  type PointerEvent,
  type ReactNode,
  Suspense,
  useEffect,
  useId,
  useMemo,
  useRef,
} from 'react'
import { useTranslation } from 'react-i18next'
import { useCommands } from '../../../ui/keyboard/commands.ts'
import { type CalendarDate, isSameDate, placeOf } from './calendar-date.ts'
import { MoveByKeys } from './MoveByKeys.tsx'
import { MoveContext } from './move-context.ts'
import type { Times } from './moved-times.ts'
import { useMoving } from './use-moving.ts'

const MoveConfirmation = lazy(async () => ({ default: (await import('./MoveConfirmation.tsx')).MoveConfirmation }))

type MovableDatesProps = {
  meetings: readonly CalendarDate[]
  isMonth: boolean
  /** A date is moved by keys: the calendar shows the days where it is. */
  onShow(times: Times): void
  /** The grid with these dates. */
  children(meetings: readonly CalendarDate[]): ReactNode
}

/**
 * Let hosts move dates in the grid: with a mouse or a pen by dragging, by keys after Space. Fingers scroll; on a touch
 * screen a date is moved on its page. The dragging of `@mantine/schedule` is that of HTML: it moves no meeting that
 * passes midnight, and begins with a long press on Android.
 */
export function MovableDates({ meetings, isMonth, onShow, children }: MovableDatesProps) {
  const { t } = useTranslation('occurrence')
  const grid = useRef<HTMLDivElement>(null)
  const hintId = useId()
  const { moving, shown, canMove, confirm, end, show, beginByKeys, beginByPointer } = useMoving(grid, meetings)
  useCommands(
    useMemo(() => [{ id: 'calendar-move', label: t('move.command'), keys: 'space', held: true, run: () => {} }], [t]),
  )
  const place = moving && placeOf({ ...moving.date, ...moving.times })
  const isByKeys = moving?.by === 'keys'
  useEffect(() => {
    if (isByKeys) grid.current?.querySelector(`[data-date="${place}"]`)?.scrollIntoView({ block: 'nearest' })
  }, [isByKeys, place])

  const propsOf = (date: CalendarDate) => {
    const isMoving = moving !== undefined && moving.by !== 'finished' && isSameDate(moving.date, date)
    if (isMoving) return { 'data-moving': true, draggable: false } as const
    if (!canMove(date)) return {}
    return {
      'data-movable': true,
      // The browser would drag the link.
      draggable: false,
      'aria-describedby': hintId,
      'aria-keyshortcuts': 'Space',
      onPointerDown(event: PointerEvent<HTMLElement>) {
        const isInGrid = grid.current?.contains(event.currentTarget) === true
        if (event.pointerType === 'touch' || event.button !== 0 || event.ctrlKey || event.metaKey || !isInGrid) return
        beginByPointer(date, event)
      },
      onKeyDown(event: KeyboardEvent<HTMLElement>) {
        if (event.key !== ' ') return
        event.preventDefault()
        beginByKeys(date)
      },
    } as const
  }
  return (
    <div ref={grid} data-dragging={moving?.by === 'pointer' || undefined}>
      <span id={hintId} className="hidden">
        {t('move.hint')}
      </span>
      <MoveContext value={{ propsOf }}>{children(shown)}</MoveContext>
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
        {moving?.by === 'confirmation' && <MoveConfirmation date={moving.date} times={moving.times} onEnd={end} />}
      </Suspense>
    </div>
  )
}
