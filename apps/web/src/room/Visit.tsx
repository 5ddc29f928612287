import { Button, Stack, Text, Title } from '@mantine/core'
import { ProblemError } from '@parley/client'
import type { JoinStatus, RoomEnd } from '@parley/client/join'
import type { Entering } from '@parley/contract'
import { Link } from '@tanstack/react-router'
import { lazy, Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ProblemAlert } from '../session/ProblemAlert.tsx'
import { useDates } from '../texts/dates.ts'
import { useFrame } from '../ui/frame.ts'
import { useNow } from '../ui/hooks/use-now.ts'
import { PageTitle } from '../ui/Page.tsx'
import { PageSkeleton } from '../ui/PageSkeleton.tsx'
import classes from './lobby/Lobby.module.css'
import { Lobby } from './lobby/Lobby.tsx'
import { MirrorView } from './lobby/MirrorView.tsx'
import { NoHostCame } from './lobby/RoomState.tsx'
import { nextActions, type ShownEnd } from './next-actions.ts'
import { isHosting, VisitedRoomProvider } from './room-context.ts'
import { useFocusOnMount } from './use-focus-on-mount.ts'
import { useReadmission } from './use-readmission.ts'
import { useTopic } from './use-topic.ts'
import { useVisit, type VisitProps } from './use-visit.ts'

const RoomPage = lazy(async () => ({ default: (await import('./RoomPage.tsx')).RoomPage }))

/**
 * One visit from the lobby to the end: getting ready, waiting, inside, left. Rejoining starts a new visit in the lobby,
 * so that one click never turns camera or microphone on.
 */
export function Visit(props: VisitProps) {
  const [visits, setVisits] = useState(0)
  const startAgain = () => {
    setVisits(visits + 1)
    // The meeting may be over or locked by now.
    props.onEntryChange()
  }
  const askAgain = () => {
    setVisits(visits + 1)
    props.onAskAgain()
  }
  return <OneVisit key={visits} {...props} isBack={visits > 0} onAgain={startAgain} onAskAgain={askAgain} />
}

function OneVisit({ isBack, onAgain, ...props }: VisitProps & { isBack: boolean; onAgain(): void }) {
  const { code, pin, entering, accountName, heading } = props
  const { room, effects, phase, status, devices, kept, start, stop, error } = useVisit(props)
  const topic = useTopic(entering.meeting)
  const over = status?.phase === 'over' ? status.end : undefined
  const removed = over?.reason === 'removed'
  useReadmission({ code, admissionId: removed ? entering.admissionId : undefined, onAdmitted: onAgain })
  useFrame(phase === 'inside' ? 'window' : phase === 'over' ? 'card' : 'wide')

  if (room !== undefined && phase === 'inside') {
    return (
      <VisitedRoomProvider value={{ room, code, pin, effects }}>
        <Suspense fallback={<PageSkeleton />}>
          <RoomPage />
        </Suspense>
      </VisitedRoomProvider>
    )
  }
  if (over !== undefined && isShownEnd(over)) {
    return (
      <Ending
        reason={over.reason}
        topic={topic}
        hosts={room !== undefined && isHosting(room.snapshot())}
        signedIn={accountName !== undefined}
        onRejoin={onAgain}
        onAskAgain={props.onAskAgain}
      />
    )
  }
  const facts = (
    <>
      {heading}
      <ProblemAlert error={over?.reason === 'failed' ? new ProblemError(over.problem, new Headers()) : error} />
    </>
  )
  if (status?.phase === 'waiting') {
    return (
      <div className={classes.lobby}>
        <div className={classes.heading}>{facts}</div>
        <MirrorView name={kept.name} camera={devices.camera} microphone={devices.microphone} />
        <WaitingPanel status={status} entering={entering} onLeave={stop} />
      </div>
    )
  }
  return (
    <Lobby
      code={code}
      heading={facts}
      entering={entering}
      accountName={accountName}
      devices={devices}
      keptName={kept.name}
      isBack={isBack}
      busy={phase === 'requesting'}
      onJoin={(choice) => void start(choice)}
    />
  )
}

type WaitingPanelProps = {
  status: Extract<JoinStatus, { phase: 'waiting' }>
  entering: Entering
  onLeave(): void
}

/** Shown until a host decides or the meeting opens; the page continues by itself. */
function WaitingPanel({ status: { state: status, opensAt, hostInside }, entering, onLeave }: WaitingPanelProps) {
  const { t } = useTranslation(['room', 'join'])
  const { dateTime } = useDates()
  const focusRef = useFocusOnMount<HTMLDivElement>()
  const { meeting, endsAt = null } = entering
  // The owner of an own room admits each guest, also one who came before the owner.
  const state = status === 'waiting_for_host' && meeting?.kind === 'own_room' ? 'waiting' : status
  return (
    <Stack gap="md" className={classes.rest ?? ''}>
      <div ref={focusRef} tabIndex={-1} role="status">
        <Title order={2} size="h4">
          {t(`waiting.${state}.title`)}
        </Title>
        <Text>{t(state === 'waiting' ? waitingText(hostInside) : `waiting.${state}.text`)}</Text>
        {state !== 'too_early' && hostInside !== true && meeting && (
          <NoHostCame endsAt={endsAt} hostName={meeting.hostName} />
        )}
        {opensAt !== undefined && <Text>{t('join:opensAt', { time: dateTime(opensAt) })}</Text>}
      </div>
      {state === 'waiting' && hostInside === true && <HostNotified />}
      <Text c="dimmed">{t('waiting.hint')}</Text>
      <Button variant="default" onClick={onLeave}>
        {t('waiting.leave')}
      </Button>
    </Stack>
  )
}

const minuteMs = 60_000

/** How long ago the host was notified. Outside the live region, which would announce each minute. */
function HostNotified() {
  const { t } = useTranslation('room')
  const { relative } = useDates()
  const now = useNow(minuteMs / 4)
  const [notifiedOn] = useState(now)
  if (now.getTime() - notifiedOn.getTime() < minuteMs) return null
  return <Text>{t('waiting.notified', { when: relative(notifiedOn, now) })}</Text>
}

/** An absent host has not been notified. */
const waitingText = (hostInside: boolean | undefined) =>
  hostInside === true ? 'waiting.waiting.hostInside' : 'waiting.waiting.noHost'

type EndingProps = {
  reason: ShownEnd
  topic: string
  hosts: boolean
  signedIn: boolean
  onRejoin(): void
  onAskAgain(): void
}

/** Why the visit ended, and what to do next. */
function Ending({ reason, topic, hosts, signedIn, onRejoin, onAskAgain }: EndingProps) {
  const { t } = useTranslation(['room', 'join'])
  const text = useFocusOnMount<HTMLDivElement>()
  const ways = nextActions(reason, signedIn)
  return (
    <Stack gap="md">
      <div ref={text} tabIndex={-1} role="status">
        <PageTitle>{t(`endings.${reason}.title`)}</PageTitle>
        <Text fw={600}>{topic}</Text>
        <Text>{t(hosts && reason === 'cancelled' ? 'endings.cancelled.ofHost' : `endings.${reason}.text`)}</Text>
      </div>
      {ways.includes('rejoin') && (
        <Button fullWidth onClick={onRejoin}>
          {t(reason === 'elsewhere' ? 'endings.here' : 'endings.rejoin')}
        </Button>
      )}
      {ways.includes('ask') && (
        <Button variant="default" fullWidth onClick={onAskAgain}>
          {t('endings.ask')}
        </Button>
      )}
      {ways.includes('meetings') && (
        <Button variant="default" fullWidth renderRoot={(props) => <Link to="/meetings" {...props} />}>
          {t('join:toMeetings')}
        </Button>
      )}
      {ways.includes('close') && <Text c="dimmed">{t('endings.close')}</Text>}
    </Stack>
  )
}

const isShownEnd = (end: RoomEnd): end is Extract<RoomEnd, { reason: ShownEnd }> =>
  end.reason !== 'refused' && end.reason !== 'failed'
