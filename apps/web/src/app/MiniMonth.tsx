import { ActionIcon, useDirection } from '@mantine/core'
import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react'
import { useNavigate, useRouterState } from '@tanstack/react-router'
import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import {
  addDays,
  addMonths,
  beginOf,
  type Day,
  dayOf,
  shownDays,
  writeFullDay,
} from '../meetings/calendar/calendar-range.ts'
import { namesOfWeekdays } from '../meetings/schedule/calendar-words.ts'
import { readCalendarSearch } from '../meetings/search-params.ts'
import { regional } from '../texts/dates.ts'
import { useNow } from '../ui/hooks/use-now.ts'
import classes from './MiniMonth.module.css'

/** How long after midnight "today" may still be the previous day. */
const tickMs = 60_000

const weeks = [0, 1, 2, 3, 4, 5]

/** A month whose days open the calendar, with one tab stop and the keys of a date grid. */
export function MiniMonth({ onNavigate }: { onNavigate?: () => void }) {
  const { t, i18n } = useTranslation()
  const titleId = useId()
  const navigate = useNavigate()
  const today = dayOf(useNow(tickMs))
  const { opened, view } = useOpenedDay()
  // The day that has the tab stop; its month is shown.
  const [day, setDay] = useState<Day>(opened ?? today)
  useEffect(() => {
    if (opened !== undefined) setDay(opened)
  }, [opened])

  const grid = useRef<HTMLTableElement>(null)
  const wanted = useRef(false)
  // biome-ignore lint/correctness/useExhaustiveDependencies: the cell of the new day exists after this render
  useEffect(() => {
    if (wanted.current) grid.current?.querySelector<HTMLElement>('button[tabindex="0"]')?.focus()
    wanted.current = false
  }, [day])

  const weekdays = namesOfWeekdays(i18n.language)
  const first = shownDays('month', day, weekdays[0]?.weekday ?? 1).from
  const days = (week: number) => weekdays.map((_, at) => addDays(first, week * 7 + at))
  const title = new Intl.DateTimeFormat(regional(i18n.language), { month: 'long', year: 'numeric' })
  const number = new Intl.NumberFormat(i18n.language, { useGrouping: false })
  const fullDay = writeFullDay(i18n.language)
  const open = (date: Day) => {
    void navigate({ to: '/calendar', search: { date, view } })
    onNavigate?.()
  }
  const stepTo = useSteps(day, weekdays[0]?.weekday ?? 1)
  const step = (event: KeyboardEvent) => {
    const next = stepTo(event)
    if (next === undefined) return
    event.preventDefault()
    wanted.current = true
    setDay(next)
  }
  return (
    <section className={classes.month} aria-label={t('month.title')}>
      <div className={classes.head}>
        <span id={titleId} aria-live="polite" className={classes.title}>
          {title.format(beginOf(day))}
        </span>
        <StepButton label={t('month.earlier')} towards="start" onClick={() => setDay(addMonths(day, -1))} />
        <StepButton label={t('month.later')} towards="end" onClick={() => setDay(addMonths(day, 1))} />
      </div>
      <table ref={grid} aria-labelledby={titleId} className={classes.grid}>
        <thead>
          <tr>
            {weekdays.map(({ weekday, long }) => (
              <th key={weekday} scope="col" abbr={long}>
                <span className="hidden">{long}</span>
                <span aria-hidden>{narrowWeekday(i18n.language, weekday)}</span>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {weeks.map((week) => (
            <tr key={week}>
              {days(week).map((one) => (
                <td key={one}>
                  <button
                    type="button"
                    className={classes.day}
                    tabIndex={one === day ? 0 : -1}
                    data-outside={one.slice(0, 7) !== day.slice(0, 7) || undefined}
                    aria-current={one === today ? 'date' : undefined}
                    aria-pressed={one === opened}
                    onKeyDown={step}
                    onClick={() => open(one)}
                  >
                    <span className="hidden">{fullDay(one)}</span>
                    <span aria-hidden>{number.format(beginOf(one).getDate())}</span>
                  </button>
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}

/** The day that the calendar shows, and the view in which another day is opened. */
function useOpenedDay() {
  const { pathname, search } = useRouterState({ select: ({ location }) => location })
  if (pathname !== '/calendar') return { opened: undefined, view: 'day' as const }
  const { date, view } = readCalendarSearch(search)
  // A month would not show which day was chosen.
  return { opened: date, view: view === 'week' || view === 'agenda' ? view : ('day' as const) }
}

/** The day that a key leads to. */
function useSteps(day: Day, firstWeekday: number) {
  const { dir } = useDirection()
  const forwards = dir === 'rtl' ? -1 : 1
  const inWeek = (beginOf(day).getDay() - firstWeekday + 7) % 7
  return ({ key }: KeyboardEvent): Day | undefined => {
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
        return addDays(day, -inWeek)
      case 'End':
        return addDays(day, 6 - inWeek)
      case 'PageUp':
        return addMonths(day, -1)
      case 'PageDown':
        return addMonths(day, 1)
      default:
        return undefined
    }
  }
}

type StepButtonProps = { label: string; towards: 'start' | 'end'; onClick(): void }

function StepButton({ label, towards, onClick }: StepButtonProps) {
  const { dir } = useDirection()
  const Icon = (towards === 'start') === (dir === 'ltr') ? IconChevronLeft : IconChevronRight
  return (
    <ActionIcon
      variant="subtle"
      color="gray"
      size="md"
      aria-label={label}
      className={classes.step ?? ''}
      onClick={onClick}
    >
      <Icon size={16} aria-hidden />
    </ActionIcon>
  )
}

/** 2024-09-01 was a Sunday. */
const narrowWeekday = (language: string, weekday: number) =>
  new Intl.DateTimeFormat(language, { weekday: 'narrow' }).format(new Date(2024, 8, 1 + weekday))
