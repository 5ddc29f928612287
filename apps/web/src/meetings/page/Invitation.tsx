import { Button, Group, Menu, Stack, Text } from '@mantine/core'
import { useClipboard, useDisclosure } from '@mantine/hooks'
import type { SingleMeetingReply } from '@parley/contract'
import { type CalendarEntry, googleLink, outlookLink, withoutPin } from '@parley/rules/meetings/calendar-links'
import { IconCalendarPlus, IconCheck, IconCopy, IconQrcode } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense } from 'react'
import { useTranslation } from 'react-i18next'
import { ProblemAlert } from '../../session/ProblemAlert.tsx'
import { useMail, usePerson } from '../../session/session.ts'
import { useDates } from '../../texts/dates.ts'
import { CopyField } from '../../ui/CopyField.tsx'
import { useNow } from '../../ui/hooks/use-now.ts'
import { AnswerButtons } from '../Answers.tsx'
import { invitationOf } from '../invitation-answers.ts'
import { useRespond } from '../meeting-mutations.ts'
import { nextDatesQuery } from '../meeting-queries.ts'
import { writeCode, writeName } from '../meeting-status.ts'
import { useIsAhead, useIsOver, useRepeatSentence } from '../use-meeting-dates.ts'
import classes from './Invitation.module.css'
import { MeetingPart } from './MeetingPart.tsx'

const QrDialog = lazy(async () => ({ default: (await import('./QrDialog.tsx')).QrDialog }))

/**
 * What to share: the link, the code and PIN, and a QR code; until the meeting is over, an invitation text and an entry for
 * the calendar.
 */
export function Invitation({ meeting }: { meeting: SingleMeetingReply }) {
  const { t } = useTranslation(['meeting', 'app'])
  const { linksAreLocal } = useMail()
  const text = useInvitationText(meeting)
  const isOver = useIsOver(meeting)
  const { copy, copied, error } = useClipboard()
  const [opened, { open, close }] = useDisclosure(false)
  return (
    <MeetingPart title={t('invitation.title')} isDivided>
      <Stack gap="sm">
        <CopyField
          label={t('app:link')}
          value={meeting.meetingUrl}
          quiet
          {...(linksAreLocal && { description: t('invitation.localLink') })}
        />
        <div className={classes.code}>
          <CopyField label={t('app:meetingId')} value={writeCode(meeting.svcMeetId)} quiet />
          <CopyField label={t('app:pin')} value={meeting.pin} quiet />
        </div>
        <Group gap="xs">
          {!isOver && (
            <Button
              variant="default"
              size="sm"
              leftSection={copied ? <IconCheck size={16} aria-hidden /> : <IconCopy size={16} aria-hidden />}
              onClick={() => copy(text)}
            >
              {copied ? t('app:copied') : t('app:copyInvitation')}
            </Button>
          )}
          <Button variant="subtle" size="sm" leftSection={<IconQrcode size={16} aria-hidden />} onClick={open}>
            {t('invitation.qr')}
          </Button>
          {!isOver && <AddToCalendar meeting={meeting} />}
        </Group>
        {error !== null && (
          <div role="alert">
            <Text size="sm">{t('invitation.failed')}</Text>
            <Text size="sm" style={{ whiteSpace: 'pre-wrap' }}>
              {text}
            </Text>
          </div>
        )}
      </Stack>
      <Suspense>{opened && <QrDialog topic={meeting.topic} address={meeting.meetingUrl} onClose={close} />}</Suspense>
    </MeetingPart>
  )
}

/**
 * Add the meeting to a calendar. The file has the whole series and the PIN; links to other services have the next date
 * only.
 */
function AddToCalendar({ meeting }: { meeting: SingleMeetingReply }) {
  const { t } = useTranslation(['meeting', 'app'])
  const { data } = useQuery({ ...nextDatesQuery(meeting._id), enabled: meeting.recur })
  const next = data?.active[0] ?? meeting
  const { topic, meetingUrl, _id } = meeting
  const entry: CalendarEntry = {
    topic,
    startTime: next.startTime,
    endTime: next.endTime,
    details: t('calendarEntry', { address: new URL(`/meetings/${_id}`, window.location.href).href }),
    location: withoutPin(meetingUrl),
  }
  const elsewhere = { component: 'a', target: '_blank', rel: 'noreferrer' } as const
  return (
    <Menu position="bottom-start" withInitialFocusPlaceholder={false} width={280}>
      <Menu.Target>
        <Button variant="subtle" size="sm" leftSection={<IconCalendarPlus size={16} aria-hidden />}>
          {t('addTo.title')}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item component="a" href={`/api/meeting/meetingDetails/${_id}/invite.ics`} download="invite.ics">
          {t('app:calendarFile')}
        </Menu.Item>
        <Menu.Item href={googleLink(entry)} {...elsewhere}>
          Google
        </Menu.Item>
        <Menu.Item href={outlookLink(entry)} {...elsewhere}>
          Outlook
        </Menu.Item>
        <Menu.Label>{meeting.recur ? t('addTo.series') : t('addTo.single')}</Menu.Label>
      </Menu.Dropdown>
    </Menu>
  )
}

const tickMs = 60_000

/** The text of an invitation mail: host, topic, time with time zone, and how to join. */
function useInvitationText(meeting: SingleMeetingReply): string {
  const { t } = useTranslation('meeting')
  const repeats = useRepeatSentence(meeting)
  const { topic, meetingUrl, svcMeetId, pin, hostInfo } = meeting
  const now = useNow(tickMs)
  const { data } = useQuery({ ...nextDatesQuery(meeting._id), enabled: meeting.recur })
  // The first date of a running series is in the past.
  const { startTime, endTime } = data?.active.find((date) => new Date(date.endTime) > now) ?? meeting
  const dates = useDates()
  return [
    t('invitation.text.opening', { name: writeName(hostInfo) }),
    '',
    t('invitation.text.topic', { topic }),
    t('invitation.text.when', {
      times: dates.range(startTime, endTime),
      zone: dates.zone(startTime),
    }),
    ...(repeats === '' ? [] : [t('invitation.text.repeats', { rule: repeats })]),
    '',
    t('invitation.text.link', { link: meetingUrl }),
    t('invitation.text.code', { code: writeCode(svcMeetId), pin }),
  ].join('\n')
}

/** Answer an invitation with yes, maybe or no while a date is left; nothing for people who are not invited. */
export function OwnAnswer({ meeting }: { meeting: SingleMeetingReply }) {
  const { t } = useTranslation('meeting')
  const invitation = invitationOf(usePerson(), meeting)
  const isAhead = useIsAhead(meeting)
  const answering = useRespond(meeting._id)
  if (invitation === undefined || !isAhead) return null

  const answer = answering.isPending ? answering.variables.response : invitation.response
  return (
    <section aria-label={t('rsvp.title')}>
      <ProblemAlert error={answering.error} />
      <Text size="sm" fw={500} mb={4} aria-hidden>
        {t('rsvp.title')}
      </Text>
      <AnswerButtons label={t('rsvp.title')} answer={answer} onAnswer={(response) => answering.mutate({ response })} />
      <Text c="dimmed" size="sm" mt="xs" role="status" maw="20rem">
        {answer === undefined ? t('rsvp.unanswered') : t(`rsvp.said.${answer}`)} {meeting.recur && t('rsvp.series')}
      </Text>
    </section>
  )
}
