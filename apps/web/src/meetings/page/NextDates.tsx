import { Badge, Button, Group, Skeleton, Stack, Text } from '@mantine/core'
import { invitationResponses, type OccurrenceReply, type SingleMeetingReply } from '@parley/contract'
import { addressKey } from '@parley/rules/text/email-address'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { ProblemAlert } from '../../session/ProblemAlert.tsx'
import { usePerson } from '../../session/session.ts'
import { useDates } from '../../texts/dates.ts'
import { useNow } from '../../ui/hooks/use-now.ts'
import { LinkedText } from '../../ui/LinkedText.tsx'
import { Section } from '../../ui/Section.tsx'
import { invitationOf, invitedPeople, shownCounts } from '../invitation-answers.ts'
import { useRespond } from '../meeting-mutations.ts'
import { nextDatesQuery, openedDateQuery } from '../meeting-queries.ts'
import { writeName } from '../meeting-status.ts'
import { regularTimesOf } from '../times.ts'
import { DateActions } from './DateActions.tsx'
import classes from './NextDates.module.css'

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

type OpenedDateProps = { meeting: SingleMeetingReply; etag: string; date: string }

/**
 * The date of a series that was opened from the calendar, above the next date; nothing when the series has no such
 * date.
 */
export function OpenedDate({ meeting, etag, date }: OpenedDateProps) {
  const { t } = useTranslation('meeting')
  const { data: occurrence } = useQuery(openedDateQuery(meeting._id, date))
  if (occurrence === undefined || occurrence === null) return null
  return (
    <>
      <Text size="sm" c="dimmed">
        {t('dates.opened')}
      </Text>
      <Group gap="sm" mb="md" wrap="nowrap" align="flex-start">
        <DateFacts occurrence={occurrence} durationMs={meeting.scheduledDuration} isLarge />
        <DateActions meeting={meeting} etag={etag} occurrence={occurrence} />
      </Group>
      <Text size="sm" c="dimmed">
        {t('dates.next')}
      </Text>
    </>
  )
}

type DateFactsProps = {
  occurrence: OccurrenceReply
  /** The length of the series' dates. */
  durationMs: number
  isLarge?: boolean
}

/** One date of a series: its times, whether it is cancelled or changed, and what it has of its own. */
function DateFacts({ occurrence, durationMs, isLarge = false }: DateFactsProps) {
  const { t } = useTranslation(['occurrence', 'app'])
  const dates = useDates()
  const { startTime, endTime, status, topic, description = '', location = '' } = occurrence
  const regular = regularTimesOf(occurrence, durationMs)
  const look = isLarge ? ({ size: 'lg', fw: 600 } as const) : {}
  const span = dates.range(startTime, endTime)
  return (
    <div className={classes.facts}>
      <Group gap="xs">
        {status === 'cancelled' ? (
          <Text {...look} c="dimmed" component="s" td="line-through">
            {span}
          </Text>
        ) : (
          <Text {...look}>{span}</Text>
        )}
        {status === 'cancelled' && (
          <Badge color="red" tt="none">
            {t('app:cancelled')}
          </Badge>
        )}
        {status === 'changed' && (
          <Badge variant="default" tt="none">
            {t('changed')}
          </Badge>
        )}
      </Group>
      {regular !== undefined && (
        <Text size="sm" c="dimmed">
          {t('insteadOf', { times: dates.range(regular.startTime, regular.endTime) })}
        </Text>
      )}
      {topic !== undefined && (
        <Text size="sm" fw={600} className={classes.text}>
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
    </div>
  )
}

const clockEveryMs = 60_000

type DateAnswersProps = { meeting: SingleMeetingReply; occurrence: OccurrenceReply }

/** The answers to one date of a series: a guest's own, with buttons to give it, and to hosts who comes. */
function DateAnswers({ meeting, occurrence }: DateAnswersProps) {
  const now = useNow(clockEveryMs)
  const isInvited = invitationOf(usePerson(), meeting) !== undefined
  if (occurrence.status === 'cancelled') return null
  const isAhead = meeting.status === 'active' && new Date(occurrence.endTime) > now
  return (
    <>
      {isInvited && isAhead && <DateAnswerButtons meetingId={meeting._id} occurrence={occurrence} />}
      <DateAnswerCounts meeting={meeting} occurrence={occurrence} />
    </>
  )
}

type DateAnswerButtonsProps = { meetingId: string; occurrence: OccurrenceReply }

/** Answer one date of a series with yes, maybe or no. */
function DateAnswerButtons({ meetingId, occurrence }: DateAnswerButtonsProps) {
  const { t } = useTranslation('meeting')
  const dates = useDates()
  const { startTime, endTime, originalStartTime } = occurrence
  const answering = useRespond(meetingId)
  const date = dates.range(startTime, endTime)
  const answer = answering.isPending ? answering.variables.response : occurrence.response
  return (
    <div className={classes.buttons}>
      <Group gap={4} role="group" aria-label={t('rsvp.date', { date })}>
        {invitationResponses.map((response) => (
          <Button
            key={response}
            size="compact-sm"
            variant={answer === response ? 'filled' : 'default'}
            aria-pressed={answer === response}
            onClick={() => answering.mutate({ response, occurrence: originalStartTime })}
          >
            {t(`rsvp.${response}`)}
          </Button>
        ))}
      </Group>
      <ProblemAlert error={answering.error} />
    </div>
  )
}

type DateAnswerCountsProps = { meeting: SingleMeetingReply; occurrence: OccurrenceReply }

/**
 * To hosts: how many come on one date, and who answered about it apart from the series. The API returns it to hosts
 * only.
 */
function DateAnswerCounts({ meeting, occurrence }: DateAnswerCountsProps) {
  const { t, i18n } = useTranslation('meeting')
  const { responseCounts, responses = [] } = occurrence
  if (responseCounts === undefined) return null
  const counts = shownCounts(responseCounts).map(({ answer, count }) => t(`people.counts.${answer}`, { count }))
  if (counts.length === 0) return null
  const names = new Map(invitedPeople(meeting).map((person) => [addressKey(person.email), writeName(person)]))
  const nameOf = (email: string) => names.get(addressKey(email)) || email
  return (
    <div className={classes.counts}>
      <Text size="sm" c="dimmed">
        {new Intl.ListFormat(i18n.language, { type: 'unit', style: 'long' }).format(counts)}
      </Text>
      {responses.length > 0 && (
        <details>
          <summary className={classes.summary}>{t('people.apart', { count: responses.length })}</summary>
          <ul className={classes.responses}>
            {responses.map(({ email, response, comment }) => (
              <li key={email}>
                <Text size="sm" className={classes.text}>
                  <bdi>{nameOf(email)}</bdi>: {t(`people.answers.${response}`)}
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
      )}
    </div>
  )
}
