import { Alert, Button, Grid, Group, Stack, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import type { SingleMeetingReply } from '@parley/contract'
import { IconCalendarX } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { ProblemAlert } from '../../session/ProblemAlert.tsx'
import { usePerson } from '../../session/session.ts'
import { CopyField } from '../../ui/CopyField.tsx'
import { LinkedText } from '../../ui/LinkedText.tsx'
import { Page } from '../../ui/Page.tsx'
import { PageSkeleton } from '../../ui/PageSkeleton.tsx'
import { Section } from '../../ui/Section.tsx'
import { HandOvers } from '../list/HandOvers.tsx'
import { meetingQuery } from '../meeting-queries.ts'
import { isForAdministration, statusOf, writeName } from '../meeting-status.ts'
import { useTakesPlace } from '../use-meeting-dates.ts'
import { Invitation, OwnAnswer } from './Invitation.tsx'
import { DuplicateButton, MeetingActions } from './MeetingActions.tsx'
import { MeetingHistory } from './MeetingHistory.tsx'
import { MeetingTimes } from './MeetingTimes.tsx'
import { NextDates } from './NextDates.tsx'
import { Participants } from './Participants.tsx'
import { TimeProposals } from './TimeProposals.tsx'
import { useKeptUndos } from './use-undo.ts'

/** One meeting: its dates, how to join, its participants, and the host's actions. */
export function MeetingPage() {
  const { t } = useTranslation(['meetings', 'app'])
  const { meetingId } = useParams({ from: '/signed-in/meetings/$meetingId' })
  const person = usePerson()
  useKeptUndos()
  const { data, error } = useQuery(meetingQuery(meetingId))
  if (data === undefined) return error === null ? <PageSkeleton /> : <MissingMeeting error={error} />

  const { meeting, etag } = data
  const ownRole = statusOf(person, meeting)
  const { topic, description, location, status, hostInfo } = meeting
  return (
    <Page title={topic} actions={status === 'active' && <MeetingActions meeting={meeting} etag={etag} />}>
      <Group gap="xs" mb="lg" mt="-0.75rem">
        <Text c="dimmed">
          {ownRole === 'participant' ? t('app:hostedBy', { name: writeName(hostInfo) }) : t(`you.${ownRole}`)}
        </Text>
      </Group>
      {status === 'active' && ownRole === 'cohost' && <HandOvers meetingId={meetingId} />}
      {status === 'cancelled' && <CancelledNotice meeting={meeting} />}
      <Grid gap="lg">
        <Grid.Col span={{ base: 12, md: 7 }}>
          <Stack gap="lg">
            <MeetingTimes meeting={meeting} etag={etag} />
            <OwnAnswer meeting={meeting} />
            {location.trim() !== '' && (
              <Section title={t('app:location')}>
                <Text style={{ overflowWrap: 'anywhere' }} dir="auto">
                  <LinkedText text={location} />
                </Text>
              </Section>
            )}
            {description.trim() !== '' && (
              <Section title={t('app:description')}>
                <Text style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }} dir="auto">
                  <LinkedText text={description} />
                </Text>
              </Section>
            )}
            {meeting.recur && status === 'active' && <NextDates meeting={meeting} etag={etag} />}
            {meeting.roomKey !== '' && status === 'active' && <TimeProposals meeting={meeting} etag={etag} />}
            <Participants meeting={meeting} />
            {ownRole !== 'participant' && <MeetingHistory meeting={meeting} />}
          </Stack>
        </Grid.Col>
        <Grid.Col span={{ base: 12, md: 5 }}>
          <Stack gap="lg">
            {isForAdministration(meeting) ? (
              <AdministrationNotice />
            ) : status === 'active' ? (
              <Invitation meeting={meeting} />
            ) : (
              <RunningInvitation meeting={meeting} />
            )}
            {meeting.roomKey !== '' && <HostFields meeting={meeting} />}
          </Stack>
        </Grid.Col>
      </Grid>
    </Page>
  )
}

/** In place of the invitation, to an administrator who is not invited. */
function AdministrationNotice() {
  const { t } = useTranslation('meeting')
  return (
    <Section title={t('administration.title')}>
      <Text>{t('administration.shown')}</Text>
      <Text c="dimmed" size="sm" mt="xs">
        {t('administration.recorded')}
      </Text>
    </Section>
  )
}

/** How to join the date that was running when its series was cancelled, and goes on. */
const RunningInvitation = ({ meeting }: { meeting: SingleMeetingReply }) =>
  useTakesPlace(meeting) ? <Invitation meeting={meeting} /> : null

/** A meeting that does not exist and one that the caller may not see look the same. */
function MissingMeeting({ error }: { error: unknown }) {
  const { t } = useTranslation('meeting')
  return (
    <Page title={t('missing')} width="narrow">
      <ProblemAlert error={error} />
    </Page>
  )
}

/** Shown when no later date of a meeting takes place any more, with the next step. */
function CancelledNotice({ meeting }: { meeting: SingleMeetingReply }) {
  const { t } = useTranslation(['meeting', 'schedule'])
  const mayChange = statusOf(usePerson(), meeting) !== 'participant'
  const goesOn = useTakesPlace(meeting)
  return (
    <Alert color="red" mb="lg" icon={<IconCalendarX aria-hidden />} title={t('schedule:cancelled.title')}>
      {meeting.recur && <Text size="sm">{t(goesOn ? 'ended.running' : 'ended.series')}</Text>}
      <Text size="sm" mb={mayChange ? 'sm' : 0}>
        {mayChange ? t('ended.host') : t('ended.participant', { name: writeName(meeting.hostInfo) })}
      </Text>
      {mayChange && <DuplicateButton meetingId={meeting._id} label={t('ended.again')} isMain />}
    </Alert>
  )
}

/** The host's key and PIN, hidden until requested, because screens are shared. */
function HostFields({ meeting: { roomUrl, roomKey, vpin } }: { meeting: SingleMeetingReply }) {
  const { t } = useTranslation('meeting')
  const [shown, { toggle }] = useDisclosure(false)
  return (
    <Section
      title={t('hostFields.title')}
      actions={
        <Button variant="default" size="compact-sm" aria-expanded={shown} onClick={toggle}>
          {shown ? t('hostFields.hide') : t('hostFields.show')}
        </Button>
      }
    >
      <Text c="dimmed" size="sm">
        {t('hostFields.explanation')}
      </Text>
      {shown && (
        <Stack gap="sm" mt="sm">
          <CopyField label={t('hostFields.roomUrl')} value={roomUrl} />
          <CopyField label={t('hostFields.roomKey')} value={roomKey} />
          <CopyField label={t('hostFields.vpin')} value={vpin} />
        </Stack>
      )}
    </Section>
  )
}
