import { ProblemError } from '@parley/client'
import type { RoomEnd } from '@parley/client/join'
import { lazy, Suspense, useState } from 'react'
import { ProblemAlert } from '../session/ProblemAlert.tsx'
import { loadTexts } from '../texts/i18n.ts'
import { useFrame } from '../ui/frame.ts'
import { PageSkeleton } from '../ui/PageSkeleton.tsx'
import { useEmbedding } from './embedding.ts'
import classes from './lobby/Lobby.module.css'
import { Lobby } from './lobby/Lobby.tsx'
import { MirrorView } from './lobby/MirrorView.tsx'
import type { ShownEnd } from './next-actions.ts'
import { isHosting, VisitedRoomProvider } from './room-context.ts'
import { useReadmission } from './use-readmission.ts'
import { useTopic } from './use-topic.ts'
import { useVisit, type VisitProps } from './use-visit.ts'

/** Both are fetched with the room. */
const WaitingPanel = lazy(async () => ({ default: (await import('./lobby/WaitingPanel.tsx')).WaitingPanel }))
const Ending = lazy(async () => ({ default: (await import('./lobby/Ending.tsx')).Ending }))
const RoomPage = lazy(async () => {
  const [page] = await Promise.all([import('./RoomPage.tsx'), loadTexts('call')])
  return { default: page.RoomPage }
})

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
  const isEmbedded = useEmbedding() !== undefined
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
      <Suspense fallback={null}>
        <Ending
          reason={over.reason}
          topic={topic}
          hosts={room !== undefined && isHosting(room.snapshot())}
          signedIn={accountName !== undefined && !isEmbedded}
          onRejoin={onAgain}
          onAskAgain={props.onAskAgain}
        />
      </Suspense>
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
        <Suspense fallback={null}>
          <WaitingPanel status={status} entering={entering} onLeave={stop} />
        </Suspense>
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

const isShownEnd = (end: RoomEnd): end is Extract<RoomEnd, { reason: ShownEnd }> =>
  end.reason !== 'refused' && end.reason !== 'failed'
