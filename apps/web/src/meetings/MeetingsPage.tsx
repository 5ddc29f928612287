import { Stack, Text } from '@mantine/core'
import { listMeetings } from '@parley/contract'
import { IconCalendar } from '@tabler/icons-react'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { client } from '../session/client.ts'
import { ProblemAlert } from '../session/ProblemAlert.tsx'
import { ownTimeZone, writeSpan } from '../texts/dates.ts'
import { EmptyState } from '../ui/EmptyState.tsx'
import { Page } from '../ui/Page.tsx'
import { RowSkeletons } from '../ui/PageSkeleton.tsx'
import classes from './MeetingsPage.module.css'

const shownAtOnce = 20

const comingMeetings = queryOptions({
  queryKey: ['meetings', 'coming'],
  queryFn: () => client.call(listMeetings, { params: { userId: 'me' }, query: { past: false, limit: shownAtOnce } }),
})

export function MeetingsPage() {
  const { t, i18n } = useTranslation('meetings')
  const { data, error } = useQuery(comingMeetings)
  const where = { language: i18n.language, timeZone: ownTimeZone() }
  return (
    <Page title={t('title')}>
      <ProblemAlert error={error} />
      {data === undefined && error === null && (
        <Stack aria-busy="true">
          <RowSkeletons rows={4} />
        </Stack>
      )}
      {data?.totalCount === 0 && (
        <EmptyState icon={<IconCalendar size={40} />} title={t('none')} explanation={t('noneExplanation')} />
      )}
      {data !== undefined && data.totalCount > 0 && (
        <>
          <Text mb="sm">{t('ahead', { count: data.totalCount })}</Text>
          <ul className={classes.meetings}>
            {data.meetingDetails.map(({ _id, topic, startTime, endTime }) => (
              <li key={_id}>
                <strong>{topic}</strong>
                <Text c="dimmed">{writeSpan(startTime, endTime, where)}</Text>
              </li>
            ))}
          </ul>
        </>
      )}
    </Page>
  )
}
