import { ActionIcon, Badge, Button, Group, Text } from '@mantine/core'
import { useClipboard } from '@mantine/hooks'
import { ProblemError } from '@parley/client'
import { resendInvitation, type SingleMeetingReply } from '@parley/contract'
import { IconCheck, IconCopy, IconMailForward } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { client } from '../../session/client.ts'
import { useProblemWords } from '../../session/problem-words.ts'
import { useMail } from '../../session/session.ts'
import { useDates } from '../../texts/dates.ts'
import { useMutation } from '../../ui/hooks/use-mutation.ts'
import { readClockMs } from '../../ui/hooks/use-now.ts'
import { Section } from '../../ui/Section.tsx'
import { showToast } from '../../ui/toast.ts'
import { countAnswers, invitedPeople, shownCounts } from '../invitation-answers.ts'
import { isForAdministration, writeName } from '../meeting-status.ts'
import { useIsAhead } from '../use-meeting-dates.ts'
import classes from './Participants.module.css'

/** In a longer list the participants' buttons are icons, because repeated labels distract from the names. */
const maxPeopleWithButtons = 10

/** The invited participants, cohosts included; the host also sees their answers. */
export function Participants({ meeting }: { meeting: SingleMeetingReply }) {
  const { t } = useTranslation(['meeting', 'app'])
  const dates = useDates()
  const { mailIsSent, mail } = useMail()
  const { cohosts, hostInfo } = meeting
  // The API returns answers and the key to hosts only.
  const isHost = meeting.roomKey !== ''
  const isCohost = includesAddress(cohosts)
  const mailProblemOf = ({ mailFailedOn, mailDelayedUntil }: SingleMeetingReply['participants'][number]) => {
    if (mailFailedOn !== undefined) return t('people.mailFailed')
    if (mailDelayedUntil === undefined) return undefined
    const when = dates.dateTime(mailDelayedUntil)
    return t(`people.mailDelayed.${mail}`, { when })
  }
  const people = invitedPeople(meeting)
  const isAhead = useIsAhead(meeting)
  const isLong = people.length > maxPeopleWithButtons
  const canResend = isHost && isAhead && mailIsSent
  const counts = meeting.responseCounts ? shownCounts(meeting.responseCounts) : countAnswers(people)
  return (
    <Section title={t('app:participants')}>
      {(isHost || isForAdministration(meeting)) && <AnswerCounts counts={counts} />}
      {isHost && isAhead && !mailIsSent && people.length > 0 && <LinkInstead link={meeting.meetingUrl} />}
      <ul className={classes.people}>
        <Person name={writeName(hostInfo)} email={hostInfo.email} mark={t('app:roles.host')} />
        {people.map((participant) => (
          <Person
            key={participant.email}
            name={writeName(participant)}
            email={participant.email}
            mark={isCohost(participant.email) ? t('app:roles.cohost') : undefined}
            answer={isHost ? t(`people.answers.${participant.response ?? 'none'}`) : undefined}
            comment={participant.comment}
            mailProblem={mailProblemOf(participant)}
            action={canResend && <ResendButton meetingId={meeting._id} email={participant.email} isCompact={isLong} />}
          />
        ))}
      </ul>
      {people.length === 0 && counts.length === 0 && (
        <Text c="dimmed" size="sm">
          {t('people.none')}
        </Text>
      )}
    </Section>
  )
}

function includesAddress(addresses: readonly string[]): (address: string) => boolean {
  const keys = new Set(addresses.map((address) => address.toLowerCase()))
  return (address) => keys.has(address.toLowerCase())
}

/** Where no email leaves the service: the link, which the host passes on. */
function LinkInstead({ link }: { link: string }) {
  const { t } = useTranslation(['meeting', 'app'])
  const { copy, copied, error } = useClipboard()
  return (
    <Group gap="sm" mb="sm">
      <Text size="sm">{t('people.notSent')}</Text>
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

/** "3 yes, 1 no, 2 have not answered" */
function AnswerCounts({ counts }: { counts: ReturnType<typeof countAnswers> }) {
  const { t, i18n } = useTranslation('meeting')
  if (counts.length === 0) return null
  const texts = counts.map(({ answer, count }) => t(`people.counts.${answer}`, { count }))
  return (
    <Text size="sm" c="dimmed" mb="xs">
      {new Intl.ListFormat(i18n.language, { type: 'unit', style: 'long' }).format(texts)}
    </Text>
  )
}

type PersonProps = {
  name: string
  email: string
  mark?: string | undefined
  answer?: string | undefined
  /** What they wrote with their answer. */
  comment?: string | undefined
  mailProblem?: string | undefined
  action?: ReactNode
}

function Person({ name, email, mark, answer, comment, mailProblem, action }: PersonProps) {
  return (
    <li className={classes.person}>
      <div className={classes.names}>
        <Text fw={500}>{name === '' ? email : name}</Text>
        {name !== '' && (
          <Text size="sm" c="dimmed">
            {email}
          </Text>
        )}
        {comment !== undefined && (
          <Text size="sm" className={classes.comment} dir="auto">
            {comment}
          </Text>
        )}
        {mailProblem !== undefined && (
          <Text size="sm" c="var(--parley-danger)">
            {mailProblem}
          </Text>
        )}
      </div>
      <Group gap="xs" className={classes.marks}>
        {mark !== undefined && (
          <Badge color="gray" variant="default" tt="none">
            {mark}
          </Badge>
        )}
        {answer !== undefined && (
          <Text size="sm" c="dimmed">
            {answer}
          </Text>
        )}
        {action}
      </Group>
    </li>
  )
}

type ResendButtonProps = {
  meetingId: string
  email: string
  /** One of many in a list: an icon with an accessible name and a tooltip. */
  isCompact?: boolean
}

/**
 * Send the invitation to one participant again. When the address has had too many mails, show when the next one is
 * possible.
 */
function ResendButton({ meetingId, email, isCompact = false }: ResendButtonProps) {
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
  if (isCompact) {
    return (
      <ActionIcon
        variant="default"
        title={t('resend.button')}
        aria-label={t('resend.name', { email })}
        loading={sending.isPending}
        onClick={() => sending.mutate()}
      >
        <IconMailForward size={16} aria-hidden />
      </ActionIcon>
    )
  }
  return (
    <Button
      variant="default"
      size="compact-sm"
      aria-label={t('resend.name', { email })}
      loading={sending.isPending}
      onClick={() => sending.mutate()}
    >
      {t('resend.button')}
    </Button>
  )
}

/** Rounded up to the minute, the precision in which times are shown. */
function retryTime(headers: Headers): Date | undefined {
  const seconds = Number(headers.get('retry-after'))
  const minuteMs = 60_000
  return seconds > 0 ? new Date(Math.ceil((readClockMs() + seconds * 1000) / minuteMs) * minuteMs) : undefined
}
