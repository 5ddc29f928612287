import { Alert } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { lazy, memo, Suspense, useCallback, useDeferredValue, useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ProblemAlert } from '../../session/ProblemAlert.tsx'
import { beginOf, type Day, dayOf, namesOfWeekdays } from '../../ui/date-time/days.ts'
import { useNow } from '../../ui/hooks/use-now.ts'
import { useCommands } from '../../ui/keyboard/commands.ts'
import { Page } from '../../ui/Page.tsx'
import { PageSkeleton } from '../../ui/PageSkeleton.tsx'
import { ScheduleButton } from '../MeetingButtons.tsx'
import { datedMeetingsQuery, maxDates } from '../meeting-queries.ts'
import { type CalendarSearch, type CalendarView, calendarViews } from '../search-params.ts'
import { useRememberedPlace } from '../way-back.ts'
import { Agenda } from './Agenda.tsx'
import { CalendarHeader } from './CalendarHeader.tsx'
import type { CalendarDate } from './calendar-dates.ts'
import { narrowScreen, shownDays, stepFrom } from './calendar-range.ts'
import { useCalendarSettings } from './calendar-settings.ts'
import { OpenedDateLayer } from './DateLink.tsx'
import { PhoneMonth } from './PhoneMonth.tsx'
import { useSwipe } from './use-swipe.ts'

const CalendarGrid = lazy(async () => ({ default: (await import('./CalendarGrid.tsx')).CalendarGrid }))

/** How long after midnight "today" may still be the previous day. */
const tickMs = 60_000

/** The account's meetings by date; the server expands series. */
export function CalendarPage() {
  const { t, i18n } = useTranslation(['meetings', 'app'])
  const search = useSearch({ from: '/signed-in/calendar' })
  useRememberedPlace({ page: 'calendar', search })
  const navigate = useNavigate({ from: '/calendar' })
  const isNarrow = useMediaQuery(narrowScreen, undefined, { getInitialValueInEffect: false })
  const [settings, changeSettings] = useCalendarSettings()
  const view = search.view ?? settings.view ?? (isNarrow ? 'agenda' : 'month')
  const today = dayOf(useNow(tickMs))
  const day = search.date ?? today
  const firstWeekday = namesOfWeekdays(i18n.language)[0]?.weekday ?? 1
  const { from, to } = shownDays(view, day, firstWeekday)
  const { data, error } = useQuery({
    ...datedMeetingsQuery(beginOf(from), beginOf(to)),
    // Keep the previous days' data while the next ones are fetched, so that the grid does not flicker.
    placeholderData: (before) => before,
  })
  const occurrences = data?.occurrences
  const [chosen, setChosen] = useState(0)
  const show = useCallback(
    (change: CalendarSearch) => {
      setChosen((times) => times + 1)
      if (change.view !== undefined) changeSettings({ view: change.view })
      void navigate({ search: (before) => ({ ...before, ...change }), resetScroll: false })
    },
    [navigate, changeSettings],
  )
  useCalendarCommands({ view, day, today, show })
  const swipe = useSwipe((direction) => show({ date: stepFrom(view, day, direction) }))
  const { weekNumbers = false, secondZone } = settings
  const asked = useMemo(
    () => ({ view, day, firstWeekday, range: { from, to }, occurrences, chosen, weekNumbers, secondZone }),
    [view, day, firstWeekday, from, to, occurrences, chosen, weekNumbers, secondZone],
  )
  // Hundreds of dates are drawn after the input that asked for them was answered, and the title changes with them.
  const shown = useDeferredValue(asked)
  return (
    <Page title={t('app:navigation.pages.calendar')} isCompact {...(!isNarrow && { actions: <ScheduleButton /> })}>
      <CalendarHeader
        view={view}
        day={day}
        shown={shown}
        today={today}
        firstWeekday={firstWeekday}
        isNarrow={isNarrow === true}
        onShow={show}
      />
      <ProblemAlert error={error} />
      {data?.moreAvailable === true && (
        <Alert color="yellow" role="status" mb="md">
          {t('calendar.cut', { limit: new Intl.NumberFormat(i18n.language).format(maxDates) })}
        </Alert>
      )}
      <div aria-busy={shown !== asked}>
        <ShownDates
          {...shown}
          hasFailed={error !== null}
          today={today}
          isNarrow={isNarrow === true}
          swipe={swipe}
          onShow={show}
        />
      </div>
      {(shown.view === 'agenda' || (isNarrow && shown.view === 'month')) && <OpenedDateLayer />}
    </Page>
  )
}

type ShownDatesProps = {
  view: CalendarView
  day: Day
  firstWeekday: number
  range: { from: Day; to: Day }
  /** Undefined until the first ones are read. */
  occurrences: readonly CalendarDate[] | undefined
  chosen: number
  weekNumbers: boolean
  secondZone: string | undefined
  hasFailed: boolean
  today: Day
  isNarrow: boolean
  swipe: ReturnType<typeof useSwipe>
  onShow(change: CalendarSearch): void
}

const noDates: readonly CalendarDate[] = []

/** The dates in the chosen view. They are rendered only when others are shown, not at each change of the page. */
const ShownDates = memo(function ShownDates(props: ShownDatesProps) {
  const { view, day, firstWeekday, range, occurrences, chosen, hasFailed, today, isNarrow, swipe, onShow } = props
  const shown = { day, firstWeekday, meetings: occurrences ?? noDates, weekNumbers: props.weekNumbers, onShow }
  if (isNarrow && view === 'month') return <PhoneMonth {...shown} today={today} swipe={swipe} />
  return (
    <div {...(isNarrow && view !== 'agenda' ? swipe : {})}>
      {view === 'agenda' && occurrences !== undefined && (
        <Agenda meetings={occurrences} range={range} today={today} day={day} chosen={chosen} />
      )}
      {view === 'agenda' && occurrences === undefined && !hasFailed && <PageSkeleton />}
      {view !== 'agenda' && (
        <Suspense fallback={<PageSkeleton />}>
          <CalendarGrid {...shown} view={view} secondZone={props.secondZone} />
        </Suspense>
      )}
    </div>
  )
})

const keysOf = { month: 'm', week: 'w', day: 'd', agenda: 'a' } as const

type Shown = { view: CalendarView; day: Day; today: Day; show(change: CalendarSearch): void }

/** Single-key shortcuts of the calendar, the same as in other calendars. */
function useCalendarCommands({ view, day, today, show }: Shown): void {
  const { t } = useTranslation('meetings')
  useCommands(
    useMemo(
      () => [
        { id: 'calendar-today', label: t('days.today'), keys: 't', run: () => show({ date: today }) },
        {
          id: 'calendar-previous',
          label: t('calendar.previous'),
          keys: 'p',
          run: () => show({ date: stepFrom(view, day, -1) }),
        },
        {
          id: 'calendar-next',
          label: t('calendar.next'),
          keys: 'n',
          run: () => show({ date: stepFrom(view, day, 1) }),
        },
        ...calendarViews.map((one) => ({
          id: `calendar-${one}`,
          label: `${t('calendar.view')}: ${t(`calendar.views.${one}`)}`,
          keys: keysOf[one],
          run: () => show({ view: one }),
        })),
      ],
      [t, view, day, today, show],
    ),
  )
}
