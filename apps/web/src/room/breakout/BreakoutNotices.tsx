import { Button } from '@mantine/core'
import type { BreakoutOfPerson } from '@parley/contract'
import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useNow } from '../../ui/hooks/use-now.ts'
import { showToast } from '../../ui/toast.ts'
import { writeElapsed } from '../elapsed.ts'
import { Notice } from '../notices/Notice.tsx'
import { isHosting, useNameOf, useSnapshot, useVisited } from '../room-context.ts'
import { useAction } from '../use-action.ts'
import classes from './BreakoutDialog.module.css'
import { placedPeople } from './breakout-people.ts'

const tickMs = 1_000
const soonMs = 60_000

const nameOfRoom = ({ rooms }: BreakoutOfPerson, id: string | null) => rooms.find((room) => room.id === id)?.name

/** What a person is told of breakout rooms, in the stack of notices. It stays mounted after they have closed. */
export function BreakoutNotices({ onManage }: { onManage(): void }) {
  const { breakout } = useSnapshot()
  useClosedToast()
  if (breakout === null) return null
  return (
    <>
      <ClosingNotice breakout={breakout} />
      <PlaceNotice breakout={breakout} onManage={onManage} />
      <HostMessage breakout={breakout} />
      <HelpNotice breakout={breakout} onManage={onManage} />
    </>
  )
}

/** Tell a person in a breakout room that they are back in the main room. */
function useClosedToast(): void {
  const { t } = useTranslation('breakout')
  const { breakout, status } = useSnapshot()
  const before = useRef(breakout)
  const isInside = status.phase === 'inside'
  useEffect(() => {
    const was = before.current
    before.current = breakout
    if (isInside && breakout === null && was !== null && was.room !== null)
      showToast({ about: 'breakout', message: t('closing.closed') })
  }, [breakout, isInside, t])
}

type NoticeProps = { breakout: BreakoutOfPerson; onManage(): void }

/** Where the person is, and what they can do there. It comes back when they are elsewhere. */
function PlaceNotice({ breakout, onManage }: NoticeProps) {
  const { t } = useTranslation('breakout')
  const { room } = useVisited()
  const hosting = isHosting(useSnapshot())
  const runAction = useAction()
  const { room: here, assignedRoom, choice, helpAskedOn } = breakout
  const place = `${breakout.rooms[0]?.id} ${here} ${choice}`
  const [closedAt, setClosedAt] = useState('')
  const name = nameOfRoom(breakout, here)
  const assigned = nameOfRoom(breakout, assignedRoom)
  const goTo = (id: string | null) => void runAction(() => room.goToBreakoutRoom(id), 'breakout')
  const askForHelp = (on: boolean) => void runAction(() => room.askForHelp(on), 'breakout')
  const hasAsked = helpAskedOn !== null
  if (closedAt === place && !hasAsked) return <div role="status" />
  return (
    <div role="status">
      <Notice
        tone="request"
        onClose={() => setClosedAt(place)}
        actions={
          <>
            {hosting && (
              <Button size="sm" variant="default" onClick={onManage}>
                {t('place.manage')}
              </Button>
            )}
            {!hosting && choice && (
              <Button size="sm" variant={here === null ? 'filled' : 'default'} onClick={onManage}>
                {t(here === null ? 'place.choose' : 'place.change')}
              </Button>
            )}
            {here === null && assignedRoom !== null && assigned !== undefined && (
              <Button size="sm" onClick={() => goTo(assignedRoom)}>
                {t('place.back', { room: assigned })}
              </Button>
            )}
            {here !== null && !hosting && (
              <Button size="sm" variant="default" onClick={() => askForHelp(!hasAsked)}>
                {t(hasAsked ? 'place.withdraw' : 'place.askHelp')}
              </Button>
            )}
            {here !== null && (
              <Button size="sm" variant="default" onClick={() => goTo(null)}>
                {t('place.toMain')}
              </Button>
            )}
          </>
        }
      >
        {name === undefined ? t('place.inMain') : t('place.inRoom', { room: name })}
        {hasAsked && ` ${t('place.helpAsked')}`}
      </Notice>
    </div>
  )
}

/** The last minute. The time itself is in the header, so that it is not read out every second. */
function ClosingNotice({ breakout: { endsAt, room } }: { breakout: BreakoutOfPerson }) {
  const { t } = useTranslation('breakout')
  const leftMs = useLeftMs(endsAt)
  const [closed, setClosed] = useState<string | null>(null)
  const isShown = leftMs !== undefined && leftMs <= soonMs && closed !== endsAt
  return (
    <div role="status">
      {isShown && (
        <Notice tone="warning" onClose={() => setClosed(endsAt)}>
          {t(room === null ? 'closing.soonHere' : 'closing.soon')}
        </Notice>
      )}
    </div>
  )
}

/** The time left in milliseconds, never less than zero; undefined without an end. */
function useLeftMs(endsAt: string | null): number | undefined {
  const now = useNow(tickMs)
  return endsAt === null ? undefined : Math.max(0, new Date(endsAt).getTime() - now.getTime())
}

function HostMessage({ breakout: { message } }: { breakout: BreakoutOfPerson }) {
  const { t } = useTranslation('breakout')
  const [closed, setClosed] = useState('')
  return (
    <div role="status">
      {message !== null && message.sentOn !== closed && (
        <Notice tone="request" onClose={() => setClosed(message.sentOn)}>
          {t('message', { text: message.text })}
        </Notice>
      )}
    </div>
  )
}

/** Tell hosts who asks for help, except in the room in which they are. */
function HelpNotice({ breakout, onManage }: NoticeProps) {
  const { t } = useTranslation('breakout')
  const { room } = useVisited()
  const snapshot = useSnapshot()
  const runAction = useAction()
  const nameOf = useNameOf()
  const asking = placedPeople(snapshot).filter((one) => one.asksForHelp && one.room !== breakout.room)
  const [first] = asking
  return (
    <div role="status">
      {first !== undefined && (
        <Notice
          tone="request"
          actions={
            <Button
              size="sm"
              onClick={() =>
                asking.length === 1 ? void runAction(() => room.goToBreakoutRoom(first.room), 'breakout') : onManage()
              }
            >
              {t(asking.length === 1 ? 'run.goTo' : 'place.manage')}
            </Button>
          }
        >
          {asking.length === 1
            ? t('help.one', { name: nameOf(first), room: nameOfRoom(breakout, first.room) ?? '' })
            : t('help.many', { count: asking.length })}
        </Notice>
      )}
    </div>
  )
}

/** In the header: the breakout room, and the time left. */
export function BreakoutPlace() {
  const { t } = useTranslation('breakout')
  const { breakout } = useSnapshot()
  const leftMs = useLeftMs(breakout?.endsAt ?? null)
  if (breakout === null) return null
  return (
    <span className={classes.place}>
      <span className={classes.placeName} dir="auto">
        {nameOfRoom(breakout, breakout.room) ?? t('main')}
      </span>
      {leftMs !== undefined && (
        <span role="timer" aria-label={t('closing.left')}>
          {writeElapsed(leftMs)}
        </span>
      )}
    </span>
  )
}
