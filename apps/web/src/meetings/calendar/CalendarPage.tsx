import { ActionIcon, Alert, Button, Group, SegmentedControl, Text, Title, useDirection } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { IconChevronLeft, IconChevronRight, IconRss } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { lazy, Suspense, useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ProblemAlert } from '../../session/ProblemAlert.tsx'
import { useDates } from '../../texts/dates.ts'
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
import classes from './CalendarPage.module.css'
import { narrowScreen, shownDays, stepFrom, writeShown } from './calendar-range.ts'
import { OpenedDateLayer } from './DateLink.tsx'

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
        <>
          <Agenda meetings={data.occurrences} today={today} day={day} chosen={chosen} />
          <OpenedDateLayer />
        </>
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

type CalendarHeaderProps = {
  view: CalendarView
  day: Day
  today: Day
  firstWeekday: number
  onShow(change: CalendarSearch): void
}

/** The shown period, navigation, and the choice of view. */
function CalendarHeader({ view, day, today, firstWeekday, onShow }: CalendarHeaderProps) {
  const { t, i18n } = useTranslation('meetings')
  const dates = useDates()
  const { dir } = useDirection()
  const [Earlier, Later] = dir === 'rtl' ? [IconChevronRight, IconChevronLeft] : [IconChevronLeft, IconChevronRight]
  return (
    <Group justify="space-between" gap="sm" mb="md">
      <Group gap="xs">
        <Button variant="default" onClick={() => onShow({ date: today })}>
          {t('days.today')}
        </Button>
        <ActionIcon
          variant="subtle"
          size="lg"
          aria-label={t('calendar.previous')}
          onClick={() => onShow({ date: stepFrom(view, day, -1) })}
        >
          <Earlier size={20} aria-hidden />
        </ActionIcon>
        <ActionIcon
          variant="subtle"
          size="lg"
          aria-label={t('calendar.next')}
          onClick={() => onShow({ date: stepFrom(view, day, 1) })}
        >
          <Later size={20} aria-hidden />
        </ActionIcon>
        <div>
          <Title order={2} size="h4" aria-live="polite" className={classes.shown}>
            {writeShown(view, day, firstWeekday, i18n.language)}
          </Title>
          <Text size="xs" c="dimmed">
            {t('calendar.zone', {
              zone: dates.zone(beginOf(day)),
            })}
          </Text>
        </div>
      </Group>
      <SegmentedControl
        aria-label={t('calendar.view')}
        value={view}
        transitionDuration={0}
        data={calendarViews.map((value) => ({ value, label: t(`calendar.views.${value}`) }))}
        onChange={(value) => {
          const chosen = calendarViews.find((one) => one === value)
          if (chosen !== undefined) onShow({ view: chosen })
        }}
      />
    </Group>
  )
}

const keysOf = { month: 'm', week: 'w', day: 'd', agenda: 'a' } as const

type Shown = { view: CalendarView; day: Day; today: Day; show(change: CalendarSearch): void }

/** Single-key shortcuts of the calendar, the same as in other calendars. */
function useCalendarCommands({ view, day, today, show }: Shown): void {
  const { t } = useTranslation('meetings')
  useCommands(
    // biome-ignore lint/correctness/useExhaustiveDependencies: `show` is new in each render; it uses these only
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
      [t, view, day, today],
    ),
  )
}

const FeedDialog = lazy(async () => ({ default: (await import('../CalendarFeed.tsx')).FeedDialog }))

/** Open the dialog with the calendar's private address. */
function SubscribeButton() {
  const { t } = useTranslation('settings')
  const [isOpened, setOpened] = useState(false)
  return (
    <>
      <Button variant="default" leftSection={<IconRss size={18} aria-hidden />} onClick={() => setOpened(true)}>
        {t('feed.open')}
      </Button>
      <Suspense fallback={null}>{isOpened && <FeedDialog onClose={() => setOpened(false)} />}</Suspense>
    </>
  )
}
