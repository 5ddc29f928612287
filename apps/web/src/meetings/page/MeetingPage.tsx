import { Alert, Anchor, Button, Group, Stack, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import type { SingleMeetingReply } from '@parley/contract'
import { IconCalendarX, IconChevronLeft } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link, useParams } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ProblemAlert } from '../../session/ProblemAlert.tsx'
import { usePerson } from '../../session/session.ts'
import { CopyField } from '../../ui/CopyField.tsx'
import { useNow } from '../../ui/hooks/use-now.ts'
import { Page } from '../../ui/Page.tsx'
import { PageSkeleton } from '../../ui/PageSkeleton.tsx'
import { LinkedText } from '../LinkedText.tsx'
import { HandOvers } from '../list/HandOvers.tsx'
import { meetingQuery } from '../meeting-queries.ts'
import { isForAdministration, statusOf, writeName } from '../meeting-status.ts'
import { useTakesPlace } from '../use-meeting-dates.ts'
import { mayRestore, useRestore } from '../use-restore.ts'
import { usePlaceBefore } from '../way-back.ts'
import { Attendance, FoldedAttendance } from './Attendance.tsx'
import { Invitation } from './Invitation.tsx'
import { DuplicateButton, MeetingActions } from './MeetingActions.tsx'
import classes from './MeetingPage.module.css'
import { FoldedPart, MeetingPart } from './MeetingPart.tsx'
import { MeetingTimes } from './MeetingTimes.tsx'
import { NextDates } from './NextDates.tsx'
import { Participants } from './Participants.tsx'
import { TimeProposals } from './TimeProposals.tsx'
import { useKeptUndos } from './use-undo.ts'

/** One meeting: its next date, who comes, its dates, how to join, and the host's actions. */
export function MeetingPage() {
  const { t } = useTranslation(['meetings', 'app'])
  const { meetingId } = useParams({ from: '/signed-in/meetings/$meetingId' })
  const person = usePerson()
  useKeptUndos()
  const { data, error } = useQuery(meetingQuery(meetingId))
  if (data === undefined) return error === null ? <PageSkeleton /> : <MissingMeeting error={error} />

  const { meeting, etag } = data
  const ownRole = statusOf(person, meeting)
  const { topic, status, hostInfo } = meeting
  const isActive = status === 'active'
  return (
    <Page
      title={topic}
      wayBack={<WayBack />}
      actions={isActive && <MeetingActions meeting={meeting} etag={etag} />}
      caption={ownRole === 'participant' ? t('app:hostedBy', { name: writeName(hostInfo) }) : t(`you.${ownRole}`)}
    >
      {isActive && ownRole === 'cohost' && <HandOvers meetingId={meetingId} />}
      {status === 'cancelled' && <CancelledNotice meeting={meeting} />}
      <div className={classes.content}>
        <div className={classes.columns}>
          <div className={classes.column}>
            <MeetingTimes meeting={meeting} etag={etag} />
            {/* Measured anew when another window has changed it. */}
            <Description key={meeting.description} text={meeting.description} />
            {ownRole !== 'participant' && <Attendance meeting={meeting} />}
            <Participants meeting={meeting} />
            {meeting.recur && isActive && <NextDates meeting={meeting} etag={etag} />}
            {meeting.roomKey !== '' && isActive && <TimeProposals meeting={meeting} etag={etag} />}
          </div>
          <div className={classes.column}>
            <AboutJoining meeting={meeting} />
          </div>
        </div>
      </div>
    </Page>
  )
}

/** The page that the meeting was opened from, or the list. */
function WayBack() {
  const { t } = useTranslation('app')
  const { page, search } = usePlaceBefore()
  return (
    <Anchor
      size="sm"
      c="dimmed"
      className={classes.back}
      renderRoot={(props) =>
        page === 'calendar' ? (
          <Link to="/calendar" search={search} {...props} />
        ) : (
          <Link to="/meetings" search={search} {...props} />
        )
      }
    >
      <IconChevronLeft size={16} aria-hidden />
      {t(`navigation.pages.${page}`)}
    </Anchor>
  )
}

/**
 * What the meeting is about, below its time. A long text is cut to three lines, which leaves the people on the first
 * screen.
 */
function Description({ text }: { text: string }) {
  const { t } = useTranslation(['meeting', 'app'])
  const [isOpen, { toggle }] = useDisclosure(false)
  const [isLong, setLong] = useState(false)
  const field = useRef<HTMLParagraphElement>(null)
  useEffect(() => {
    const shown = field.current
    if (shown === null || isOpen) return
    const measured = new ResizeObserver(() => setLong(shown.scrollHeight > shown.clientHeight))
    measured.observe(shown)
    return () => measured.disconnect()
  }, [isOpen])
  if (text.trim() === '') return null
  return (
    <section aria-label={t('app:description')}>
      <Text ref={field} className={classes.text} dir="auto" {...(!isOpen && { lineClamp: 3 })}>
        <LinkedText text={text} />
      </Text>
      {isLong && (
        <Button variant="subtle" size="compact-sm" className={classes.fold} aria-expanded={isOpen} onClick={toggle}>
          {isOpen ? t('less') : t('app:showMore')}
        </Button>
      )}
    </section>
  )
}

/** One card: how to join, and for hosts who attended and the keys. */
function AboutJoining({ meeting }: { meeting: SingleMeetingReply }) {
  const takesPlace = useTakesPlace(meeting)
  const isActive = meeting.status === 'active'
  const isHost = statusOf(usePerson(), meeting) !== 'participant'
  if (isForAdministration(meeting)) {
    return (
      <div className={classes.card}>
        <AdministrationNotice />
      </div>
    )
  }
  // The date that was running when its series was cancelled goes on to its end.
  const canJoin = isActive || takesPlace
  if (!canJoin && !isHost) return null
  return (
    <div className={classes.card}>
      {canJoin && <Invitation meeting={meeting} />}
      {isHost && <FoldedAttendance meeting={meeting} />}
      {meeting.roomKey !== '' && canJoin && <HostFields meeting={meeting} />}
    </div>
  )
}

/** In place of the invitation, to an administrator who is not invited. */
function AdministrationNotice() {
  const { t } = useTranslation('meeting')
  return (
    <MeetingPart title={t('administration.title')}>
      <Text>{t('administration.shown')}</Text>
      <Text c="dimmed" size="sm" mt="xs">
        {t('administration.recorded')}
      </Text>
    </MeetingPart>
  )
}

/** A meeting that does not exist and one that the caller may not see look the same. */
function MissingMeeting({ error }: { error: unknown }) {
  const { t } = useTranslation('meeting')
  return (
    <Page title={t('missing')} width="narrow" wayBack={<WayBack />}>
      <ProblemAlert error={error} />
    </Page>
  )
}

const clockEveryMs = 30_000

/** Shown when no later date of a meeting takes place any more, with the next step. */
function CancelledNotice({ meeting }: { meeting: SingleMeetingReply }) {
  const { t } = useTranslation(['meeting', 'schedule'])
  const mayChange = statusOf(usePerson(), meeting) !== 'participant'
  const goesOn = useTakesPlace(meeting)
  const isRestorable = mayRestore(meeting, useNow(clockEveryMs))
  return (
    <Alert color="red" mb="lg" icon={<IconCalendarX aria-hidden />} title={t('schedule:cancelled.title')}>
      {meeting.recur && <Text size="sm">{t(goesOn ? 'ended.running' : 'ended.series')}</Text>}
      <Text size="sm" mb={mayChange ? 'sm' : 0}>
        {mayChange
          ? t(isRestorable ? 'ended.restorable' : 'ended.host')
          : t('ended.participant', { name: writeName(meeting.hostInfo) })}
      </Text>
      {mayChange && (
        <Group gap="xs">
          {isRestorable && <RestoreButton meetingId={meeting._id} />}
          <DuplicateButton meetingId={meeting._id} label={t('ended.again')} />
        </Group>
      )}
    </Alert>
  )
}

/** Let the meeting take place again with the same link. */
function RestoreButton({ meetingId }: { meetingId: string }) {
  const { t } = useTranslation('occurrence')
  const restoring = useRestore()
  return (
    <Button loading={restoring.isPending} onClick={() => restoring.mutate({ meetingId })}>
      {t('restore')}
    </Button>
  )
}

/** The host's key and PIN, hidden until requested, because screens are shared. */
function HostFields({ meeting: { roomUrl, roomKey, vpin } }: { meeting: SingleMeetingReply }) {
  const { t } = useTranslation('meeting')
  return (
    <FoldedPart
      title={t('hostFields.title')}
      summary={
        <Text c="dimmed" size="sm">
          {t('hostFields.explanation')}
        </Text>
      }
    >
      <Stack gap="sm" mt="sm">
        <CopyField label={t('hostFields.roomUrl')} value={roomUrl} />
        <CopyField label={t('hostFields.roomKey')} value={roomKey} />
        <CopyField label={t('hostFields.vpin')} value={vpin} />
      </Stack>
    </FoldedPart>
  )
}
