import { Button, Text } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { ProblemAlert } from '../../session/ProblemAlert.tsx'
import { Section } from '../../ui/Section.tsx'
import { appHistoryQuery } from '../app-queries.ts'
import { EventTime } from '../log/EventTime.tsx'
import { useEventWords } from '../log/event-words.ts'
import classes from './Overview.module.css'

/** What has happened to the app itself: submissions and decisions. */
export function AppHistory({ appId }: { appId: string }) {
  const { t } = useTranslation(['apps', 'app'])
  const { data, error, hasNextPage, isFetchingNextPage, fetchNextPage } = useInfiniteQuery(appHistoryQuery(appId))
  const words = useEventWords()
  const steps = data?.pages.flatMap(({ events }) => events) ?? []
  return (
    <Section title={t('app:history')}>
      <ProblemAlert error={error} />
      {data !== undefined && steps.length === 0 ? (
        <Text c="dimmed">{t('history.none')}</Text>
      ) : (
        <ol className={classes.rows}>
          {steps.map(({ _id, createdOn, kind, cause }) => (
            <li key={_id}>
              <Text fw={600} size="sm">
                {words(kind)}
              </Text>
              <Text size="sm" lang="en" dir="auto">
                {cause}
              </Text>
              <EventTime at={createdOn} />
            </li>
          ))}
        </ol>
      )}
      {hasNextPage && (
        <Button variant="default" mt="md" loading={isFetchingNextPage} onClick={() => fetchNextPage()}>
          {t('log.older')}
        </Button>
      )}
    </Section>
  )
}
