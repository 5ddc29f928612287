import { Button, Stack, Title } from '@mantine/core'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { lazy, type ReactNode, Suspense, useEffect, useId, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { ProblemAlert } from '../../session/ProblemAlert.tsx'
import { useDates } from '../../texts/dates.ts'
import { beginOf } from '../../ui/date-time/days.ts'
import { useNow } from '../../ui/hooks/use-now.ts'
import { RowSkeletons } from '../../ui/PageSkeleton.tsx'
import { AnswerButtons } from '../Answers.tsx'
import type { MeetingSearch } from '../search-params.ts'
import rowClasses from './AgendaRow.module.css'
import { AgendaRow } from './AgendaRow.tsx'
import { useAnswering } from './answering.ts'
import { CurrentDates } from './CurrentDates.tsx'
import classes from './DateList.module.css'
import { currentDates, daysOf, isOver, keyOf, monthsOf } from './list-dates.ts'
import { type AgendaDate, agendaQuery, currentDatesQuery } from './list-queries.ts'

/** How often the list follows the clock: a meeting may begin, or a day end. */
const tickMs = 20_000

const NoMeetings = lazy(async () => ({ default: (await import('./NoMeetings.tsx')).NoMeetings }))

type DateListProps = { search: MeetingSearch; onSearch(search: MeetingSearch): void }

/** One of the lists of meetings, page by page. */
export function DateList({ search, onSearch }: DateListProps) {
  const { t } = useTranslation('app')
  const query = useInfiniteQuery(agendaQuery(search))
  const { data, dataUpdatedAt, error, hasNextPage, isFetchingNextPage, fetchNextPage } = query
  const dates = data?.pages.flatMap((page) => page.dates) ?? []
  const isFiltered = search.q !== undefined || search.role !== undefined
  // A search reads some meetings at a time, and goes on with those that follow.
  const isEmpty = data !== undefined && dates.length === 0 && !hasNextPage
  return (
    <>
      <ProblemAlert error={error} />
      {data === undefined && error === null && (
        <Stack aria-busy="true" gap="xs">
          <RowSkeletons rows={6} />
        </Stack>
      )}
      <span role="status" className="hidden">
        {isFiltered && (dates.length > 0 || isEmpty) && t('commands.found', { count: dates.length })}
      </span>
      {isEmpty && (
        <Suspense fallback={null}>
          <NoMeetings search={search} onSearch={onSearch} />
        </Suspense>
      )}
      {dates.length > 0 && <Dates search={search} dates={dates} updatedAt={dataUpdatedAt} isFiltered={isFiltered} />}
      {hasNextPage && (
        <MoreButton count={dates.length} isLoading={isFetchingNextPage} onMore={() => void fetchNextPage()} />
      )}
    </>
  )
}

type DatesProps = { search: MeetingSearch; dates: AgendaDate[]; updatedAt: number; isFiltered: boolean }

function Dates({ search: { when }, dates, updatedAt, isFiltered }: DatesProps) {
  if (when === undefined) {
    return isFiltered ? <DaysAhead dates={dates} /> : <DaysAfterCurrent dates={dates} updatedAt={updatedAt} />
  }
  if (when === 'invitations') return <Invitations dates={dates} />
  if (when === 'past') return <PastMonths dates={dates} />
  return <DatedRows dates={dates} />
}

/** What is running or scheduled now stands above the days, and not in them again. */
function DaysAfterCurrent({ dates, updatedAt }: Pick<DatesProps, 'dates' | 'updatedAt'>) {
  const now = useNow(tickMs)
  // The list has been read with the same state of the rooms.
  const { data } = useQuery({ ...currentDatesQuery, initialData: dates, initialDataUpdatedAt: updatedAt })
  const fresh = new Map(data.map((date) => [keyOf(date), date]))
  const shownAbove = new Set(currentDates(data, now).flatMap((group) => group.dates.map(keyOf)))
  const below = dates
    .map((date) => fresh.get(keyOf(date)) ?? date)
    // A date that has begun and is no longer current was ended.
    .filter((date) => !shownAbove.has(keyOf(date)) && (new Date(date.startTime) > now || fresh.has(keyOf(date))))
  return (
    <>
      <CurrentDates dates={data} />
      <DaysAhead dates={below} />
    </>
  )
}

/** Upcoming dates grouped by day. */
function DaysAhead({ dates }: { dates: readonly AgendaDate[] }) {
  const { t } = useTranslation('meetings')
  const words = useDates()
  const now = useNow(tickMs)
  const ahead = dates.filter((date) => !isOver(date, now))
  return daysOf(ahead, now).map(({ day, kind, dates: ofDay }) => {
    const date = words.dayNear(beginOf(day), now)
    return (
      <Group key={day} name={kind === 'later' ? date : t(`days.${kind}`)} detail={kind === 'later' ? undefined : date}>
        {ofDay.map((one) => (
          <AgendaRow key={keyOf(one)} date={one} day={day} now={now} />
        ))}
      </Group>
    )
  })
}

/** Past dates grouped by month, the latest first. */
function PastMonths({ dates }: { dates: readonly AgendaDate[] }) {
  const words = useDates()
  const now = useNow(tickMs)
  return monthsOf(dates).map(({ month, dates: ofMonth }) => (
    <Group key={month} name={words.month(beginOf(`${month}-01`))}>
      {ofMonth.map((date) => (
        <AgendaRow key={keyOf(date)} date={date} now={now} />
      ))}
    </Group>
  ))
}

type GroupProps = { name: string; detail?: string | undefined; children: ReactNode }

function Group({ name, detail, children }: GroupProps) {
  const headingId = useId()
  return (
    <section className={classes.group} aria-labelledby={headingId}>
      <Title order={2} id={headingId} className={classes.heading}>
        {name}
        {detail !== undefined && (
          <>
            {' '}
            <span className={classes.plain}>{detail}</span>
          </>
        )}
      </Title>
      <ul className={classes.dates}>{children}</ul>
    </section>
  )
}

function DatedRows({ dates }: { dates: readonly AgendaDate[] }) {
  const now = useNow(tickMs)
  return (
    <ul className={classes.dates}>
      {dates.map((date) => (
        <AgendaRow key={keyOf(date)} date={date} now={now} />
      ))}
    </ul>
  )
}

/** Invitations with buttons to answer them. An answered one stays until its answer is sent. */
function Invitations({ dates }: { dates: readonly AgendaDate[] }) {
  const { t } = useTranslation('meetings')
  const now = useNow(tickMs)
  const { answer, answerTo } = useAnswering()
  return (
    <ul className={classes.dates}>
      {dates.map((date) => (
        <AgendaRow
          key={keyOf(date)}
          date={date}
          now={now}
          answer={
            <div className={rowClasses.buttons}>
              <AnswerButtons
                isCompact
                label={t('answering.to', { topic: date.topic })}
                answer={answerTo(date.meetingId)}
                onAnswer={(response) => answer(date, response)}
              />
            </div>
          }
        />
      ))}
    </ul>
  )
}

type MoreButtonProps = { count: number; isLoading: boolean; onMore(): void }

/** Loads the next page when it is pressed, or scrolled near. */
function MoreButton({ count, isLoading, onMore }: MoreButtonProps) {
  const { t } = useTranslation('app')
  const button = useRef<HTMLButtonElement>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: after each page, and not with each render, for which `onMore` is new
  useEffect(() => {
    const watched = button.current
    if (watched === null || isLoading) return
    const observer = new IntersectionObserver(([entry]) => entry?.isIntersecting === true && onMore(), {
      rootMargin: '200px',
    })
    observer.observe(watched)
    return () => observer.disconnect()
  }, [count, isLoading])
  return (
    <Button ref={button} variant="default" mt="md" loading={isLoading} onClick={onMore}>
      {t('showMore')}
    </Button>
  )
}
