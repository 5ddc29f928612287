import { Alert } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { lazy, Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ProblemAlert } from '../../session/ProblemAlert.tsx'
import { useNow } from '../../ui/hooks/use-now.ts'
import { Page } from '../../ui/Page.tsx'
import { PageSkeleton } from '../../ui/PageSkeleton.tsx'
import { SubscribeButton } from '../feed/SubscribeButton.tsx'
import { datedMeetingsQuery, maxDates } from '../list/dated-meetings.ts'
import { ScheduleButton } from '../ScheduleButton.tsx'
import { namesOfWeekdays } from '../schedule/fields/calendar-words.ts'
import { Agenda } from './Agenda.tsx'
import { CalendarHeader } from './CalendarHeader.tsx'
import { beginOf, dayOf, shownDays } from './calendar-range.ts'
import type { CalendarSearch } from './calendar-search.ts'
import { useCalendarCommands } from './use-calendar-commands.ts'

const CalendarGrid = lazy(async () => ({ default: (await import('./CalendarGrid.tsx')).CalendarGrid }))

/** How long after midnight "today" may still be the previous day. */
const tickMs = 60_000
/** Below this width a month has no room for topics. */
const narrowScreen = '(max-width: 48em)'

/** The account's meetings by date; the server expands series. */
export function CalendarPage() {
  const { t, i18n } = useTranslation(['meetings', 'app'])
  const search = useSearch({ from: '/house/calendar' })
  const navigate = useNavigate({ from: '/calendar' })
  const isNarrow = useMediaQuery(narrowScreen, undefined, { getInitialValueInEffect: false })
  const view = search.view ?? (isNarrow ? 'agenda' : 'month')
  const today = dayOf(useNow(tickMs))
  const day = search.date ?? today
  const firstWeekday = namesOfWeekdays(i18n.language)[0]?.weekday ?? 1
  const { from, to } = shownDays(view, day, firstWeekday)
  const { data, error } = useQuery({
    ...datedMeetingsQuery(beginOf(from), beginOf(to)),
    // Keep the previous days' data while the next ones are fetched, so that the grid does not flicker.
    placeholderData: (before) => before,
  })
  const [chosen, setChosen] = useState(0)
  const show = (change: CalendarSearch) => {
    setChosen((times) => times + 1)
    void navigate({ search: { ...search, ...change }, resetScroll: false })
  }
  useCalendarCommands({ view, day, today, show })
  const shown = { view, day, firstWeekday, meetings: data?.occurrences ?? [] }
  return (
    <Page
      title={t('app:navigation.pages.calendar')}
      actions={
        <>
          <SubscribeButton />
          <ScheduleButton />
        </>
      }
    >
      <CalendarHeader view={view} day={day} today={today} firstWeekday={firstWeekday} onShow={show} />
      <ProblemAlert error={error} />
      {data?.moreAvailable === true && (
        <Alert color="yellow" role="status" mb="md">
          {t('calendar.cut', { limit: new Intl.NumberFormat(i18n.language).format(maxDates) })}
        </Alert>
      )}
      {view === 'agenda' && data !== undefined && (
        <Agenda meetings={data.occurrences} today={today} day={day} chosen={chosen} />
      )}
      {view === 'agenda' && data === undefined && error === null && <PageSkeleton />}
      {view !== 'agenda' && (
        <Suspense fallback={<PageSkeleton />}>
          <CalendarGrid {...shown} view={view} onShow={show} />
        </Suspense>
      )}
    </Page>
  )
}
