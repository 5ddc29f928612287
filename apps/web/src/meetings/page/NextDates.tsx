import { Badge, Button, Group, Skeleton, Stack, Text } from '@mantine/core'
import type { OccurrenceReply, SingleMeetingReply } from '@parley/contract'
import { addressKey } from '@parley/rules/text/email-address'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ProblemAlert } from '../../session/ProblemAlert.tsx'
import { usePerson } from '../../session/session.ts'
import { useDates } from '../../texts/dates.ts'
import { useNow } from '../../ui/hooks/use-now.ts'
import { AnswerButtons, AnswerMarks } from '../Answers.tsx'
import { invitationOf, invitedPeople, shownCounts } from '../invitation-answers.ts'
import { LinkedText } from '../LinkedText.tsx'
import { useRespond } from '../meeting-mutations.ts'
import { laterDatesQuery, nextDatesQuery, openedDateQuery } from '../meeting-queries.ts'
import { writeName } from '../meeting-status.ts'
import { regularTimesOf } from '../times.ts'
import { DateActions } from './DateActions.tsx'
import { MeetingPart } from './MeetingPart.tsx'
import classes from './NextDates.module.css'

/** How many dates are shown at first, so that the page stays on one screen. */
const shownAtFirst = 5

/** The next dates of a series, with what was cancelled or changed, and for hosts what they can do with each. */
export function NextDates({ meeting, etag }: { meeting: SingleMeetingReply; etag: string }) {
  const { t } = useTranslation(['meeting', 'schedule', 'app'])
  const { data, error } = useQuery(nextDatesQuery(meeting._id))
  const [showsMore, setShowsMore] = useState(false)
  const first = data?.occurrences ?? []
  const later = useLaterDates(meeting._id, showsMore && data?.moreAvailable === true ? first.at(-1) : undefined)
  const shown = showsMore ? [...first, ...later.dates] : first.slice(0, shownAtFirst)
  const hasMore = showsMore ? later.hasMore : first.length > shownAtFirst || data?.moreAvailable === true
  // Beside the heading at first, where it takes no room of its own; below the dates once they are long.
  const moreButton = (
    <Button
      variant="subtle"
      size="compact-sm"
      // It has moved with the press, and the focus with it.
      autoFocus={showsMore}
      loading={later.isFetching}
      onClick={() => (showsMore ? later.fetchMore() : setShowsMore(true))}
    >
      {t('app:showMore')}
    </Button>
  )
  return (
    <MeetingPart title={t('schedule:dates.next')} actions={hasMore && !showsMore && moreButton}>
      <ProblemAlert error={error ?? later.error} />
      {data === undefined && error === null && (
        <Stack gap="xs" aria-busy="true">
          <Skeleton h={24} />
          <Skeleton h={24} />
          <Skeleton h={24} />
        </Stack>
      )}
      {data?.occurrences.length === 0 && <Text c="dimmed">{t('dates.none')}</Text>}
      <ol className={classes.dates}>
        {shown.map((occurrence) => (
          <DateRow key={occurrence.originalStartTime} meeting={meeting} etag={etag} occurrence={occurrence} />
        ))}
      </ol>
      {hasMore && showsMore && moreButton}
    </MeetingPart>
  )
}

/** The dates after the last of the first ones, read as they are asked for. */
function useLaterDates(meetingId: string, last: OccurrenceReply | undefined) {
  const { data, error, hasNextPage, isFetching, fetchNextPage } = useInfiniteQuery({
    ...laterDatesQuery(meetingId, last?.endTime ?? ''),
    enabled: last !== undefined,
  })
  return {
    dates: data?.pages.flatMap(({ occurrences }) => occurrences) ?? [],
    error,
    hasMore: last !== undefined && (isFetching || hasNextPage),
    isFetching,
    fetchMore: () => void fetchNextPage(),
  }
}

type DateRowProps = { meeting: SingleMeetingReply; etag: string; occurrence: OccurrenceReply }

/** One date: when it is, who comes, and what can be done with it. */
function DateRow({ meeting, etag, occurrence }: DateRowProps) {
  const now = useNow(clockEveryMs)
  const dates = useDates()
  const isInvited = invitationOf(usePerson(), meeting) !== undefined
  const { startTime, endTime, status, responseCounts } = occurrence
  const takesPlace = status !== 'cancelled'
  const isAhead = meeting.status === 'active' && new Date(endTime) > now
  return (
    <li className={classes.date}>
      <div className={classes.when} data-cancelled={!takesPlace || undefined}>
        <span className={classes.day}>{dates.day(startTime)}</span>
        <span className={classes.time}>{dates.timeRange(startTime, endTime)}</span>
        <StatusBadge status={status} />
      </div>
      {takesPlace && isInvited && isAhead && <DateAnswerButtons meetingId={meeting._id} occurrence={occurrence} />}
      <div className={classes.end}>
        {takesPlace && responseCounts !== undefined && <AnswerMarks counts={shownCounts(responseCounts)} />}
        <DateActions meeting={meeting} etag={etag} occurrence={occurrence} />
      </div>
      <div className={classes.details}>
        <OwnFacts occurrence={occurrence} durationMs={meeting.scheduledDuration} />
        {takesPlace && <AnswersApart meeting={meeting} occurrence={occurrence} />}
      </div>
    </li>
  )
}

type OpenedDateProps = {
  meeting: SingleMeetingReply
  etag: string
  date: string
  /** The next date follows below. */
  hasNext: boolean
}

/**
 * The date of a series that was opened from the calendar, above the next date; nothing when the series has no such
 * date.
 */
export function OpenedDate({ meeting, etag, date, hasNext }: OpenedDateProps) {
  const { t } = useTranslation('meeting')
  const dates = useDates()
  const { data: occurrence } = useQuery(openedDateQuery(meeting._id, date))
  if (occurrence === undefined || occurrence === null) return null
  const { startTime, endTime, status } = occurrence
  return (
    <>
      <Text size="sm" c="dimmed">
        {t('dates.opened')}
      </Text>
      <Group gap="sm" mb="md" wrap="nowrap" align="flex-start">
        <div className={classes.facts}>
          <Group gap="xs">
            <Text size="lg" fw={600} {...(status === 'cancelled' && { c: 'dimmed', td: 'line-through' })}>
              {dates.range(startTime, endTime)}
            </Text>
            <StatusBadge status={status} />
          </Group>
          <OwnFacts occurrence={occurrence} durationMs={meeting.scheduledDuration} />
        </div>
        <DateActions meeting={meeting} etag={etag} occurrence={occurrence} />
      </Group>
      {hasNext && (
        <Text size="sm" c="dimmed">
          {t('dates.next')}
        </Text>
      )}
    </>
  )
}

/** Whether a date is cancelled or changed. */
function StatusBadge({ status }: Pick<OccurrenceReply, 'status'>) {
  const { t } = useTranslation(['occurrence', 'app'])
  if (status === 'active') return null
  return status === 'cancelled' ? (
    <Badge color="red" variant="light" tt="none">
      {t('app:cancelled')}
    </Badge>
  ) : (
    <Badge variant="default" tt="none">
      {t('changed')}
    </Badge>
  )
}

type OwnFactsProps = {
  occurrence: OccurrenceReply
  /** The length of the series' dates. */
  durationMs: number
}

/** What one date of a series has of its own: the time that it replaces, and texts. */
function OwnFacts({ occurrence, durationMs }: OwnFactsProps) {
  const { t } = useTranslation('occurrence')
  const dates = useDates()
  const { topic, description = '', location = '' } = occurrence
  const regular = regularTimesOf(occurrence, durationMs)
  return (
    <>
      {regular !== undefined && (
        <Text size="sm" c="dimmed">
          {t('insteadOf', { times: dates.range(regular.startTime, regular.endTime) })}
        </Text>
      )}
      {topic !== undefined && (
        <Text size="sm" fw={500} className={classes.text}>
          <bdi>{topic}</bdi>
        </Text>
      )}
      {location.trim() !== '' && (
        <Text size="sm" className={classes.text} dir="auto">
          <LinkedText text={location} />
        </Text>
      )}
      {description.trim() !== '' && (
        <details>
          <summary className={classes.summary}>{t('description')}</summary>
          <Text size="sm" className={classes.text} dir="auto">
            <LinkedText text={description} />
          </Text>
        </details>
      )}
    </>
  )
}

const clockEveryMs = 60_000

type DateAnswerButtonsProps = { meetingId: string; occurrence: OccurrenceReply }

/** Answer one date of a series with yes, maybe or no. */
function DateAnswerButtons({ meetingId, occurrence }: DateAnswerButtonsProps) {
  const { t } = useTranslation('meeting')
  const dates = useDates()
  const { startTime, endTime, originalStartTime } = occurrence
  const answering = useRespond(meetingId)
  const date = dates.range(startTime, endTime)
  return (
    <div className={classes.buttons}>
      <AnswerButtons
        label={t('rsvp.date', { date })}
        answer={answering.isPending ? answering.variables.response : occurrence.response}
        onAnswer={(response) => answering.mutate({ response, occurrence: originalStartTime })}
        isCompact
      />
      <ProblemAlert error={answering.error} />
    </div>
  )
}

type AnswersApartProps = { meeting: SingleMeetingReply; occurrence: OccurrenceReply }

/** To hosts: who answered about one date apart from the series. The API returns it to hosts only. */
function AnswersApart({ meeting, occurrence: { responses = [] } }: AnswersApartProps) {
  const { t } = useTranslation(['meeting', 'meetings'])
  if (responses.length === 0) return null
  const names = new Map(invitedPeople(meeting).map((person) => [addressKey(person.email), writeName(person)]))
  const nameOf = (email: string) => names.get(addressKey(email)) || email
  return (
    <details>
      <summary className={classes.summary}>{t('people.apart', { count: responses.length })}</summary>
      <ul className={classes.responses}>
        {responses.map(({ email, response, comment }) => (
          <li key={email}>
            <Text size="sm" className={classes.text}>
              <bdi>{nameOf(email)}</bdi>: {t(`meetings:answers.${response}`)}
            </Text>
            {comment !== undefined && (
              <Text size="sm" c="dimmed" className={classes.text} dir="auto">
                {comment}
              </Text>
            )}
          </li>
        ))}
      </ul>
    </details>
  )
}
