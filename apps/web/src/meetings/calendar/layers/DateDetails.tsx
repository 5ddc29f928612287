import { ActionIcon, Button, Group, Menu, SegmentedControl, Skeleton, Stack, Text } from '@mantine/core'
import type { InvitationResponse, OccurrenceReply, SingleMeetingReply } from '@parley/contract'
import { addressKey } from '@parley/rules/text/email-address'
import {
  IconClock,
  IconDotsVertical,
  IconMapPin,
  IconPalette,
  IconPencil,
  IconUser,
  IconUsers,
} from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { lazy, type ReactNode, Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ProblemAlert } from '../../../session/ProblemAlert.tsx'
import { usePerson } from '../../../session/session.ts'
import { useDates } from '../../../texts/dates.ts'
import { useNow } from '../../../ui/hooks/use-now.ts'
import { showToast } from '../../../ui/toast.ts'
import { AnswerBar, AnswerButtons, AnswerChip } from '../../Answers.tsx'
import { hueOf } from '../../hue.ts'
import { countAnswers, invitationOf, invitedPeople, shownCounts } from '../../invitation-answers.ts'
import { LinkedText } from '../../LinkedText.tsx'
import { JoinButton } from '../../MeetingButtons.tsx'
import { ColourChoice } from '../../MeetingColour.tsx'
import { useRespond } from '../../meeting-mutations.ts'
import { meetingQuery, openedDateQuery } from '../../meeting-queries.ts'
import { isForAdministration, writeName } from '../../meeting-status.ts'
import { rhythmOf } from '../../times.ts'
import { useSplitsAt } from '../../use-meeting-dates.ts'
import { type CalendarDate, isMovable } from '../calendar-dates.ts'
import { AnchoredLayer } from './AnchoredLayer.tsx'
import classes from './DateDetails.module.css'

const CancelMeetingDialog = lazy(async () => ({
  default: (await import('../../page/CancelMeetingDialog.tsx')).CancelMeetingDialog,
}))
const EditSeriesDialog = lazy(async () => ({ default: (await import('../../page/DateDialogs.tsx')).EditSeriesDialog }))
const ChangeDateDialog = lazy(async () => ({ default: (await import('../../page/DateDialogs.tsx')).ChangeDateDialog }))

type DateDetailsProps = {
  date: CalendarDate
  /** The element of the date in the calendar. */
  target: HTMLElement
  /** Take the date to move it by keys; absent where dates are not moved. */
  onMove: ((date: CalendarDate) => void) | undefined
  onClose(): void
}

const tickMs = 15_000
/** From this long before its start on, the layer of a date offers to join. */
const joinableBeforeMs = 15 * 60_000

/** What matters of one date of the calendar, with what the reader can do; all else is on the meeting's page. */
export function DateDetails({ date, target, onMove, onClose }: DateDetailsProps) {
  const { t } = useTranslation(['meetings', 'meeting', 'occurrence', 'schedule', 'app'])
  const now = useNow(tickMs)
  const { meetingId, topic, startTime, endTime, recur, role, status, room } = date
  const { data, error } = useQuery(meetingQuery(meetingId))
  const { data: found, error: dateError } = useQuery({ ...openedDateQuery(meetingId, startTime), enabled: recur })
  const [dialog, setDialog] = useState<'ask' | 'change' | 'cancel'>()
  const colour = data?.meeting.colour ?? date.colour
  const occurrence = found ?? undefined
  const isRead = data !== undefined && (!recur || found !== undefined)
  const isHost = role !== 'participant'
  const mayChange = isHost && status !== 'cancelled' && new Date(endTime) > now
  const isNear =
    room === 'occupied' || (now.getTime() >= Date.parse(startTime) - joinableBeforeMs && now < new Date(endTime))
  const version = data && { meeting: data.meeting, etag: data.etag }

  const leaveDialog = () => {
    onClose()
    // The dialog was opened from the layer, which is gone.
    requestAnimationFrame(() => document.activeElement === document.body && target.focus({ preventScroll: true }))
  }
  if (dialog !== undefined && version !== undefined) {
    return (
      <Suspense fallback={null}>
        <DateDialog
          {...version}
          occurrence={occurrence}
          kind={dialog}
          onThisDate={() => setDialog('change')}
          onClose={leaveDialog}
        />
      </Suspense>
    )
  }
  return (
    <AnchoredLayer
      target={target}
      onClose={onClose}
      title={
        <>
          <span className={classes.hue} style={hueOf(colour)} aria-hidden />
          <bdi>{topic}</bdi>
        </>
      }
      actions={
        <>
          {mayChange && <EditDateButton date={date} onAsk={isRead ? () => setDialog('ask') : undefined} />}
          <DateLayerMenu
            date={date}
            link={data?.meeting.meetingUrl}
            onMove={mayChange ? onMove : undefined}
            onCancel={mayChange && isRead ? () => setDialog('cancel') : undefined}
            onClose={onClose}
          />
        </>
      }
    >
      <ProblemAlert error={error ?? dateError} />
      <Stack gap="sm">
        <When date={date} meeting={data?.meeting} />
        {isRead ? (
          <>
            <Place text={occurrence?.location ?? data.meeting.location} />
            <People meeting={data.meeting} occurrence={occurrence} isHost={isHost} />
            {status !== 'cancelled' && new Date(endTime) > now && (
              <AnswerToDate meeting={data.meeting} date={date} answer={occurrence?.response} />
            )}
          </>
        ) : (
          error === null && (
            <Stack gap="xs" aria-busy="true">
              <Skeleton h={20} w="70%" />
              <Skeleton h={20} w="85%" />
            </Stack>
          )
        )}
        {data !== undefined && !isForAdministration(data.meeting) && (
          <Fact icon={<IconPalette size={18} aria-hidden />}>
            <ColourChoice meetingId={meetingId} colour={colour} />
          </Fact>
        )}
        <Group gap="xs" mt="xs">
          {isNear && data !== undefined && !isForAdministration(data.meeting) && (
            <JoinButton code={data.meeting.svcMeetId} pin={data.meeting.pin} topic={topic} starts={isHost} />
          )}
          <Button
            variant="default"
            renderRoot={(props) => (
              <Link to="/meetings/$meetingId" params={{ meetingId }} search={{ date: startTime }} {...props} />
            )}
          >
            {t('calendar.details.open')}
          </Button>
        </Group>
      </Stack>
    </AnchoredLayer>
  )
}

type DateDialogProps = {
  meeting: SingleMeetingReply
  etag: string
  /** The date of a series. */
  occurrence: OccurrenceReply | undefined
  kind: 'ask' | 'change' | 'cancel'
  onThisDate(): void
  onClose(): void
}

/** What a host does with the date, in the dialogs of the meeting's page. */
function DateDialog({ meeting, etag, occurrence, kind, onThisDate, onClose }: DateDialogProps) {
  const isSplittable = useSplitsAt(meeting, occurrence)
  const version = { meeting, etag, onClose }
  if (kind === 'cancel') {
    return <CancelMeetingDialog {...version} {...(occurrence !== undefined && { occurrence })} />
  }
  if (occurrence === undefined) return null
  if (kind === 'change') return <ChangeDateDialog {...version} occurrence={occurrence} />
  return (
    <EditSeriesDialog
      meeting={meeting}
      occurrence={occurrence}
      isSplittable={isSplittable}
      onThisDate={onThisDate}
      onClose={onClose}
    />
  )
}

type EditDateButtonProps = {
  date: CalendarDate
  /** Ask which dates of a series to edit; absent until the series is read. */
  onAsk: (() => void) | undefined
}

function EditDateButton({ date: { meetingId, recur }, onAsk }: EditDateButtonProps) {
  const { t } = useTranslation('meeting')
  const look = { variant: 'subtle', color: 'gray', size: 'lg', 'aria-label': t('edit'), title: t('edit') } as const
  const icon = <IconPencil size={20} aria-hidden />
  if (recur) {
    return (
      <ActionIcon {...look} disabled={onAsk === undefined} onClick={onAsk}>
        {icon}
      </ActionIcon>
    )
  }
  return (
    <ActionIcon
      {...look}
      renderRoot={(props) => <Link to="/meetings/$meetingId/edit" params={{ meetingId }} {...props} />}
    >
      {icon}
    </ActionIcon>
  )
}

type DateLayerMenuProps = {
  date: CalendarDate
  link: string | undefined
  onMove: ((date: CalendarDate) => void) | undefined
  onCancel: (() => void) | undefined
  onClose(): void
}

function DateLayerMenu({ date, link = '', onMove, onCancel, onClose }: DateLayerMenuProps) {
  const { t } = useTranslation(['meetings', 'meeting', 'occurrence', 'schedule', 'app'])
  const navigate = useNavigate()
  const { meetingId, startTime, recur, role } = date
  const copyLink = async () => {
    try {
      await navigator.clipboard.writeText(link)
      showToast({ message: t('calendar.details.copied') })
    } catch {
      showToast({ kind: 'problem', message: `${t('app:copyFailed')} ${link}` })
    }
  }
  const isMoved = onMove !== undefined && isMovable(date, new Date(startTime))
  return (
    <Menu position="bottom-end" withinPortal={false}>
      <Menu.Target>
        <ActionIcon variant="subtle" color="gray" size="lg" aria-label={t('meeting:more')}>
          <IconDotsVertical size={20} aria-hidden />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {link !== '' && <Menu.Item onClick={copyLink}>{t('row.copy')}</Menu.Item>}
        {isMoved && (
          <Menu.Item
            onClick={() => {
              onClose()
              onMove(date)
            }}
          >
            {t('calendar.details.move')}
          </Menu.Item>
        )}
        {role !== 'participant' && (
          <Menu.Item onClick={() => void navigate({ to: '/meetings/new', search: { copy: meetingId } })}>
            {t('meeting:duplicate')}
          </Menu.Item>
        )}
        <Menu.Item
          onClick={() =>
            void navigate({ to: '/meetings/$meetingId', params: { meetingId }, search: { date: startTime } })
          }
        >
          {t('calendar.details.open')}
        </Menu.Item>
        {onCancel !== undefined && (
          <Menu.Item c="var(--parley-danger)" onClick={onCancel}>
            {recur ? t('occurrence:cancel') : t('schedule:cancel.open')}
          </Menu.Item>
        )}
      </Menu.Dropdown>
    </Menu>
  )
}

/** One line of facts, with an icon before it. */
function Fact({ icon, children }: { icon: ReactNode; children: ReactNode }) {
  return (
    <div className={classes.fact}>
      <span className={classes.icon}>{icon}</span>
      <div className={classes.text}>{children}</div>
    </div>
  )
}

function When({ date, meeting }: { date: CalendarDate; meeting: SingleMeetingReply | undefined }) {
  const { t } = useTranslation(['meetings', 'app'])
  const dates = useDates()
  const { startTime, endTime, status } = date
  const rhythm = meeting?.recur === true ? rhythmOf(meeting) : undefined
  const details = [dates.zone(startTime), ...(rhythm === undefined ? [] : [t(`app:repeats.${rhythm}`)])]
  return (
    <Fact icon={<IconClock size={18} aria-hidden />}>
      <Text td={status === 'cancelled' ? 'line-through' : undefined}>{dates.range(startTime, endTime)}</Text>
      <Text size="sm" c="dimmed">
        {details.join(' · ')}
      </Text>
    </Fact>
  )
}

function Place({ text }: { text: string }) {
  if (text.trim() === '') return null
  return (
    <Fact icon={<IconMapPin size={18} aria-hidden />}>
      <Text dir="auto">
        <LinkedText text={text} />
      </Text>
    </Fact>
  )
}

/** More names would push the answer and the buttons out of sight. */
const maxNames = 5

type PeopleProps = { meeting: SingleMeetingReply; occurrence: OccurrenceReply | undefined; isHost: boolean }

/** The host, and who is invited; to hosts also who answered what about this date. */
function People({ meeting, occurrence, isHost }: PeopleProps) {
  const { t } = useTranslation(['meetings', 'app'])
  const own = new Map((occurrence?.responses ?? []).map(({ email, response }) => [addressKey(email), response]))
  const people = invitedPeople(meeting).map((person) => {
    const response = own.get(addressKey(person.email))
    return response === undefined ? person : { ...person, response }
  })
  const given = occurrence?.responseCounts ?? meeting.responseCounts
  const counts = given === undefined ? countAnswers(people) : shownCounts(given)
  return (
    <>
      {!isHost && (
        <Fact icon={<IconUser size={18} aria-hidden />}>
          <Text>{t('app:hostedBy', { name: writeName(meeting.hostInfo) })}</Text>
        </Fact>
      )}
      {people.length > 0 && (
        <Fact icon={<IconUsers size={18} aria-hidden />}>
          {isHost ? <AnswerBar counts={counts} /> : <Text>{t('app:people', { count: people.length })}</Text>}
          <ul className={classes.people}>
            {people.slice(0, maxNames).map((person) => (
              <li key={person.email}>
                <bdi className={classes.name}>{writeName(person) || person.email}</bdi>
                {isHost && <AnswerChip answer={person.response} />}
              </li>
            ))}
          </ul>
          {people.length > maxNames && (
            <Text size="sm" c="dimmed">
              {t('faces.more', { count: people.length - maxNames })}
            </Text>
          )}
        </Fact>
      )}
    </>
  )
}

type AnswerToDateProps = {
  meeting: SingleMeetingReply
  date: CalendarDate
  /** The reader's answer to this date of a series. */
  answer: InvitationResponse | undefined
}

/** Answer an invitation: a series as a whole at first, and then also one date of it. */
function AnswerToDate({ meeting, date, answer }: AnswerToDateProps) {
  const { t } = useTranslation(['meeting', 'occurrence'])
  const invitation = invitationOf(usePerson(), meeting)
  const answering = useRespond(meeting._id)
  const [extent, setExtent] = useState<'one' | 'all'>(invitation?.response === undefined ? 'all' : 'one')
  if (invitation === undefined) return null
  const known = date.recur ? answer : invitation.response
  const given = answering.isPending ? answering.variables.response : known
  return (
    <div>
      <Text size="sm" fw={500} mb={4}>
        {t('rsvp.title')}
      </Text>
      <ProblemAlert error={answering.error} />
      <AnswerButtons
        label={t('rsvp.title')}
        answer={given}
        onAnswer={(response) =>
          answering.mutate({
            response,
            ...(date.recur && extent === 'one' && { occurrence: date.originalStartTime }),
          })
        }
      />
      {date.recur && (
        <SegmentedControl
          mt="xs"
          size="xs"
          aria-label={t('occurrence:extent.label')}
          value={extent}
          onChange={(value) => setExtent(value === 'one' ? 'one' : 'all')}
          data={[
            { value: 'one', label: t('occurrence:extent.one') },
            { value: 'all', label: t('occurrence:extent.all') },
          ]}
        />
      )}
    </div>
  )
}
