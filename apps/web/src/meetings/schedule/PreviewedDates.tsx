import { Badge, Group, Skeleton, Stack, Text } from '@mantine/core'
import { ProblemError } from '@parley/client'
import type { SingleMeetingReply } from '@parley/contract'
import { IconClockEdit } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { ProblemAlert } from '../../session/ProblemAlert.tsx'
import { ownTimeZone, writeSpan, writeTime } from '../../texts/dates.ts'
import { regularTimesOf } from '../occurrence/regular-times.ts'
import { ChangedDates } from './ChangedDates.tsx'
import { writeCalendarDate } from './fields/calendar-words.ts'
import type { MeetingDraft } from './meeting-draft.ts'
import { OverlappingMeetings } from './OverlappingMeetings.tsx'
import { PastNotice } from './PastNotice.tsx'
import classes from './PreviewedDates.module.css'
import { useDatesPreview } from './use-dates-preview.ts'
import { wallTimeOf } from './wall-time.ts'

type PreviewedDatesProps = {
  draft: MeetingDraft
  zoneId: string
  was: SingleMeetingReply | undefined
  ownId: string | undefined
}

/** The next dates of the edited series, with clock changes between them. */
export function PreviewedDates({ draft, zoneId, was, ownId }: PreviewedDatesProps) {
  const { t, i18n } = useTranslation(['schedule', 'app'])
  const { data, error, isCurrent } = useDatesPreview(draft, zoneId, was)
  if (isNever(error)) return <Text c="var(--parley-danger)">{t('violations.neverTakesPlace')}</Text>
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
      {data.warnings.includes('over') && <PastNotice isOver />}
      <ChangedDates preview={data} />
      <ol className={classes.dates} aria-label={t('dates.next')}>
        {data.occurrences.map((date) => {
          const { startTime, endTime, localStart, status } = date
          const usual = regularTimesOf(date, draft.durationMs)
          const shift = shifts.get(startTime)
          const span = writeSpan(startTime, endTime, there)
          const isElsewhere = writeSpan(startTime, endTime, here) !== span
          return (
            <li key={startTime}>
              <Group gap="sm">
                {status === 'cancelled' ? (
                  <Text c="dimmed" component="s" td="line-through">
                    {span}
                  </Text>
                ) : (
                  <Text>{span}</Text>
                )}
                {status === 'cancelled' && (
                  <Badge color="red" tt="none">
                    {t('app:cancelled')}
                  </Badge>
                )}
              </Group>
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
              {status === 'changed' && usual !== undefined && (
                <Text size="sm" c="dimmed">
                  {t('dates.changed', { time: writeSpan(usual.startTime, usual.endTime, there) })}
                </Text>
              )}
              {status !== 'changed' && isCurrent && !localStart.includes(`T${draft.time}`) && (
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
      {draft.repeat.ends === 'count' && data.endDate !== null && (
        <Text size="sm">
          {t('dates.last', {
            date: writeCalendarDate(wallTimeOf(data.endDate, data.timeZoneIana).date, i18n.language),
          })}
        </Text>
      )}
      <OverlappingMeetings dates={data.occurrences.filter(({ status }) => status === 'active')} meetingId={ownId} />
    </>
  )
}

const isNever = (error: unknown) =>
  error instanceof ProblemError && error.problem.errors?.some(({ code }) => code === 'no_occurrence') === true
