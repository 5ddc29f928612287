import { Button, Skeleton, Text } from '@mantine/core'
import { exportAttendance, type RoomSession, type SingleMeetingReply } from '@parley/contract'
import { IconDownload } from '@tabler/icons-react'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { client } from '../../session/client.ts'
import { ProblemAlert } from '../../session/ProblemAlert.tsx'
import { useProblemWords } from '../../session/problem-words.ts'
import { useDates } from '../../texts/dates.ts'
import { useMutation } from '../../ui/hooks/use-mutation.ts'
import { Section } from '../../ui/Section.tsx'
import { saveFile } from '../../ui/save-file.ts'
import { showToast } from '../../ui/toast.ts'
import { historyQuery } from '../meeting-queries.ts'
import classes from './MeetingHistory.module.css'

/** For hosts: when the meeting took place, and who attended from when to when. */
export function MeetingHistory({ meeting: { _id: meetingId, svcMeetId } }: { meeting: SingleMeetingReply }) {
  const { t } = useTranslation(['meeting', 'app'])
  const words = useProblemWords()
  const { data, error, hasNextPage, isFetchingNextPage, fetchNextPage } = useInfiniteQuery(historyQuery(meetingId))
  const sessions = data?.pages.flatMap((page) => page.sessions) ?? []
  const download = useMutation({
    mutationFn: () => client.call(exportAttendance, { params: { meetingId } }),
    onSuccess: (text) => saveFile(text, `attendance-${svcMeetId}.csv`, 'text/csv'),
    onError: (failure) => showToast({ kind: 'problem', message: words(failure) }),
  })
  const actions = sessions.length > 0 && (
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
  return (
    <Section title={t('app:history')} actions={actions}>
      <ProblemAlert error={error} />
      {data === undefined && error === null && <Skeleton h={24} aria-busy="true" />}
      {data !== undefined && sessions.length === 0 && <Text c="dimmed">{t('history.none')}</Text>}
      {sessions.map((session, index) => (
        <PastSession key={session.startedOn} session={session} opened={index === 0} />
      ))}
      {hasNextPage && (
        <Button variant="default" mt="sm" loading={isFetchingNextPage} onClick={() => fetchNextPage()}>
          {t('history.more')}
        </Button>
      )}
    </Section>
  )
}

type PastSessionProps = { session: RoomSession; opened: boolean }

/** One past session of the meeting. The newest one is expanded. */
function PastSession({ session: { startedOn, endedOn, stays }, opened }: PastSessionProps) {
  const { t } = useTranslation(['meeting', 'app'])
  const dates = useDates()
  const people = new Set(stays.map(({ name, email }) => email ?? name)).size
  return (
    <details className={classes.session} open={opened}>
      <summary className={classes.summary}>
        <span className={classes.when}>
          {endedOn === null
            ? t('history.running', { time: dates.dateTime(startedOn) })
            : dates.range(startedOn, endedOn)}
        </span>{' '}
        <span className={classes.detail}>{t('app:people', { count: people })}</span>
      </summary>
      <ul className={classes.stays}>
        {stays.map(({ name, email, role, joinedOn, leftOn }) => (
          <li key={`${email ?? name} ${joinedOn}`} className={classes.stay}>
            <span>
              {name === '' ? t('app:guest') : name}
              {role !== 'participant' && <span className={classes.detail}> · {t(`app:roles.${role}`)}</span>}
              {email !== null && <span className={classes.address}>{email}</span>}
            </span>
            <span className={classes.detail}>
              {leftOn === null ? t('history.since', { time: dates.time(joinedOn) }) : dates.timeRange(joinedOn, leftOn)}
            </span>
          </li>
        ))}
      </ul>
    </details>
  )
}
