import { Alert, Badge, Group, Skeleton, Stack, Text } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { ProblemError } from '@parley/client'
import type { previewMeeting, ReplyOf, SingleMeetingReply } from '@parley/contract'
import { IconAlertTriangle, IconCalendarEvent, IconClockEdit } from '@tabler/icons-react'
import { useQueries, useQuery } from '@tanstack/react-query'
import { Fragment } from 'react'
import { useTranslation } from 'react-i18next'
import { ProblemAlert } from '../../session/ProblemAlert.tsx'
import { datesIn, useDates } from '../../texts/dates.ts'
import { askAfterMs, conflictsQuery, previewQuery } from '../meeting-queries.ts'
import { regularTimesOf } from '../times.ts'
import { writeCalendarDate } from './calendar-words.ts'
import { type MeetingDraft, toMeetingRequest } from './meeting-draft.ts'
import classes from './PreviewedDates.module.css'
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
  const here = useDates()
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
  const there = datesIn(i18n.language, data.timeZoneIana)
  const shifts = new Map(data.shifts.map((shift) => [shift.startTime, shift]))
  return (
    <>
      {data.warnings.includes('over') && <PastNotice isOver />}
      <ChangedDates preview={data} />
      <OverlappingMeetings dates={data.occurrences.filter(({ status }) => status === 'active')} meetingId={ownId} />
      <ol className={classes.dates} aria-label={t('dates.next')}>
        {data.occurrences.map((date) => {
          const { startTime, endTime, localStart, status } = date
          const usual = regularTimesOf(date, draft.durationMs)
          const shift = shifts.get(startTime)
          const span = there.range(startTime, endTime)
          const isElsewhere = here.range(startTime, endTime) !== span
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
                  <Badge color="red" variant="light" tt="none">
                    {t('app:cancelled')}
                  </Badge>
                )}
              </Group>
              {isElsewhere && (
                <Text size="sm" c="dimmed">
                  {t('dates.own', { time: here.time(startTime) })}
                </Text>
              )}
              {shift !== undefined && (
                <Text size="sm" c="dimmed" className={classes.shift}>
                  <IconClockEdit size={16} aria-hidden />
                  {t('dates.shift', { before: shift.before, after: shift.after })}
                </Text>
              )}
              {status === 'changed' && usual !== undefined && (
                <Text size="sm" c="dimmed">
                  {t('dates.changed', { time: there.range(usual.startTime, usual.endTime) })}
                </Text>
              )}
              {status !== 'changed' && isCurrent && !localStart.includes(`T${draft.time}`) && (
                <Text size="sm">{t('dates.skippedByClock')}</Text>
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
    </>
  )
}

const isNever = (error: unknown) =>
  error instanceof ProblemError && error.problem.errors?.some(({ code }) => code === 'no_occurrence') === true

/** More dates than this are not read at a glance. */
const maxNamedDates = 3

/** The effect of an edit on announced dates: which are restored, which are removed. */
export function ChangedDates({ preview }: { preview: ReplyOf<typeof previewMeeting> }) {
  const { t } = useTranslation('schedule')
  const { restoredOccurrences, removedOccurrences, droppedCancellations, timeZoneIana } = preview
  const dateWords = useDates(timeZoneIana)
  const named = (dates: readonly { startTime: string; topic?: string }[]) => (
    <>
      {dates.slice(0, maxNamedDates).map(({ startTime, topic }, index) => (
        <Fragment key={startTime}>
          {index > 0 && '; '}
          {dateWords.dateTime(startTime)}
          {topic !== undefined && (
            <>
              {' '}
              (<bdi>{topic}</bdi>)
            </>
          )}
        </Fragment>
      ))}
      {dates.length > maxNamedDates && `; ${t('dates.andMore')}`}
    </>
  )
  const said = [
    { text: t('dates.restored', { count: restoredOccurrences.length }), dates: restoredOccurrences },
    { text: t('dates.dropped', { count: droppedCancellations.length }), dates: droppedCancellations },
    { text: t('dates.removed', { count: removedOccurrences.length }), dates: removedOccurrences },
  ].filter(({ dates }) => dates.length > 0)
  if (said.length === 0) return null
  return (
    <Alert color="yellow" role="note" my="xs" icon={<IconCalendarEvent aria-hidden />}>
      {said.map(({ text, dates }) => (
        <Text key={text} size="sm">
          {text} {named(dates)}
        </Text>
      ))}
    </Alert>
  )
}

type Dates = { startTime: string; endTime: string }
type OverlappingMeetingsProps = {
  /** The dates that are being scheduled. */
  dates: readonly Dates[]
  /** The edited meeting, which does not overlap with itself. */
  meetingId: string | undefined
}

/** Later dates of a series are seldom what decides about its time. */
const maxComparedDates = 3
const maxShown = 5

/** The person's other meetings during the first dates of a draft. They prevent nothing. */
export function OverlappingMeetings({ dates, meetingId }: OverlappingMeetingsProps) {
  const { t } = useTranslation('schedule')
  const dateWords = useDates()
  // Serialized, so that equal dates do not restart the delay.
  const [compared] = useDebouncedValue(JSON.stringify(dates.slice(0, maxComparedDates)), askAfterMs)
  const queried: readonly Dates[] = JSON.parse(compared)
  const found = useQueries({ queries: queried.map(conflictsQuery) })
    .flatMap(({ data }) => data?.conflicts ?? [])
    .filter((conflict) => conflict.meetingId !== meetingId)
  // A long meeting may overlap with several of the dates.
  const conflicts = [...new Map(found.map((one) => [`${one.meetingId} ${one.startTime}`, one])).values()]
  if (conflicts.length === 0) return null
  return (
    <Alert
      color="yellow"
      role="note"
      aria-live="polite"
      mt="xs"
      icon={<IconAlertTriangle aria-hidden />}
      title={t('dates.overlaps')}
      classNames={{ root: classes.conflicts ?? '', icon: classes.caution ?? '', title: classes.caution ?? '' }}
    >
      <ul className={classes.overlaps}>
        {conflicts.slice(0, maxShown).map(({ meetingId: id, topic, startTime, endTime }) => (
          <li key={`${id} ${startTime}`}>
            <bdi>{topic}</bdi> · {dateWords.range(startTime, endTime)}
          </li>
        ))}
        {conflicts.length > maxShown && <li>{t('dates.andMore')}</li>}
      </ul>
    </Alert>
  )
}

/** A start in the past is valid, because imported meetings have one; typed by a person it is rarely intended. */
export function PastNotice({ isOver }: { isOver: boolean }) {
  const { t } = useTranslation('schedule')
  return (
    <Alert color="yellow" role="note" my="xs" icon={<IconAlertTriangle aria-hidden />}>
      {t(isOver ? 'when.over' : 'when.past')}
    </Alert>
  )
}

/** The preview of a draft, delayed after a change; `isCurrent` tells whether it matches the current draft. */
export function useDatesPreview(draft: MeetingDraft, zoneId: string, was: SingleMeetingReply | undefined) {
  // Serialized, so that an equal draft does not restart the delay.
  const request = JSON.stringify(toMeetingRequest(draft, zoneId, was))
  const [debouncedRequest] = useDebouncedValue(request, askAfterMs)
  const { data, error } = useQuery(previewQuery(JSON.parse(debouncedRequest), was))
  return { data, error, isCurrent: debouncedRequest === request }
}
