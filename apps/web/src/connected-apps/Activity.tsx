import { Anchor, Button, Skeleton, Text } from '@mantine/core'
import type { EventReply } from '@parley/contract'
import { useInfiniteQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ProblemAlert } from '../session/ProblemAlert.tsx'
import { useDateFormat } from '../ui/hooks/use-date-format.ts'
import classes from './Activity.module.css'
import { useActivityWords } from './activity-words.ts'
import { activityQuery } from './grants-query.ts'

/** What an app changed for the person, newest first. It is read when it is opened. */
export function Activity({ grantId }: { grantId: string }) {
  const { t } = useTranslation('connected-apps')
  const [opened, setOpened] = useState(false)
  return (
    <details className={classes.activity} onToggle={({ currentTarget }) => setOpened(currentTarget.open)}>
      <summary className={classes.summary}>{t('activity.title')}</summary>
      {opened && <ActivityList grantId={grantId} />}
    </details>
  )
}

function ActivityList({ grantId }: { grantId: string }) {
  const { t } = useTranslation(['connected-apps', 'app'])
  const { data, error, hasNextPage, isFetchingNextPage, fetchNextPage } = useInfiniteQuery(activityQuery(grantId))
  const events = data?.pages.flatMap((page) => page.events)
  return (
    <>
      <ProblemAlert error={error} />
      {events === undefined && error === null && <Skeleton h={48} aria-busy="true" />}
      {events?.length === 0 && <Text size="sm">{t('activity.none')}</Text>}
      {events !== undefined && events.length > 0 && (
        <ul className={classes.list}>
          {events.map((event) => (
            <ActivityEntry key={event.id} event={event} />
          ))}
        </ul>
      )}
      {hasNextPage && (
        <Button
          variant="default"
          size="compact-sm"
          mb="xs"
          loading={isFetchingNextPage}
          onClick={() => fetchNextPage()}
        >
          {t('activity.older')}
        </Button>
      )}
      {events !== undefined && (
        <Text size="sm" c="dimmed">
          {t('activity.explanation')}
        </Text>
      )}
    </>
  )
}

function ActivityEntry({ event }: { event: EventReply }) {
  const { t } = useTranslation('connected-apps')
  const { moment, day } = useDateFormat()
  const words = useActivityWords()
  const { meetingId, originalStartTime } = event.data as { meetingId: string; originalStartTime?: string }
  const facts = [
    moment(event.timestamp),
    ...(originalStartTime === undefined ? [] : [t('activity.ofDate', { day: day(originalStartTime) })]),
  ]
  return (
    <li>
      <Anchor size="sm" renderRoot={(props) => <Link to="/meetings/$meetingId" params={{ meetingId }} {...props} />}>
        {words(event)}
      </Anchor>
      <Text size="sm" c="dimmed">
        {facts.join(' · ')}
      </Text>
    </li>
  )
}
