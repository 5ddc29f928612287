import { ActionIcon, Text } from '@mantine/core'
import { useClipboard } from '@mantine/hooks'
import { IconCheck, IconCopy, IconDotsVertical } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { lazy, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { usePerson } from '../../session/session.ts'
import { regional, useDates } from '../../texts/dates.ts'
import { loadTexts } from '../../texts/i18n.ts'
import { PersonPortrait } from '../../ui/Portrait.tsx'
import { AnswerChip } from '../Answers.tsx'
import { hueOf } from '../hue.ts'
import { JoinButton } from '../MeetingButtons.tsx'
import { writeName } from '../meeting-status.ts'
import { rhythmOf } from '../times.ts'
import classes from './AgendaRow.module.css'
import { LazyMenu } from './LazyMenu.tsx'
import { canJoinNow } from './list-dates.ts'
import type { AgendaDate } from './list-queries.ts'

const RowMenu = lazy(async () => {
  const [{ RowMenu }] = await Promise.all([import('./RowMenu.tsx'), loadTexts('meeting', 'occurrence', 'schedule')])
  return { default: RowMenu }
})

/** A start that is nearer is counted down. */
const countdownFromMs = 60 * 60_000

type AgendaRowProps = {
  date: AgendaDate
  now: Date
  /** The date in the group's heading, which the row does not repeat. */
  day?: string
  /** In place of the chip with the reader's answer. */
  answer?: ReactNode
}

/** One date of a meeting; the whole row links to its page. */
export function AgendaRow({ date, now, day, answer }: AgendaRowProps) {
  const { meetingId, svcMeetId, pin, topic, startTime, endTime, status, recur, response, room, invited, colour } = date
  const dates = useDates()
  const isAhead = status !== 'cancelled' && (new Date(endTime) > now || room === 'occupied')
  const joins = isAhead && canJoinNow(date, now)
  return (
    <li
      className={classes.row}
      style={hueOf(colour)}
      data-dated={day === undefined}
      data-declined={response === 'declined' || status === 'cancelled'}
    >
      <Text className={classes.times} size="sm" component="time" dateTime={startTime}>
        {day ? dates.timeRange(startTime, endTime) : dates.rangeNear(startTime, endTime, now)}
      </Text>
      <div className={classes.facts}>
        <Link
          to="/meetings/$meetingId"
          params={{ meetingId }}
          search={recur && status !== 'cancelled' ? { date: startTime } : {}}
          className={classes.topic}
        >
          <bdi>{topic}</bdi>
        </Link>
        <Details date={date} now={now} />
      </div>
      {answer ?? (invited && isAhead && <AnswerOfRow response={response} />)}
      <Faces date={date} />
      <div className={classes.actions} data-join={joins}>
        {joins && <JoinButton code={svcMeetId} pin={pin} topic={topic} quiet />}
        <RowActions date={date} answers={invited && isAhead && answer === undefined} />
      </div>
    </li>
  )
}

/** What stands beside the topic: a near start, the rhythm of a series, and the host. */
function Details({ date, now }: { date: AgendaDate; now: Date }) {
  const { t } = useTranslation(['meetings', 'app'])
  const dates = useDates()
  const { startTime, endTime, status, recur, repeat, interval, role, host, foundInDescription } = date
  const rhythm = rhythmOf({ repeatOptions: { repeat, interval } })
  const startsInMs = Date.parse(startTime) - now.getTime()
  const isNear = status !== 'cancelled' && startsInMs > 0 && startsInMs < countdownFromMs
  const facts = [
    recur &&
      (status === 'cancelled'
        ? t(`every.${rhythm}`, { times: dates.rangeNear(startTime, endTime, now) })
        : t(`app:repeats.${rhythm}`)),
    role === 'participant' ? t('app:hostedBy', { name: host }) : t(`app:roles.${role}`),
    foundInDescription === true && t('app:commands.inDescription'),
  ].filter((fact) => fact !== false)
  return (
    <Text className={classes.details} size="sm" c="dimmed">
      {isNear && (
        <span className={classes.near}>{t('app:starts', { distance: dates.countdown(startTime, now) })} · </span>
      )}
      {facts.join(' · ')}
    </Text>
  )
}

function AnswerOfRow({ response }: { response: AgendaDate['response'] | undefined }) {
  const { t } = useTranslation('meetings')
  const words = t('answering.own', { answer: t(`answers.${response ?? 'none'}`) })
  return (
    <span className={classes.answer} title={words}>
      <span className="hidden">{words}</span>
      <span aria-hidden>
        <AnswerChip answer={response} />
      </span>
    </span>
  )
}

const maxFaces = 3

/** Constructing one costs more than its use in a whole list. */
const knownLists = new Map<string, Intl.ListFormat>()

function listIn(tag: string): Intl.ListFormat {
  const list = knownLists.get(tag) ?? new Intl.ListFormat(tag)
  knownLists.set(tag, list)
  return list
}

/** The other people of a meeting, its host first: avatars on screen, names for screen readers. */
function Faces({ date: { role, host, people, peopleCount, photoUrls } }: { date: AgendaDate }) {
  const { t, i18n } = useTranslation('meetings')
  const own = writeName(usePerson())
  const others = role === 'host' || host === own ? people : [host, ...people]
  // The photos begin with that of the host.
  const firstPhoto = 1 + people.length - others.length
  const count = peopleCount + others.length - people.length
  if (count === 0) return <span className={classes.faces} />
  const shown = others.slice(0, maxFaces)
  const more = count - shown.length
  const names = more === 0 ? shown : [...shown, t('faces.more', { count: more })]
  const words = t('faces.with', { names: listIn(regional(i18n.language)).format(names) })
  return (
    <span className={classes.faces} title={words}>
      {shown.map((name, at) => (
        <PersonPortrait key={name} name={name} photo={photoUrls?.[firstPhoto + at]} />
      ))}
      {more > 0 && (
        <span className={classes.moreFaces} aria-hidden>
          {`+${new Intl.NumberFormat(i18n.language).format(more)}`}
        </span>
      )}
      <span className="hidden">{words}</span>
    </span>
  )
}

/** Copy the link, and a menu with the rest; shown with the row under the pointer or in focus. */
function RowActions({ date, answers }: { date: AgendaDate; answers: boolean }) {
  const { t } = useTranslation(['meetings', 'app'])
  const { svcMeetId, pin, topic, status } = date
  const { copy, copied } = useClipboard()
  const copyLink = () => copy(`${window.location.origin}/j/${svcMeetId}#pin=${pin}`)
  return (
    <>
      {status !== 'cancelled' && (
        <ActionIcon
          className={classes.copy}
          variant="subtle"
          color="gray"
          size="lg"
          title={copied ? t('app:copied') : t('row.copy')}
          aria-label={t('row.copyNamed', { topic })}
          onClick={copyLink}
        >
          {copied ? <IconCheck size={18} aria-hidden /> : <IconCopy size={18} aria-hidden />}
        </ActionIcon>
      )}
      <span role="status" className="hidden">
        {copied && t('app:copied')}
      </span>
      <LazyMenu
        button={
          <ActionIcon
            className={classes.menu}
            variant="subtle"
            color="gray"
            size="lg"
            aria-label={t('row.actions', { topic })}
          >
            <IconDotsVertical size={18} aria-hidden />
          </ActionIcon>
        }
        menu={(target) => <RowMenu date={date} answers={answers} onCopy={copyLink} target={target} />}
      />
    </>
  )
}
