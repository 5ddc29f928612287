import { Badge, Group, Skeleton, Stack, Text } from '@mantine/core'
import type { SingleMeetingReply } from '@parley/contract'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { ProblemAlert } from '../session/ProblemAlert.tsx'
import { ownTimeZone, writeSpan } from '../texts/dates.ts'
import { Section } from '../ui/Section.tsx'
import { nextDatesQuery } from './meeting-queries.ts'
import classes from './NextDates.module.css'

/** The next dates of a series; cancelled ones are struck through and labelled. */
export function NextDates({ meeting }: { meeting: SingleMeetingReply }) {
  const { t, i18n } = useTranslation(['meeting', 'schedule', 'app'])
  const { data, error } = useQuery(nextDatesQuery(meeting._id))
  const dateFormat = { language: i18n.language, timeZone: ownTimeZone() }
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
        {data?.occurrences.map(({ startTime, endTime, status }) => (
          <li key={startTime}>
            <Group gap="sm">
              {status === 'cancelled' ? (
                <Text c="dimmed" component="s">
                  {writeSpan(startTime, endTime, dateFormat)}
                </Text>
              ) : (
                <Text>{writeSpan(startTime, endTime, dateFormat)}</Text>
              )}
              {status === 'cancelled' && (
                <Badge color="red" tt="none">
                  {t('app:cancelled')}
                </Badge>
              )}
            </Group>
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
