import { Skeleton, Stack, Text } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { ProblemError } from '@parley/client'
import { IconClockEdit } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { ProblemAlert } from '../../session/ProblemAlert.tsx'
import { ownTimeZone, writeSpan, writeTime } from '../../texts/dates.ts'
import { type MeetingDraft, requestOf } from './meeting-draft.ts'
import classes from './PreviewedDates.module.css'
import { previewQuery } from './preview-query.ts'

type PreviewedDatesProps = { draft: MeetingDraft; zoneId: string }

/** Whoever types a date asks once. */
const askAfterMs = 300

/** The next dates of a series that is being written, and where the clocks change between them. */
export function PreviewedDates({ draft, zoneId }: PreviewedDatesProps) {
  const { t, i18n } = useTranslation('schedule')
  // A text, so that a draft that says the same does not begin the wait anew.
  const [asked] = useDebouncedValue(JSON.stringify(requestOf(draft, zoneId)), askAfterMs)
  const { data, error } = useQuery(previewQuery(JSON.parse(asked)))
  if (isNever(error)) return <Text c="var(--parley-danger)">{t('faults.neverTakesPlace')}</Text>
  if (error !== null) return <ProblemAlert error={error} />
  if (data === undefined) {
    return (
      <Stack gap="xs" aria-busy="true">
        <Skeleton h={22} />
        <Skeleton h={22} />
        <Skeleton h={22} />
      </Stack>
    )
  }
  const there = { language: i18n.language, timeZone: data.timeZoneIana }
  const here = { language: i18n.language, timeZone: ownTimeZone() }
  const shifts = new Map(data.shifts.map((shift) => [shift.startTime, shift]))
  return (
    <>
      <ol className={classes.dates} aria-label={t('dates.next')}>
        {data.occurrences.map(({ startTime, endTime, localStart }) => {
          const shift = shifts.get(startTime)
          const span = writeSpan(startTime, endTime, there)
          const isElsewhere = writeSpan(startTime, endTime, here) !== span
          return (
            <li key={startTime}>
              <Text>{span}</Text>
              {isElsewhere && (
                <Text size="sm" c="dimmed">
                  {t('dates.own', { time: writeTime(startTime, here) })}
                </Text>
              )}
              {shift !== undefined && (
                <Text size="sm" className={classes.shift}>
                  <IconClockEdit size={16} aria-hidden />
                  {t('dates.shift', { before: shift.before, after: shift.after })}
                </Text>
              )}
              {!localStart.includes(`T${draft.time}`) && asked === JSON.stringify(requestOf(draft, zoneId)) && (
                <Text size="sm">{t('dates.leftOut')}</Text>
              )}
            </li>
          )
        })}
      </ol>
      {data.moreAvailable && (
        <Text size="sm" c="dimmed">
          {t('dates.more')}
        </Text>
      )}
    </>
  )
}

const isNever = (error: unknown) =>
  error instanceof ProblemError && error.problem.errors?.some(({ code }) => code === 'no_occurrence') === true
