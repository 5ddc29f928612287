import { Button } from '@mantine/core'
import { useNetwork, useSessionStorage } from '@mantine/hooks'
import type { DeviceProblem, Participant } from '@parley/client/join'
import type { RoomRole } from '@parley/contract'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Toasts } from '../../ui/Toasts.tsx'
import { keptChoice } from '../lobby/device-choice.ts'
import type { Recipient } from '../panels/ChatPanel.tsx'
import type { WaitingPerson } from '../panels/use-waiting.ts'
import { useNameOf, useSnapshot, useVisited } from '../room-context.ts'
import { SpotlightNotice } from '../Spotlight.tsx'
import type { MicrophoneHint } from '../tools/microphone-watch.ts'
import { useMicrophoneHint } from '../tools/use-microphone-hint.ts'
import type { RoomTools } from '../tools/use-room-tools.ts'
import { useAction } from '../use-action.ts'
import { ChatBubble } from './ChatBubble.tsx'
import { EndNotice } from './EndNotice.tsx'
import { Notice } from './Notice.tsx'
import classes from './Notices.module.css'

type NoticesProps = {
  tools: RoomTools
  /** Both are empty while the people panel is open. */
  waiting: readonly WaitingPerson[]
  hands: readonly Participant[]
  onSeePeople(): void
  chatOpen: boolean
  /** Answer a message: to one participant, or to everyone. */
  onReply(to: Recipient | undefined): void
  /** Further notices. */
  children: ReactNode
}

/** All notices of the room, in one stack over the stage. None takes the focus, so that typing is not interrupted. */
export function Notices({ tools, waiting, hands, onSeePeople, chatOpen, onReply, children }: NoticesProps) {
  return (
    <div className={classes.notices}>
      <Banners />
      <HardMuteBanner tools={tools} />
      <RoleNotice />
      <EndNotice />
      <SpotlightNotice />
      <MaySpeak tools={tools} />
      <MicrophoneNotice tools={tools} />
      <UnmuteRequest tools={tools} />
      <WaitingNotice waiting={waiting} onSee={onSeePeople} />
      <HandsNotice hands={hands} onSee={onSeePeople} />
      <LowerHandQuestion tools={tools} />
      {children}
      {!chatOpen && <ChatBubble onReply={onReply} />}
      <Toasts inPage />
    </div>
  )
}

type WaitingNoticeProps = { waiting: readonly WaitingPerson[]; onSee(): void }

/** Tell a host who has another panel open that people wait; the page's live region announces it. */
function WaitingNotice({ waiting, onSee }: WaitingNoticeProps) {
  const { t } = useTranslation(['room', 'call'])
  const { room } = useVisited()
  const runAction = useAction()
  const nameOf = useNameOf()
  const [first] = waiting
  if (first === undefined) return null
  const name = nameOf({ name: first.name, isGuest: first.guest })
  const one = waiting.length === 1
  return (
    <section aria-label={t('call:waitingRoom.title')}>
      <Notice
        tone="request"
        actions={
          <>
            {one && (
              <Button size="sm" onClick={() => void runAction(() => room.host.admit(first.admissionId), 'waitingRoom')}>
                {t('call:waitingRoom.admit')}
              </Button>
            )}
            <Button size="sm" variant="default" onClick={onSee}>
              {t('call:waitingRoom.see')}
            </Button>
          </>
        }
      >
        {one ? t('announcements.one.waiting', { name }) : t('announcements.many.waiting', { count: waiting.length })}
      </Notice>
    </section>
  )
}

type HandsNoticeProps = { hands: readonly Participant[]; onSee(): void }

/** Show a host the raised hands while the people panel is closed. After dismissal it returns with the next hand. */
function HandsNotice({ hands, onSee }: HandsNoticeProps) {
  const { t } = useTranslation(['room', 'call'])
  const { room } = useVisited()
  const runAction = useAction()
  const nameOf = useNameOf()
  const { hostView } = useSnapshot()
  const [hidden, setHidden] = useState<ReadonlySet<string>>(new Set())
  // A hand that is raised again counts as new.
  const stillHidden = hands.filter(({ id }) => hidden.has(id)).map(({ id }) => id)
  if (stillHidden.length < hidden.size) setHidden(new Set(stillHidden))
  const [first] = hands
  if (first === undefined || stillHidden.length === hands.length) return null
  const name = nameOf(first)
  const isHardMuted = hostView?.participants.find(({ admissionId }) => admissionId === first.id)?.hardMuted === true
  return (
    <section aria-label={t('call:hands.title')}>
      <Notice
        tone="request"
        onClose={() => setHidden(new Set(hands.map(({ id }) => id)))}
        actions={
          <>
            {hands.length === 1 && isHardMuted && (
              <Button size="sm" onClick={() => void runAction(() => room.host.liftHardMute(first.id), 'host')}>
                {t('call:people.do.lift_hard_mute')}
              </Button>
            )}
            {hands.length === 1 && !isHardMuted && (
              <Button
                size="sm"
                variant="default"
                onClick={() => void runAction(() => room.host.lowerHand(first.id), 'host')}
              >
                {t('call:people.do.lower_hand')}
              </Button>
            )}
            <Button size="sm" variant="default" onClick={onSee}>
              {t('call:waitingRoom.see')}
            </Button>
          </>
        }
      >
        {hands.length === 1
          ? t('announcements.one.hand', { name })
          : t('call:hands.many', { count: hands.length, name })}
      </Notice>
    </section>
  )
}

/** Tell a person that they became a host or a cohost, or are one no longer; the live region announces it. */
function RoleNotice() {
  const { t } = useTranslation(['room', 'call'])
  const { role } = useSnapshot()
  const previousRole = useRef(role)
  const [change, setChange] = useState<RoleChange>()
  useEffect(() => {
    const was = previousRole.current
    previousRole.current = role
    const changed = roleChange(was, role)
    if (changed !== undefined) setChange(changed)
  }, [role])
  return (
    <div role="status">
      {change !== undefined && (
        <Notice tone="request" onClose={() => setChange(undefined)}>
          {t(`call:banners.${change}`)}
        </Notice>
      )}
    </div>
  )
}

type RoleChange = 'madeHost' | 'madeCohost' | 'removedAsHost' | 'removedAsCohost'

/** What a person is told of a change of their role; nothing on entering. */
function roleChange(was: RoomRole | null, is: RoomRole | null): RoleChange | undefined {
  if (was === null || is === null || was === is) return undefined
  if (is === 'host') return 'madeHost'
  if (was === 'host') return 'removedAsHost'
  return is === 'cohost' ? 'madeCohost' : 'removedAsCohost'
}

/** Shown after the host has allowed a participant to speak, until they unmute. Lowers the raised hand. */
function MaySpeak({ tools }: { tools: RoomTools }) {
  const { t } = useTranslation(['room', 'call'])
  const { room } = useVisited()
  const { hardMuted, role } = useSnapshot()
  const wasHardMuted = useRef(hardMuted)
  const [allowed, setAllowed] = useState(false)
  const { handUp, microphoneOn } = tools
  useEffect(() => {
    const isAllowedNow = wasHardMuted.current && !hardMuted && role === 'participant'
    wasHardMuted.current = hardMuted
    if (hardMuted) setAllowed(false)
    if (!isAllowedNow) return
    setAllowed(true)
    // Without a connection the message could not be sent.
    if (handUp) void room.raiseHand(false).catch(() => {})
  }, [hardMuted, role, handUp, room])
  return (
    <div role="status">
      {allowed && !microphoneOn && (
        <Notice
          tone="request"
          onClose={() => setAllowed(false)}
          actions={
            <Button size="sm" onClick={() => tools.setMicrophone(true)}>
              {t('tools.unmute')}
            </Button>
          }
        >
          {t('call:banners.maySpeak')}
        </Notice>
      )}
    </div>
  )
}

/** What the sound of the own microphone says: speech while muted, or nothing at all while unmuted. */
function MicrophoneNotice({ tools: { microphoneOn, hardMuted, setMicrophone } }: { tools: RoomTools }) {
  const { t } = useTranslation(['room', 'call'])
  const hint = useMicrophoneHint(!microphoneOn)
  const [closed, setClosed] = useState<MicrophoneHint>()
  if (closed !== undefined && closed !== hint) setClosed(undefined)
  // Reduced noise is silent between words.
  const applies = hint === 'silent' ? !keptChoice(localStorage).reducesNoise : !hardMuted
  return (
    <div role="status">
      {hint !== undefined && hint !== closed && applies && (
        <Notice
          tone={hint === 'silent' ? 'warning' : 'request'}
          onClose={() => setClosed(hint)}
          actions={
            hint === 'speaksMuted' && (
              <Button size="sm" onClick={() => setMicrophone(true)}>
                {t('tools.unmute')}
              </Button>
            )
          }
        >
          {t(`call:banners.${hint}`)}
        </Notice>
      )}
    </div>
  )
}

/**
 * A host's request to unmute. It is not a dialog: taking the focus would turn a key of a chat message into the answer.
 * Answered requests are not shown again after a reload.
 */
function UnmuteRequest({ tools }: { tools: RoomTools }) {
  const { t } = useTranslation(['room', 'call'])
  const { unmuteAskedOn } = useSnapshot()
  const [answered, setAnswered] = useSessionStorage({
    key: 'parley-unmute-answered',
    defaultValue: '',
    getInitialValueInEffect: false,
  })
  const isRequested = unmuteAskedOn !== null && unmuteAskedOn !== answered
  const unmutedAlready = isRequested && tools.microphoneOn
  useEffect(() => {
    if (unmutedAlready) setAnswered(unmuteAskedOn)
  }, [unmutedAlready, unmuteAskedOn, setAnswered])
  const answer = (unmute: boolean) => {
    if (unmute) tools.setMicrophone(true)
    setAnswered(unmuteAskedOn ?? '')
  }
  return (
    <div role="status">
      {isRequested && !unmutedAlready && (
        <Notice
          tone="request"
          actions={
            <>
              <Button size="sm" onClick={() => answer(true)}>
                {t('call:unmute.confirm')}
              </Button>
              <Button size="sm" variant="default" onClick={() => answer(false)}>
                {t('call:unmute.stay')}
              </Button>
            </>
          }
        >
          {t('call:unmute.title')}
        </Notice>
      )}
    </div>
  )
}

/** Current failures, and what to do about them. */
function Banners() {
  const { t } = useTranslation(['room', 'call'])
  const { room } = useVisited()
  const { status, cancelled, soundBlocked, deviceProblem } = useSnapshot()
  const runAction = useAction()
  const [read, setRead] = useState<{ cancelled?: true; problem?: DeviceProblem }>({})
  return (
    <div role="status">
      <LineBanner />
      {cancelled && read.cancelled !== true && (
        <Notice tone="warning" onClose={() => setRead({ ...read, cancelled: true })}>
          {t('call:banners.cancelled')}
        </Notice>
      )}
      {soundBlocked && status.phase === 'inside' && (
        <Notice
          tone="warning"
          actions={
            <Button size="sm" onClick={() => void runAction(room.startSound, 'sound')}>
              {t('call:banners.startSound')}
            </Button>
          }
        >
          {t('call:banners.soundBlocked')}
        </Notice>
      )}
      {deviceProblem !== null && deviceProblem !== read.problem && (
        <Notice tone="warning" onClose={() => setRead({ ...read, problem: deviceProblem })}>
          {deviceProblem.reason === 'device_missing'
            ? t(`call:banners.missing.${deviceProblem.device}`)
            : t(`call:banners.device.${deviceProblem.device}`, { why: t(`errors.${deviceProblem.reason}`) })}
        </Notice>
      )}
    </div>
  )
}

/** The state of the caller's connection, in one line: the worst of what applies. */
function LineBanner() {
  const { t } = useTranslation(['room', 'call'])
  const { room } = useVisited()
  const { status, me, others, unstable, receivesVideo } = useSnapshot()
  const { online } = useNetwork()
  const isPaused = others.some(({ isVideoPaused, isScreenPaused }) => isVideoPaused || isScreenPaused)
  const runAction = useAction()
  if (!online) return <Notice tone="warning">{t('call:banners.offline')}</Notice>
  if (status.phase === 'reconnecting') return <Notice tone="warning">{t('call:banners.reconnecting')}</Notice>
  if (me === null) return null
  const videoButton = (on: boolean) => (
    <Button size="sm" variant="default" onClick={() => void runAction(async () => room.setReceivesVideo(on), 'video')}>
      {t(on ? 'call:banners.turnOnVideo' : 'call:banners.turnOffVideo')}
    </Button>
  )
  if (unstable) return <Notice tone="warning">{t('call:banners.unstable')}</Notice>
  if (isPaused) {
    return (
      <Notice tone="warning" actions={receivesVideo && videoButton(false)}>
        {t('call:banners.videoPaused')}
      </Notice>
    )
  }
  return receivesVideo ? null : <Notice actions={videoButton(true)}>{t('call:banners.videoOff')}</Notice>
}

/** The speech after which a raised hand has probably served its purpose. */
const spokenSeconds = 10

/** Ask a person who has spoken for a while whether the hand is still meant. */
function LowerHandQuestion({ tools: { handUp, toggleHand } }: { tools: RoomTools }) {
  const { t } = useTranslation(['room', 'call'])
  const { me } = useSnapshot()
  const [seconds, setSeconds] = useState(0)
  const [kept, setKept] = useState(false)
  const speaks = handUp && me?.speaking === true
  useEffect(() => {
    if (handUp) return
    setSeconds(0)
    setKept(false)
  }, [handUp])
  useEffect(() => {
    if (!speaks) return
    const timer = setInterval(() => setSeconds((count) => count + 1), 1000)
    return () => clearInterval(timer)
  }, [speaks])
  return (
    <div role="status">
      {handUp && !kept && seconds >= spokenSeconds && (
        <Notice
          tone="request"
          actions={
            <>
              <Button size="sm" onClick={toggleHand}>
                {t('tools.lowerHand')}
              </Button>
              <Button size="sm" variant="default" onClick={() => setKept(true)}>
                {t('call:hands.keep')}
              </Button>
            </>
          }
        >
          {t('call:hands.lower')}
        </Notice>
      )}
    </div>
  )
}

/** While a person may not speak. An attempt to has the live region say it again. */
function HardMuteBanner({ tools }: { tools: RoomTools }) {
  const { t } = useTranslation(['room', 'call'])
  const { hardMuted, handUp, triedToSpeak, toggleHand } = tools
  /** How often the person had tried to speak when the banner was closed. */
  const [closedAfter, setClosedAfter] = useState<number>()
  if (!hardMuted && closedAfter !== undefined) setClosedAfter(undefined)
  return (
    <div role="status">
      {hardMuted && closedAfter !== triedToSpeak && (
        <Notice
          key={triedToSpeak}
          tone="warning"
          onClose={() => setClosedAfter(triedToSpeak)}
          actions={
            !handUp && (
              <Button size="sm" variant="default" onClick={toggleHand}>
                {t('tools.raiseHand')}
              </Button>
            )
          }
        >
          {t('call:banners.hardMuted')}
        </Notice>
      )}
    </div>
  )
}
