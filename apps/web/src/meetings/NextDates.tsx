import { Skeleton, Stack, Text } from '@mantine/core'
import type { SingleMeetingReply } from '@parley/contract'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { ProblemAlert } from '../session/ProblemAlert.tsx'
import { Section } from '../ui/Section.tsx'
import { DateAnswers } from './answers/DateAnswers.tsx'
import { nextDatesQuery } from './meeting-queries.ts'
import classes from './NextDates.module.css'
import { DateActions } from './occurrence/DateActions.tsx'
import { DateFacts } from './occurrence/DateFacts.tsx'

/** The next dates of a series, with what was cancelled or changed, and for hosts what they can do with each. */
export function NextDates({ meeting, etag }: { meeting: SingleMeetingReply; etag: string }) {
  const { t } = useTranslation(['meeting', 'schedule'])
  const { data, error } = useQuery(nextDatesQuery(meeting._id))
  return (
    <Section title={t('schedule:dates.next')}>
      <ProblemAlert error={error} />
      {data === undefined && error === null && (
        <Stack gap="xs" aria-busy="true">
          <Skeleton h={24} />
          <Skeleton h={24} />
          <Skeleton h={24} />
        </Stack>
      )}
      {data?.occurrences.length === 0 && <Text c="dimmed">{t('dates.none')}</Text>}
      <ol className={classes.dates}>
        {data?.occurrences.map((occurrence) => (
          <li key={occurrence.originalStartTime} className={classes.date}>
            <DateFacts occurrence={occurrence} durationMs={meeting.scheduledDuration} />
            <DateActions meeting={meeting} etag={etag} occurrence={occurrence} />
            <DateAnswers meeting={meeting} occurrence={occurrence} />
          </li>
        ))}
      </ol>
      {data?.moreAvailable === true && (
        <Text c="dimmed" size="sm" mt="xs">
          {t('dates.more')}
        </Text>
      )}
    </Section>
  )
}
