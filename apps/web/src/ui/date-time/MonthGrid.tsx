import { ActionIcon, useDirection } from '@mantine/core'
import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react'
import { type KeyboardEvent, type ReactNode, useEffect, useId, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import {
  addDays,
  addMonths,
  beginOf,
  type Day,
  daysInMonthGrid,
  namesOfWeekdays,
  startOfMonth,
  startOfWeek,
  writeDay,
  writeFullDay,
} from './days.ts'
import classes from './MonthGrid.module.css'

type MonthGridProps = {
  /** The day that has the tab stop; its month is shown. */
  day: Day
  onDay(day: Day): void
  today: Day
  chosen: Day | undefined
  onChoose(day: Day): void
  /** `large`: in a layer of its own. `wide`: as wide as its place, with room below the numbers. */
  size?: 'small' | 'large' | 'wide'
  /** Without the name of the month and the buttons to other months, which the place has itself. */
  withoutHead?: boolean
  /** What stands below the number of a day. */
  below?(day: Day): ReactNode
  /** What stands before the week with a day. */
  before?(day: Day): ReactNode
}

const monthsInYear = 12

/** A month of days, with one tab stop and the keys of a date grid (WAI-ARIA Authoring Practices, date picker dialog). */
export function MonthGrid(props: MonthGridProps) {
  const { day, onDay, today, chosen, onChoose, size = 'small', withoutHead = false, below, before } = props
  const { t, i18n } = useTranslation()
  const titleId = useId()
  const grid = useRef<HTMLTableElement>(null)
  const wanted = useRef(false)
  // biome-ignore lint/correctness/useExhaustiveDependencies: the cell of the new day exists after this render
  useEffect(() => {
    if (wanted.current) grid.current?.querySelector<HTMLElement>('button[tabindex="0"]')?.focus()
    wanted.current = false
  }, [day])

  const weekdays = namesOfWeekdays(i18n.language)
  const firstWeekday = weekdays[0]?.weekday ?? 1
  const first = startOfWeek(startOfMonth(day), firstWeekday)
  const days = Array.from({ length: daysInMonthGrid }, (_, at) => addDays(first, at))
  const weeks = Array.from({ length: daysInMonthGrid / 7 }, (_, week) => days.slice(week * 7, week * 7 + 7))
  const title = writeDay(i18n.language, { month: 'long', year: 'numeric' })
  const number = new Intl.NumberFormat(i18n.language, { useGrouping: false })
  const fullDay = writeFullDay(i18n.language)
  // Escape closes the layer, and not a dialog below it.
  const isLayer = size === 'large'
  const stepTo = useSteps(day, firstWeekday)
  const step = (event: KeyboardEvent) => {
    const next = stepTo(event)
    if (next === undefined) return
    event.preventDefault()
    wanted.current = true
    onDay(next)
  }
  return (
    <div className={classes.month} data-size={size}>
      {!withoutHead && (
        <div className={classes.head}>
          <span id={titleId} aria-live="polite" className={classes.title}>
            {title(day)}
          </span>
          <StepButton
            label={t('month.earlier')}
            towards="start"
            isLayer={isLayer}
            onClick={() => onDay(addMonths(day, -1))}
          />
          <StepButton
            label={t('month.later')}
            towards="end"
            isLayer={isLayer}
            onClick={() => onDay(addMonths(day, 1))}
          />
        </div>
      )}
      <table
        ref={grid}
        // biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: a table of buttons is the grid of ARIA
        role="grid"
        {...(withoutHead ? { 'aria-label': title(day) } : { 'aria-labelledby': titleId })}
        className={classes.grid}
      >
        <thead>
          <tr>
            {before !== undefined && <td className={classes.before} />}
            {weekdays.map(({ weekday, long, narrow }) => (
              <th key={weekday} scope="col" abbr={long}>
                <span className="hidden">{long}</span>
                <span aria-hidden>{narrow}</span>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {weeks.map((week) => (
            <tr key={week[0]}>
              {before !== undefined && (
                <th scope="row" className={classes.before}>
                  {before(week[0] ?? day)}
                </th>
              )}
              {week.map((one) => (
                <td key={one}>
                  <button
                    type="button"
                    className={classes.day}
                    tabIndex={one === day ? 0 : -1}
                    data-autofocus={(isLayer && one === day) || undefined}
                    data-mantine-stop-propagation={isLayer || undefined}
                    data-outside={one.slice(0, 7) !== day.slice(0, 7) || undefined}
                    aria-current={one === today ? 'date' : undefined}
                    aria-pressed={one === chosen}
                    onKeyDown={step}
                    onClick={() => onChoose(one)}
                  >
                    <span className="hidden">{fullDay(one)}</span>
                    <span aria-hidden className={classes.number}>
                      {number.format(beginOf(one).getDate())}
                    </span>
                    {below?.(one)}
                  </button>
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

/** The day that a key leads to. */
function useSteps(day: Day, firstWeekday: number) {
  const { dir } = useDirection()
  const forwards = dir === 'rtl' ? -1 : 1
  return ({ key, shiftKey }: KeyboardEvent): Day | undefined => {
    switch (key) {
      case 'ArrowRight':
        return addDays(day, forwards)
      case 'ArrowLeft':
        return addDays(day, -forwards)
      case 'ArrowDown':
        return addDays(day, 7)
      case 'ArrowUp':
        return addDays(day, -7)
      case 'Home':
        return startOfWeek(day, firstWeekday)
      case 'End':
        return addDays(startOfWeek(day, firstWeekday), 6)
      case 'PageUp':
        return addMonths(day, shiftKey ? -monthsInYear : -1)
      case 'PageDown':
        return addMonths(day, shiftKey ? monthsInYear : 1)
      default:
        return undefined
    }
  }
}

type StepButtonProps = { label: string; towards: 'start' | 'end'; isLayer: boolean; onClick(): void }

function StepButton({ label, towards, isLayer, onClick }: StepButtonProps) {
  const { dir } = useDirection()
  const Icon = (towards === 'start') === (dir === 'ltr') ? IconChevronLeft : IconChevronRight
  return (
    <ActionIcon
      variant="subtle"
      color="gray"
      size="md"
      aria-label={label}
      data-mantine-stop-propagation={isLayer || undefined}
      className={classes.step ?? ''}
      onClick={onClick}
    >
      <Icon size={16} aria-hidden />
    </ActionIcon>
  )
}
