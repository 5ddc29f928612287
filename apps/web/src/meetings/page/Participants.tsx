import { ActionIcon, Button, Group, Text } from '@mantine/core'
import { useClipboard } from '@mantine/hooks'
import { ProblemError } from '@parley/client'
import { resendInvitation, type SingleMeetingReply } from '@parley/contract'
import { minAskIntervalMs } from '@parley/rules/invitations/mail-limits'
import { IconBell, IconCheck, IconCopy, IconMailForward } from '@tabler/icons-react'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { client } from '../../session/client.ts'
import { useProblemWords } from '../../session/problem-words.ts'
import { useMail } from '../../session/session.ts'
import { useDates } from '../../texts/dates.ts'
import { useMutation } from '../../ui/hooks/use-mutation.ts'
import { readClockMs, useNow } from '../../ui/hooks/use-now.ts'
import { PersonPortrait } from '../../ui/Portrait.tsx'
import { randomKey } from '../../ui/random-key.ts'
import { showToast } from '../../ui/toast.ts'
import { AnswerBar, AnswerChip } from '../Answers.tsx'
import { countAnswers, invitedPeople, shownCounts } from '../invitation-answers.ts'
import { useAskForAnswers } from '../meeting-mutations.ts'
import { isForAdministration, writeName } from '../meeting-status.ts'
import { useIsAhead } from '../use-meeting-dates.ts'
import { MeetingPart } from './MeetingPart.tsx'
import classes from './Participants.module.css'

/** Whether a day has passed since the last reminder. */
const clockEveryMs = 60_000

/** How many people are shown at first, so that the dates below them stay in sight. */
const shownAtFirst = 6

type Invited = SingleMeetingReply['participants'][number]

/** The invited participants, cohosts included; the host also sees their answers. */
export function Participants({ meeting }: { meeting: SingleMeetingReply }) {
  const { t, i18n } = useTranslation(['meeting', 'app'])
  const dates = useDates()
  const { mailIsSent, mail } = useMail()
  const [showsAll, setShowsAll] = useState(false)
  const { cohosts, hostInfo, status } = meeting
  // The API returns answers and the key to hosts only.
  const isHost = meeting.roomKey !== ''
  const isCohost = includesAddress(cohosts)
  const mailProblemOf = ({ mailFailedOn, mailDelayedUntil }: Invited) => {
    if (mailFailedOn !== undefined) return t('people.mailFailed')
    if (mailDelayedUntil === undefined) return undefined
    const when = dates.dateTime(mailDelayedUntil)
    return t(`people.mailDelayed.${mail}`, { when })
  }
  const people = invitedPeople(meeting)
  const isAhead = useIsAhead(meeting)
  const canResend = isHost && isAhead && mailIsSent
  const needsLink = isHost && isAhead && !mailIsSent && people.length > 0
  const counts = meeting.responseCounts ? shownCounts(meeting.responseCounts) : countAnswers(people)
  // A button that would show a single person is as long as that person.
  const shown = showsAll || people.length <= shownAtFirst + 1 ? people : people.slice(0, shownAtFirst)
  return (
    <MeetingPart
      title={t('app:participants')}
      actions={
        <>
          {canResend && <AskButton meetingId={meeting._id} people={people} />}
          {needsLink && <CopyLinkButton link={meeting.meetingUrl} />}
        </>
      }
    >
      {(isHost || isForAdministration(meeting)) && <AnswerBar counts={counts} />}
      {needsLink && (
        <Text size="caption" c="dimmed" mt={4}>
          {t('people.notSent')}
        </Text>
      )}
      <ul className={classes.people}>
        <Person
          name={writeName(hostInfo)}
          email={hostInfo.email}
          photo={hostInfo.photoUrl}
          mark={t('app:roles.host')}
        />
        {shown.map((participant) => (
          <Person
            key={participant.email}
            name={writeName(participant)}
            email={participant.email}
            photo={participant.photoUrl}
            mark={isCohost(participant.email) ? t('app:roles.cohost') : undefined}
            answer={isHost && <AnswerChip answer={participant.response} />}
            comment={participant.comment}
            askedOn={participant.askedOn}
            mailProblem={mailProblemOf(participant)}
            action={canResend && <ResendButton meetingId={meeting._id} email={participant.email} />}
          />
        ))}
      </ul>
      {shown.length < people.length && (
        <Button variant="subtle" size="compact-sm" mt="xs" onClick={() => setShowsAll(true)}>
          {t('people.all', { number: new Intl.NumberFormat(i18n.language).format(people.length) })}
        </Button>
      )}
      {people.length === 0 && counts.length === 0 && isHost && status === 'active' && isAhead && (
        <Text c="dimmed" size="sm">
          {t('people.none')}
        </Text>
      )}
    </MeetingPart>
  )
}

function includesAddress(addresses: readonly string[]): (address: string) => boolean {
  const keys = new Set(addresses.map((address) => address.toLowerCase()))
  return (address) => keys.has(address.toLowerCase())
}

/** Where no email leaves the service, the host passes on the link. */
function CopyLinkButton({ link }: { link: string }) {
  const { t } = useTranslation(['meeting', 'app'])
  const { copy, copied, error } = useClipboard()
  return (
    <Group gap="xs">
      <Button
        variant="default"
        size="compact-sm"
        leftSection={copied ? <IconCheck size={16} aria-hidden /> : <IconCopy size={16} aria-hidden />}
        onClick={() => copy(link)}
      >
        {copied ? t('app:copied') : t('people.copyLink')}
      </Button>
      {error !== null && (
        <Text size="sm" role="alert">
          {t('app:copyFailed')} <bdi dir="ltr">{link}</bdi>
        </Text>
      )}
    </Group>
  )
}

type PersonProps = {
  name: string
  email: string
  photo?: string | undefined
  mark?: string | undefined
  answer?: ReactNode
  /** What they wrote with their answer. */
  comment?: string | undefined
  /** When they were last reminded to answer. */
  askedOn?: string | undefined
  mailProblem?: string | undefined
  action?: ReactNode
}

function Person({ name, email, photo, mark, answer, comment, askedOn, mailProblem, action }: PersonProps) {
  const { t } = useTranslation('meeting')
  const dates = useDates()
  return (
    <li className={classes.person}>
      <span className={classes.portrait}>
        <PersonPortrait name={name || email} photo={photo} />
      </span>
      <div className={classes.names}>
        <Text lh="sm">
          <bdi>{name === '' ? email : name}</bdi>
          {mark !== undefined && (
            <Text span size="caption" c="dimmed">
              {' · '}
              {mark}
            </Text>
          )}
        </Text>
        {name !== '' && (
          <Text size="caption" c="dimmed" lh="sm">
            {email}
          </Text>
        )}
        {comment !== undefined && (
          <Text size="sm" className={classes.comment} dir="auto">
            {comment}
          </Text>
        )}
        {askedOn !== undefined && (
          <Text size="caption" c="dimmed" lh="sm">
            {t('ask.on', { when: dates.dateTime(askedOn) })}
          </Text>
        )}
        {mailProblem !== undefined && (
          <Text size="sm" c="var(--parley-danger)">
            {mailProblem}
          </Text>
        )}
      </div>
      <div className={classes.marks}>
        {action}
        {answer}
      </div>
    </li>
  )
}

/** Remind all people who have not answered and were not reminded within a day. Nothing when there are none. */
function AskButton({ meetingId, people }: { meetingId: string; people: readonly Invited[] }) {
  const { t, i18n } = useTranslation('meeting')
  const words = useProblemWords()
  const now = useNow(clockEveryMs)
  // A second click is the same request.
  const [idempotencyKey, setIdempotencyKey] = useState(randomKey)
  const asking = useAskForAnswers(meetingId, {
    onSaved: ({ asked }) => {
      setIdempotencyKey(randomKey())
      const message = asked.length === 0 ? t('ask.none') : t('ask.done', { count: asked.length })
      showToast({ message, about: 'ask' })
    },
    onError: (error) => showToast({ message: words(error), kind: 'problem', about: 'ask' }),
  })
  const isDue = ({ askedOn }: Invited) =>
    askedOn === undefined || Date.parse(askedOn) + minAskIntervalMs <= now.getTime()
  const unanswered = people.filter((person) => person.response === undefined && isDue(person))
  if (unanswered.length === 0) return null
  return (
    <Button
      variant="default"
      size="compact-sm"
      // On a phone a long label takes two lines instead of widening the page.
      h="auto"
      mih="var(--button-height)"
      styles={{ label: { whiteSpace: 'normal' } }}
      leftSection={<IconBell size={16} aria-hidden />}
      loading={asking.isPending}
      onClick={() => asking.mutate({ idempotencyKey })}
    >
      {t('ask.button', { number: new Intl.NumberFormat(i18n.language).format(unanswered.length) })}
    </Button>
  )
}

/**
 * Send the invitation to one participant again. When the address has had too many mails, show when the next one is
 * possible.
 */
function ResendButton({ meetingId, email }: { meetingId: string; email: string }) {
  const { t } = useTranslation('meeting')
  const dates = useDates()
  const { mail } = useMail()
  const words = useProblemWords()
  const explain = (error: unknown) => {
    const until = error instanceof ProblemError && error.problem.code === 'mail_limited' && retryTime(error.headers)
    if (!until) return words(error)
    return t('resend.limited', {
      email,
      when: dates.dateTime(until),
    })
  }
  const sending = useMutation({
    mutationFn: () => client.call(resendInvitation, { params: { meetingId }, body: { email } }),
    onSuccess: () => showToast({ message: t(`resend.done.${mail}`, { email }) }),
    onError: (error) => showToast({ message: explain(error), kind: 'problem', about: `resend ${email}` }),
  })
  return (
    <ActionIcon
      className={classes.again}
      variant="subtle"
      color="gray"
      title={t('resend.button')}
      aria-label={t('resend.name', { email })}
      loading={sending.isPending}
      onClick={() => sending.mutate()}
    >
      <IconMailForward size={18} aria-hidden />
    </ActionIcon>
  )
}

/** Rounded up to the minute, the precision in which times are shown. */
function retryTime(headers: Headers): Date | undefined {
  const seconds = Number(headers.get('retry-after'))
  const minuteMs = 60_000
  return seconds > 0 ? new Date(Math.ceil((readClockMs() + seconds * 1000) / minuteMs) * minuteMs) : undefined
}
