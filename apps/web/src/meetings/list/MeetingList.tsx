import { Button, Group, Stack, Text, Title } from '@mantine/core'
import type { ListedMeetingReply } from '@parley/contract'
import { IconUserStar } from '@tabler/icons-react'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { lazy, Suspense, useId } from 'react'
import { useTranslation } from 'react-i18next'
import { ProblemAlert } from '../../session/ProblemAlert.tsx'
import { usePerson } from '../../session/session.ts'
import { regional, useDates } from '../../texts/dates.ts'
import { useNow } from '../../ui/hooks/use-now.ts'
import { RowSkeletons } from '../../ui/PageSkeleton.tsx'
import { PersonPortrait } from '../../ui/Portrait.tsx'
import { beginOf, dayOf } from '../calendar/calendar-range.ts'
import { hueOf } from '../hue.ts'
import { JoinButton } from '../MeetingButtons.tsx'
import { type DatedMeeting, datedMeetingsQuery, meetingsQuery } from '../meeting-queries.ts'
import { statusOf, writeName } from '../meeting-status.ts'
import type { MeetingSearch } from '../search-params.ts'
import { rhythmOf } from '../times.ts'
import { canJoinNow, daysOf, timesOf } from './list-dates.ts'
import classes from './MeetingList.module.css'

/** How often the list follows the clock: a meeting may begin, or a day end. */
const tickMs = 20_000

const NoMeetings = lazy(async () => ({ default: (await import('./NoMeetings.tsx')).NoMeetings }))

type MeetingListProps = { search: MeetingSearch; onClear(): void }

/** The filtered meetings, page by page. */
export function MeetingList({ search, onClear }: MeetingListProps) {
  const { t } = useTranslation(['meetings', 'app'])
  const { data, error, hasNextPage, isFetchingNextPage, fetchNextPage } = useInfiniteQuery(meetingsQuery(search))
  const total = data?.pages[0]?.totalCount
  const meetings = data?.pages.flatMap(({ meetingDetails }) => meetingDetails) ?? []
  return (
    <>
      <ProblemAlert error={error} />
      {data === undefined && error === null && (
        <Stack aria-busy="true" mt="xl">
          <RowSkeletons rows={4} />
        </Stack>
      )}
      <Text role="status" mb="sm" c="dimmed" size="sm">
        {total !== undefined && total > 0 && t(`count.${search.when ?? 'ahead'}`, { count: total })}
      </Text>
      {total === 0 && (
        <Suspense fallback={null}>
          <NoMeetings filtered={Object.keys(search).length > 0} onClear={onClear} />
        </Suspense>
      )}
      {meetings.length > 0 && search.when === undefined && <DaysAhead meetings={meetings} />}
      {meetings.length > 0 && search.when !== undefined && (
        <ul className={classes.meetings}>
          {meetings.map((meeting) => (
            <MeetingRow key={meeting._id} meeting={meeting} />
          ))}
        </ul>
      )}
      {hasNextPage && (
        <Button variant="default" mt="md" loading={isFetchingNextPage} onClick={() => fetchNextPage()}>
          {t('app:showMore')}
        </Button>
      )}
    </>
  )
}

/** Upcoming meetings grouped by day. */
function DaysAhead({ meetings }: { meetings: readonly ListedMeetingReply[] }) {
  const { t } = useTranslation('meetings')
  const dateWords = useDates()
  const headingId = useId()
  const { now, dates } = useCurrentDates(tickMs)
  return daysOf(meetings, now).map(({ day, kind, meetings: ofDay }) => (
    <section key={day} className={classes.day} aria-labelledby={headingId + day}>
      <Title order={2} size="h6" id={headingId + day} className={classes.name}>
        {kind !== 'later' && `${t(`days.${kind}`)} · `}
        {dateWords.date(beginOf(day))}
      </Title>
      <ul className={classes.meetings}>
        {ofDay.map((meeting) => (
          <MeetingRow key={meeting._id} meeting={meeting} day={day} joins={canJoinNow(meeting, dates ?? [], now)} />
        ))}
      </ul>
    </section>
  ))
}

type MeetingRowProps = {
  meeting: ListedMeetingReply
  /** The date in the group's heading, which the row does not repeat. */
  day?: string
  joins?: boolean
}

/** One meeting of the list; the whole row links to its page. */
function MeetingRow({ meeting, day, joins = false }: MeetingRowProps) {
  const { t } = useTranslation(['meetings', 'app'])
  const ownRole = statusOf(usePerson(), meeting)
  const times = useTimes(meeting, day)
  const rhythm = rhythmOf(meeting)
  const facts = [
    meeting.recur && (day === undefined ? t(`every.${rhythm}`, { times }) : t(`app:repeats.${rhythm}`)),
    ownRole === 'participant' && t('app:hostedBy', { name: writeName(meeting.hostInfo) }),
  ].filter((fact) => fact !== false)
  return (
    <li className={classes.row} style={hueOf(meeting._id)}>
      {(day !== undefined || !meeting.recur) && <Text className={classes.times}>{times}</Text>}
      <div className={classes.facts}>
        <Link to="/meetings/$meetingId" params={{ meetingId: meeting._id }} className={classes.topic}>
          <bdi>{meeting.topic}</bdi>
        </Link>
        {facts.length > 0 && (
          <Text c="dimmed" size="sm">
            {facts.join(' · ')}
          </Text>
        )}
      </div>
      <Group gap="sm" className={classes.marks}>
        {meeting.status === 'cancelled' && (
          <Text size="sm" className={classes.cancelled}>
            {t('app:cancelled')}
          </Text>
        )}
        <MeetingFaces meeting={meeting} />
        {ownRole !== 'participant' && (
          <span className={classes.role} title={t(`you.${ownRole}`)}>
            <IconUserStar size={18} aria-hidden />
            <span className="hidden">{t(`you.${ownRole}`)}</span>
          </span>
        )}
        {joins && (
          <span className={classes.join}>
            <JoinButton code={meeting.svcMeetId} pin={meeting.pin} topic={meeting.topic} quiet />
          </span>
        )}
      </Group>
    </li>
  )
}

/** Times without the date of the heading, unless the meeting ends on another day. */
function useTimes(meeting: ListedMeetingReply, day: string | undefined): string {
  const dateWords = useDates()
  const { startTime, endTime } = timesOf(meeting)
  const isWithinDay = [startTime, endTime].every((time) => dayOf(new Date(time)) === day)
  return isWithinDay ? dateWords.timeRange(startTime, endTime) : dateWords.range(startTime, endTime)
}

const maxFaces = 3

/** The other people of a meeting, its host first: avatars on screen, names for screen readers. */
function MeetingFaces({ meeting: { hostInfo, participants } }: { meeting: ListedMeetingReply }) {
  const { t, i18n } = useTranslation('meetings')
  const person = usePerson()
  const others = [hostInfo, ...participants]
    .filter(({ email }) => email.toLowerCase() !== person.email.toLowerCase())
    .map((one) => writeName(one) || one.email)
    .filter((name) => name !== '')
  if (others.length === 0) return null
  const shown = others.slice(0, maxFaces)
  const more = others.length - shown.length
  const names = more === 0 ? shown : [...shown, t('faces.more', { count: more })]
  const words = t('faces.with', { names: new Intl.ListFormat(regional(i18n.language)).format(names) })
  return (
    <span className={classes.faces} title={words}>
      {shown.map((name) => (
        <PersonPortrait key={name} name={name} />
      ))}
      {more > 0 && (
        <span className={classes.more} aria-hidden>
          {`+${new Intl.NumberFormat(i18n.language).format(more)}`}
        </span>
      )}
      <span className="hidden">{words}</span>
    </span>
  )
}

const hourMs = 3_600_000
const soonMs = 7 * 24 * hourMs
/** A meeting that runs over can be joined for a day. */
const runsOverMs = 24 * hourMs
/** Includes the running ones, unless this many took place since yesterday. */
const maxDates = 300
/** How often to refetch: people join and leave, and hosts end meetings, independently of the clock. */
const checkEveryMs = 20_000

/**
 * The running meetings and those of the next week, with the state of their rooms, and the current time, updated
 * regularly.
 */
export function useCurrentDates(tickMs: number): { now: Date; dates: readonly DatedMeeting[] | undefined } {
  const now = useNow(tickMs)
  // The same query key for an hour, so that requests are shared.
  const hour = Math.floor(now.getTime() / hourMs) * hourMs
  const { data } = useQuery({
    ...datedMeetingsQuery(new Date(hour - runsOverMs), new Date(hour + soonMs), maxDates),
    refetchInterval: checkEveryMs,
    // Refetch on mount: the user may come back from a room that they ended.
    staleTime: 0,
  })
  return { now, dates: data?.occurrences }
}
