import { Button, Stack, Text, Title } from '@mantine/core'
import type { ListedMeetingReply } from '@parley/contract'
import { useInfiniteQuery } from '@tanstack/react-query'
import { lazy, Suspense, useId } from 'react'
import { useTranslation } from 'react-i18next'
import { ProblemAlert } from '../../session/ProblemAlert.tsx'
import { ownTimeZone, writeDay } from '../../texts/dates.ts'
import { RowSkeletons } from '../../ui/PageSkeleton.tsx'
import { beginOf } from '../calendar/calendar-range.ts'
import { meetingsQuery } from '../meeting-queries.ts'
import { useCurrentDates } from '../use-current-dates.ts'
import { canJoinNow, daysOf } from './list-days.ts'
import classes from './MeetingList.module.css'
import { MeetingRow } from './MeetingRow.tsx'
import type { MeetingSearch } from './meeting-search.ts'

/** How often the list follows the clock: a meeting may begin, or a day end. */
const tickMs = 20_000

const NoMeetings = lazy(async () => ({ default: (await import('./NoMeetings.tsx')).NoMeetings }))

type MeetingListProps = { search: MeetingSearch; onClear(): void }

/** The filtered meetings, page by page. */
export function MeetingList({ search, onClear }: MeetingListProps) {
  const { t } = useTranslation(['meetings', 'app'])
  const { data, error, hasNextPage, isFetchingNextPage, fetchNextPage } = useInfiniteQuery(meetingsQuery(search))
  const total = data?.pages[0]?.totalCount
  const meetings = data?.pages.flatMap(({ meetingDetails }) => meetingDetails) ?? []
  return (
    <>
      <ProblemAlert error={error} />
      {data === undefined && error === null && (
        <Stack aria-busy="true" mt="xl">
          <RowSkeletons rows={4} />
        </Stack>
      )}
      <Text role="status" mb="sm" c="dimmed" size="sm">
        {total !== undefined && total > 0 && t(`count.${search.when ?? 'ahead'}`, { count: total })}
      </Text>
      {total === 0 && (
        <Suspense fallback={null}>
          <NoMeetings filtered={Object.keys(search).length > 0} onClear={onClear} />
        </Suspense>
      )}
      {meetings.length > 0 && search.when === undefined && <DaysAhead meetings={meetings} />}
      {meetings.length > 0 && search.when !== undefined && (
        <ul className={classes.meetings}>
          {meetings.map((meeting) => (
            <MeetingRow key={meeting._id} meeting={meeting} />
          ))}
        </ul>
      )}
      {hasNextPage && (
        <Button variant="default" mt="md" loading={isFetchingNextPage} onClick={() => fetchNextPage()}>
          {t('app:showMore')}
        </Button>
      )}
    </>
  )
}

/** Upcoming meetings grouped by day. */
function DaysAhead({ meetings }: { meetings: readonly ListedMeetingReply[] }) {
  const { t, i18n } = useTranslation('meetings')
  const headingId = useId()
  const { now, dates } = useCurrentDates(tickMs)
  return daysOf(meetings, now).map(({ day, kind, meetings: ofDay }) => (
    <section key={day} className={classes.day} aria-labelledby={headingId + day}>
      <Title order={2} size="h6" id={headingId + day} className={classes.name}>
        {kind !== 'later' && `${t(`days.${kind}`)} · `}
        {writeDay(beginOf(day), { language: i18n.language, timeZone: ownTimeZone() })}
      </Title>
      <ul className={classes.meetings}>
        {ofDay.map((meeting) => (
          <MeetingRow key={meeting._id} meeting={meeting} day={day} joins={canJoinNow(meeting, dates ?? [], now)} />
        ))}
      </ul>
    </section>
  ))
}
