import { ProblemError } from '@parley/client'
import { lazy, Suspense, useState } from 'react'
import { ProblemAlert } from '../session/ProblemAlert.tsx'
import { useFrame } from '../ui/frame.ts'
import { PageSkeleton } from '../ui/PageSkeleton.tsx'
import { Ending, isShownEnd } from './endings/Ending.tsx'
import classes from './lobby/Lobby.module.css'
import { Lobby } from './lobby/Lobby.tsx'
import { MirrorView } from './lobby/MirrorView.tsx'
import { WaitingPanel } from './lobby/WaitingPanel.tsx'
import { isHosting, VisitedRoomProvider } from './room-context.ts'
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
  const { room, phase, status, devices, kept, start, stop, error } = useVisit(props)
  const topic = useTopic(entering.meeting)
  const over = status?.phase === 'over' ? status.end : undefined
  const removed = over?.reason === 'removed'
  useReadmission({ code, admissionId: removed ? entering.admissionId : undefined, onAdmitted: onAgain })
  useFrame(phase === 'inside' ? 'window' : phase === 'over' ? 'card' : 'wide')

  if (room !== undefined && phase === 'inside') {
    return (
      <VisitedRoomProvider value={{ room, code, pin }}>
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
  return (
    <>
      {heading}
      <ProblemAlert error={over?.reason === 'failed' ? new ProblemError(over.problem, new Headers()) : error} />
      {status?.phase === 'waiting' ? (
        <div className={classes.lobby}>
          <MirrorView name={kept.name} camera={devices.camera} microphone={devices.microphone} />
          <WaitingPanel status={status} onLeave={stop} />
        </div>
      ) : (
        <Lobby
          entering={entering}
          accountName={accountName}
          devices={devices}
          keptName={kept.name}
          keptBlur={kept.blur}
          isBack={isBack}
          busy={phase === 'requesting'}
          onJoin={(choice) => void start(choice)}
        />
      )}
    </>
  )
}
