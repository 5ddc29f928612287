import { Text } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { Section } from '../../ui/Section.tsx'
import { eventsQuery } from '../app-queries.ts'
import { EventTime } from '../log/EventTime.tsx'
import { useEventWords } from '../log/event-words.ts'
import classes from './Overview.module.css'

/** The events of the app itself, from the newest entries of its log. */
export function AppHistory({ appId }: { appId: string }) {
  const { t } = useTranslation(['apps', 'app'])
  const { data } = useInfiniteQuery(eventsQuery(appId))
  const words = useEventWords()
  const steps = data?.pages.flatMap(({ events }) => events).filter(({ kind }) => kind.startsWith('app_')) ?? []
  return (
    <Section title={t('app:history')}>
      {steps.length === 0 ? (
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
    </Section>
  )
}
