import { Button, Stack, Text } from '@mantine/core'
import { IconCalendar, IconSearchOff } from '@tabler/icons-react'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { ProblemAlert } from '../session/ProblemAlert.tsx'
import { EmptyState } from '../ui/EmptyState.tsx'
import { RowSkeletons } from '../ui/PageSkeleton.tsx'
import classes from './MeetingList.module.css'
import { MeetingRow } from './MeetingRow.tsx'
import { meetingsQuery } from './meeting-queries.ts'
import type { MeetingSearch } from './meeting-search.ts'
import { ScheduleButton } from './ScheduleButton.tsx'
import { useNextDates } from './use-next-dates.ts'

type MeetingListProps = { search: MeetingSearch; onClear(): void }

/** What the filters leave, a page at a time. */
export function MeetingList({ search, onClear }: MeetingListProps) {
  const { t } = useTranslation('meetings')
  const { data, error, hasNextPage, isFetchingNextPage, fetchNextPage } = useInfiniteQuery(meetingsQuery(search))
  const total = data?.pages[0]?.totalCount
  const meetings = data?.pages.flatMap(({ meetingDetails }) => meetingDetails) ?? []
  // What is over or cancelled has nothing ahead.
  const nextDates = useNextDates(search.when === undefined ? meetings : [])
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
      {total === 0 && <NoMeetings search={search} onClear={onClear} />}
      {meetings.length > 0 && (
        <ul className={classes.meetings}>
          {meetings.map((meeting) => (
            <MeetingRow key={meeting._id} meeting={meeting} next={nextDates.get(meeting._id)} />
          ))}
        </ul>
      )}
      {hasNextPage && (
        <Button variant="default" mt="md" loading={isFetchingNextPage} onClick={() => fetchNextPage()}>
          {t('more')}
        </Button>
      )}
    </>
  )
}

/** Why the list is empty, and what to do about it. */
function NoMeetings({ search, onClear }: MeetingListProps) {
  const { t } = useTranslation('meetings')
  const filtered = Object.keys(search).length > 0
  return filtered ? (
    <EmptyState
      icon={<IconSearchOff size={40} />}
      title={t('noMatch')}
      explanation={t('noMatchExplanation')}
      action={
        <Button variant="default" onClick={onClear}>
          {t('filter.reset')}
        </Button>
      }
    />
  ) : (
    <EmptyState
      icon={<IconCalendar size={40} />}
      title={t('none')}
      explanation={t('noneExplanation')}
      action={<ScheduleButton />}
    />
  )
}
