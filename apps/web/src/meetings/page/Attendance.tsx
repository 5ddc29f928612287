import { Button, Skeleton, Text } from '@mantine/core'
import { listAttendance, type RoomSession, type SingleMeetingReply } from '@parley/contract'
import { IconDownload } from '@tabler/icons-react'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { client } from '../../session/client.ts'
import { ProblemAlert } from '../../session/ProblemAlert.tsx'
import { useProblemWords } from '../../session/problem-words.ts'
import { useDates } from '../../texts/dates.ts'
import { useMutation } from '../../ui/hooks/use-mutation.ts'
import { readClockMs, useNow } from '../../ui/hooks/use-now.ts'
import { PersonPortrait } from '../../ui/Portrait.tsx'
import { saveFile } from '../../ui/save-file.ts'
import { showToast } from '../../ui/toast.ts'
import { historyQuery } from '../meeting-queries.ts'
import { writeDuration } from '../schedule/calendar-words.ts'
import { sheetFileName } from '../sheet.ts'
import { useIsOver } from '../use-meeting-dates.ts'
import classes from './Attendance.module.css'
import { attendanceSheet, attendeesOf } from './attendees.ts'
import { FoldedPart, MeetingPart } from './MeetingPart.tsx'
import peopleClasses from './Participants.module.css'

type AttendanceProps = { meeting: SingleMeetingReply }

/** For hosts, once every date is over: who was there, and for how long. */
export function Attendance({ meeting }: AttendanceProps) {
  const { t } = useTranslation('meeting')
  const isOver = useIsOver(meeting)
  const { data } = useInfiniteQuery({ ...historyQuery(meeting._id), enabled: isOver })
  const hasSessions = data?.pages.some(({ sessions }) => sessions.length > 0) === true
  if (!isOver || (meeting.status === 'cancelled' && !hasSessions)) return null
  return (
    <MeetingPart title={t('attendance')} actions={hasSessions && <DownloadButton meeting={meeting} />}>
      <Sessions meeting={meeting} />
    </MeetingPart>
  )
}

/** For hosts, while a date is ahead: who was there before, on request. Nothing before the first time. */
export function FoldedAttendance({ meeting }: AttendanceProps) {
  const { t } = useTranslation('meeting')
  const isOver = useIsOver(meeting)
  const { data } = useInfiniteQuery({ ...historyQuery(meeting._id), enabled: !isOver })
  if (isOver || data?.pages.some(({ sessions }) => sessions.length > 0) !== true) return null
  return (
    <FoldedPart title={t('attendance')} actions={<DownloadButton meeting={meeting} />}>
      <Sessions meeting={meeting} />
    </FoldedPart>
  )
}

function DownloadButton({ meeting: { _id: meetingId, topic } }: AttendanceProps) {
  const { t } = useTranslation(['meeting', 'app'])
  const words = useProblemWords()
  const download = useMutation({
    mutationFn: () => readSessions(meetingId),
    onSuccess: (sessions) => {
      const sheet = attendanceSheet(
        sessions,
        {
          column: (name) => t(`history.columns.${name}`),
          role: (role) => (role === 'participant' ? '' : t(`app:roles.${role}`)),
          guest: t('app:guest'),
        },
        new Date(readClockMs()),
      )
      saveFile(sheet, sheetFileName(t('attendance'), topic), 'text/csv')
    },
    onError: (failure) => showToast({ kind: 'problem', message: words(failure) }),
  })
  return (
    <Button
      variant="default"
      size="compact-sm"
      leftSection={<IconDownload size={16} aria-hidden />}
      loading={download.isPending}
      onClick={() => download.mutate()}
    >
      {t('history.download')}
    </Button>
  )
}

const sessionsOnAPage = 50

/** Read all sessions of a meeting, the newest first. */
async function readSessions(meetingId: string): Promise<RoomSession[]> {
  const sessions: RoomSession[] = []
  let after: string | null = null
  do {
    const query: { limit: number; after?: string } = { limit: sessionsOnAPage, ...(after !== null && { after }) }
    const page = await client.call(listAttendance, { params: { meetingId }, query })
    sessions.push(...page.sessions)
    after = page.nextCursor
  } while (after !== null)
  return sessions
}

/** When people met, the newest time first. */
function Sessions({ meeting }: AttendanceProps) {
  const { t } = useTranslation('meeting')
  const { data, error, hasNextPage, isFetchingNextPage, fetchNextPage } = useInfiniteQuery(historyQuery(meeting._id))
  const sessions = data?.pages.flatMap((page) => page.sessions) ?? []
  return (
    <>
      <ProblemAlert error={error} />
      {data === undefined && error === null && <Skeleton h={24} aria-busy="true" />}
      {data !== undefined && sessions.length === 0 && <Text c="dimmed">{t('history.none')}</Text>}
      {sessions.map((session, index) => (
        <PastSession key={session.startedOn} session={session} opened={index === 0} />
      ))}
      {hasNextPage && (
        <Button
          variant="default"
          size="compact-sm"
          mt="sm"
          loading={isFetchingNextPage}
          onClick={() => fetchNextPage()}
        >
          {t('history.more')}
        </Button>
      )}
    </>
  )
}

const clockEveryMs = 30_000

type PastSessionProps = { session: RoomSession; opened: boolean }

/** One session of the meeting, with everybody who was there, each once. The newest one is expanded. */
function PastSession({ session: { startedOn, endedOn, stays }, opened }: PastSessionProps) {
  const { t } = useTranslation(['meeting', 'app'])
  const dates = useDates()
  const now = useNow(clockEveryMs)
  const { i18n } = useTranslation()
  const attendees = attendeesOf(stays, now)
  const lastedMs = endedOn === null ? undefined : Date.parse(endedOn) - Date.parse(startedOn)
  return (
    <details className={classes.session} open={opened}>
      <summary className={classes.summary}>
        <span className={classes.when}>
          {endedOn === null
            ? t('history.running', { time: dates.dateTime(startedOn) })
            : dates.range(startedOn, endedOn)}
        </span>{' '}
        <span className={classes.detail}>
          {lastedMs !== undefined && `${writeRounded(lastedMs, i18n.language)} · `}
          {t('app:people', { count: attendees.length })}
        </span>
      </summary>
      <ul className={classes.people}>
        {attendees.map(({ key, name, email, role, presentMs, times }) => {
          const shownName = name === '' ? t('app:guest') : name
          return (
            <li key={key} className={classes.person}>
              <span className={peopleClasses.portrait}>
                <PersonPortrait name={shownName} />
              </span>
              <span className={classes.names}>
                <Text span display="block">
                  {shownName}
                  {role !== 'participant' && <span className={classes.detail}> · {t(`app:roles.${role}`)}</span>}
                </Text>
                {email !== null && (
                  <Text span display="block" size="caption" c="dimmed" truncate>
                    {email}
                  </Text>
                )}
              </span>
              <span className={classes.times}>
                <span>{writeRounded(presentMs, i18n.language)}</span>
                <span className={classes.detail}>
                  {times
                    .map(({ joinedOn, leftOn }) =>
                      leftOn === null
                        ? t('history.since', { time: dates.time(joinedOn) })
                        : dates.timeRange(joinedOn, leftOn),
                    )
                    .join(', ')}
                </span>
              </span>
            </li>
          )
        })}
      </ul>
    </details>
  )
}

const minuteMs = 60_000

/** To the minute; below a minute, to the second. */
const writeRounded = (durationMs: number, language: string): string =>
  writeDuration(durationMs < minuteMs ? durationMs : Math.round(durationMs / minuteMs) * minuteMs, language)
