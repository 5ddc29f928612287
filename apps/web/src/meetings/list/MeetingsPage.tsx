import { CloseButton, Group, NativeSelect, Skeleton, Stack, Text, TextInput, Title } from '@mantine/core'
import { IconSearch } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { lazy, type Ref, type RefObject, Suspense, useEffect, useId, useMemo, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useDates } from '../../texts/dates.ts'
import { useCommands } from '../../ui/keyboard/commands.ts'
import { Page } from '../../ui/Page.tsx'
import { JoinButton, ScheduleButton } from '../MeetingButtons.tsx'
import { anyMeetingQuery, type DatedMeeting, handOversQuery, meetingQuery } from '../meeting-queries.ts'
import { type MeetingSearch, readMeetingSearch } from '../search-params.ts'
import { useRememberedPlace } from '../way-back.ts'
import { nextMeetings } from './list-dates.ts'
import { MeetingList, useCurrentDates } from './MeetingList.tsx'
import classes from './MeetingsPage.module.css'

const StartActions = lazy(async () => ({ default: (await import('./StartActions.tsx')).StartActions }))
const HandOvers = lazy(async () => ({ default: (await import('./HandOvers.tsx')).HandOvers }))

/** The start page: actions to start and join, the next meeting, and all meetings. */
export function MeetingsPage() {
  const { t } = useTranslation()
  const search = useSearch({ from: '/signed-in/meetings' })
  useRememberedPlace({ page: 'meetings', search })
  const navigate = useNavigate({ from: '/meetings' })
  const narrow = (to: MeetingSearch) => void navigate({ search: to, replace: true })
  const { data: first } = useQuery(anyMeetingQuery)
  const { data: offered } = useQuery(handOversQuery)
  // An account without meetings sees how to create one instead of a search.
  const fresh = first?.totalCount === 0
  const searchRef = useRef<HTMLInputElement>(null)
  useListCommands(searchRef, !fresh)
  return (
    <Page title={t('navigation.pages.meetings')} actions={<ScheduleButton />}>
      <div className={classes.start}>
        <Suspense fallback={null}>
          <StartActions />
        </Suspense>
      </div>
      {(offered?.length ?? 0) > 0 && (
        <Suspense fallback={null}>
          <HandOvers />
        </Suspense>
      )}
      {!fresh && <NextMeeting />}
      {!fresh && <MeetingFilters search={search} searchRef={searchRef} onChange={narrow} />}
      <MeetingList search={search} onClear={() => narrow({})} />
    </Page>
  )
}

/** Short enough for a countdown in seconds. */
const tickMs = 1_000

/** Every running meeting, otherwise the next one within a week: the time left, and a button to join. */
function NextMeeting() {
  const { t } = useTranslation('meetings')
  const headingId = useId()
  const { now, dates } = useCurrentDates(tickMs)
  const groups = nextMeetings(dates ?? [], now)
  return groups.map(({ kind, meetings }) => (
    <section
      key={kind}
      className={classes.next}
      aria-labelledby={`${headingId}${kind}`}
      aria-busy={dates === undefined}
    >
      <Title order={2} size="h5" id={`${headingId}${kind}`} className={classes.heading}>
        {t(`next.${kind}`)}
      </Title>
      {dates === undefined && <Skeleton h={54} />}
      {dates !== undefined && meetings.length === 0 && (
        <Text c="dimmed" className={classes.quiet}>
          {t('next.quiet')}
        </Text>
      )}
      <Stack gap="md">
        {meetings.map((meeting) => (
          <OneMeeting key={`${meeting.meetingId} ${meeting.startTime}`} meeting={meeting} now={now} />
        ))}
      </Stack>
    </section>
  ))
}

function OneMeeting({ meeting, now }: { meeting: DatedMeeting; now: Date }) {
  const { t } = useTranslation(['meetings', 'app'])
  const { meetingId, topic, startTime, endTime, room } = meeting
  const { data: details } = useQuery(meetingQuery(meetingId))
  const dateWords = useDates()
  const [starts, ends] = [new Date(startTime), new Date(endTime)]
  const distance = (time: string) => ({ distance: dateWords.countdown(time, now) })
  return (
    <Group justify="space-between" gap="md">
      <div className={classes.facts}>
        <Link to="/meetings/$meetingId" params={{ meetingId }} className={classes.topic}>
          <bdi>{topic}</bdi>
        </Link>
        <Text>
          <strong role="timer">
            {starts > now && t('app:starts', distance(startTime))}
            {starts <= now && ends > now && t('next.ends', distance(endTime))}
            {ends <= now && t('next.over')}
          </strong>
          {room === 'occupied' && ` · ${t('next.occupied')}`}
          <Text span c="dimmed">
            {' · '}
            {dateWords.range(startTime, endTime)}
          </Text>
        </Text>
      </div>
      {details !== undefined && <JoinButton code={details.meeting.svcMeetId} pin={details.meeting.pin} topic={topic} />}
    </Group>
  )
}

/** Delay between the last keystroke and the search. */
const pauseMs = 300

type MeetingFiltersProps = {
  search: MeetingSearch
  searchRef: Ref<HTMLInputElement>
  onChange(search: MeetingSearch): void
}

/** Filter the list by topic, by the reader's role, and by time. */
function MeetingFilters({ search, searchRef, onChange }: MeetingFiltersProps) {
  const { t } = useTranslation(['meetings', 'app'])
  const [words, setWords] = useState(search.q ?? '')
  useEffect(() => setWords(search.q ?? ''), [search.q])
  const change = (part: Record<string, string>) => onChange(readMeetingSearch({ ...search, q: words, ...part }))
  // biome-ignore lint/correctness/useExhaustiveDependencies: `change` is new in each render; it uses these only
  useEffect(() => {
    if (words === (search.q ?? '')) return
    const pause = setTimeout(() => change({ q: words }), pauseMs)
    return () => clearTimeout(pause)
  }, [words, search.q, search.role, search.when])
  return (
    <Group component="search" gap="sm" mb="md" align="flex-end">
      <TextInput
        flex="1 1 14rem"
        ref={searchRef}
        type="search"
        label={t('filter.search')}
        value={words}
        maxLength={250}
        leftSection={<IconSearch size={18} aria-hidden />}
        rightSection={
          words === '' ? null : (
            <CloseButton size="sm" aria-label={t('app:clearSearch')} onClick={() => change({ q: '' })} />
          )
        }
        onChange={({ currentTarget: { value } }) => setWords(value)}
      />
      <NativeSelect
        label={t('app:when')}
        value={search.when ?? 'ahead'}
        data={[
          { value: 'ahead', label: t('filter.ahead') },
          { value: 'past', label: t('filter.past') },
          { value: 'cancelled', label: t('filter.cancelled') },
        ]}
        onChange={({ currentTarget: { value } }) => change({ when: value })}
      />
      <NativeSelect
        label={t('filter.role')}
        value={search.role ?? 'all'}
        data={[
          { value: 'all', label: t('filter.all') },
          { value: 'host', label: t('filter.host') },
          { value: 'participant', label: t('filter.participant') },
        ]}
        onChange={({ currentTarget: { value } }) => change({ role: value })}
      />
    </Group>
  )
}

/**
 * Single-key shortcuts of the list, the same as in mail programs and issue trackers: N for a new meeting, / to search.
 */
function useListCommands(search: RefObject<HTMLInputElement | null>, hasSearch: boolean): void {
  const { t } = useTranslation(['meetings', 'app'])
  const navigate = useNavigate()
  useCommands(
    useMemo(
      () => [
        {
          id: 'do-schedule',
          label: t('app:commands.schedule'),
          keys: 'n',
          run: () => void navigate({ to: '/meetings/new' }),
        },
        ...(hasSearch
          ? [{ id: 'meetings-search', label: t('filter.search'), keys: '/', run: () => search.current?.focus() }]
          : []),
      ],
      [t, navigate, search, hasSearch],
    ),
  )
}
