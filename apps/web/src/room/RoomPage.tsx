import type { ChatMessage, Participant, RoomSnapshot, RoomTrack } from '@parley/client/join'
import { IconLock, IconSubtitles, IconUsers } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense, startTransition, useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { sessionQuery } from '../session/session.ts'
import { useDates } from '../texts/dates.ts'
import { loadTexts } from '../texts/i18n.ts'
import { readClockMs, useNow } from '../ui/hooks/use-now.ts'
import { PageTitle } from '../ui/Page.tsx'
import { CaptionedStage } from './captions/CaptionedStage.tsx'
import { CaptionsPanel } from './captions/CaptionsPanel.tsx'
import { OwnSpeechQuestion } from './captions/OwnSpeechFields.tsx'
import { useCaptions } from './captions/use-captions.ts'
import { useOwnSpeech } from './captions/use-own-speech.ts'
import { writeElapsed } from './elapsed.ts'
import { useOfferedControls } from './embedding.ts'
import { useDeviceNews } from './lobby/use-device-news.ts'
import { Announcer } from './notices/Announcer.tsx'
import { PlannedEnd } from './notices/EndNotice.tsx'
import { Notices } from './notices/Notices.tsx'
import { ChatPanel, type Draft, emptyDraft } from './panels/ChatPanel.tsx'
import { DevicesDialog } from './panels/DevicesDialog.tsx'
import { InviteToRoomDialog } from './panels/InviteToRoomDialog.tsx'
import { LayoutDialog } from './panels/LayoutDialog.tsx'
import { LeaveDialog, LeaveGuard } from './panels/LeaveDialog.tsx'
import { PeoplePanel } from './panels/PeoplePanel.tsx'
import { handTones, useChime, waitingTones } from './panels/use-chime.ts'
import { useWaiting } from './panels/use-waiting.ts'
import classes from './RoomPage.module.css'
import { allParticipants, isHosting, useSnapshot, useVisited } from './room-context.ts'
import colors from './stage-colors.module.css'
import { Tiles } from './tiles/Tiles.tsx'
import { readViewChoice, type ViewChoice } from './tiles/view-choice.ts'
import { CallWindow } from './tools/CallWindow.tsx'
import { ShownReactions } from './tools/Reactions.tsx'
import { Toolbar } from './tools/Toolbar.tsx'
import type { Dialog, Panel } from './tools/toolbar-props.ts'
import { useCallWindow } from './tools/use-call-window.ts'
import { useFadingBars, useWholeDisplay } from './tools/use-fading-bars.ts'
import { usePushToTalk, useRoomKeys } from './tools/use-room-keys.ts'
import { useRoomTools } from './tools/use-room-tools.ts'
import { useFocusOnMount } from './use-focus-on-mount.ts'
import { useRightsToast } from './use-rights-toast.ts'
import { useTopic } from './use-topic.ts'

/** Fetched when a host prepares breakout rooms, or when some are open. */
const fetchBreakout = async () => {
  const [notices, dialog] = await Promise.all([
    import('./breakout/BreakoutNotices.tsx'),
    import('./breakout/BreakoutDialog.tsx'),
    loadTexts('breakout'),
  ])
  return { ...notices, ...dialog }
}
const BreakoutDialog = lazy(async () => ({ default: (await fetchBreakout()).BreakoutDialog }))
const BreakoutNotices = lazy(async () => ({ default: (await fetchBreakout()).BreakoutNotices }))
const BreakoutPlace = lazy(async () => ({ default: (await fetchBreakout()).BreakoutPlace }))

/** Inside the room: the participants, the toolbar, and at most one panel. */
export function RoomPage() {
  // The texts of what only the room has, which the lobby does not load.
  const { t } = useTranslation(['room', 'app', 'call'])
  const { room } = useVisited()
  const snapshot = useSnapshot()
  // Moves the focus after joining, so that screen readers announce the room.
  const focusRef = useFocusOnMount<HTMLElement>()
  const tools = useRoomTools()
  const [layout, setLayout] = useViewChoice()
  const captions = useCaptions()
  const [panel, setPanel] = useState<Panel>()
  const [dialog, setDialog] = useState<Dialog>()
  const [draft, setDraft] = useState<Draft>(emptyDraft)
  const speech = useOwnSpeech({
    ...captions,
    microphoneOn: tools.microphoneOn,
    areSettingsOpen: panel === 'captions',
  })
  const unread = useUnread(snapshot.messages, panel === 'chat')
  const waiting = useWaiting(snapshot.hostView)
  const hosting = isHosting(snapshot)
  const hands = hosting ? raisedHands(snapshot) : []
  useChime(
    waiting.map(({ admissionId }) => admissionId),
    waitingTones,
  )
  useChime(
    hands.map(({ id }) => id),
    handTones,
  )

  const [hasBreakout, setHasBreakout] = useState(false)
  if (!hasBreakout && snapshot.breakout !== null) setHasBreakout(true)

  const actions = {
    tools,
    captions,
    onPanel: (wanted: Panel) => setPanel(panel === wanted ? undefined : wanted),
    onDialog: (wanted: Dialog) => {
      // The click is answered before the settings are drawn. Others are drawn at once: keys that follow belong to them.
      if (wanted === 'devices') startTransition(() => setDialog(wanted))
      else setDialog(wanted)
    },
    onView: () => setLayout({ view: layout.view === 'grid' ? 'speaker' : 'grid' }),
    onLeave: () => (hosting ? setDialog('leave') : void room.leave()),
  }
  const { opened: callWindow, toggle: onCallWindow, close: closeCallWindow } = useCallWindow()
  useRoomKeys(actions)
  useOfferedControls({ tools, panel, view: layout.view, onPanel: setPanel, onView: (view) => setLayout({ view }) })
  usePushToTalk(tools)
  useRightsToast()
  useWholeDisplay()
  useDeviceNews()
  const topic = useTopic(snapshot.meeting)
  const closePanel = () => setPanel(undefined)
  const closeDialog = () => setDialog(undefined)

  const isAlone = allParticipants(snapshot).length < 2
  const { areOver, areFaded } = useFadingBars(
    panel !== undefined || dialog !== undefined || captions.isTyping || isAlone,
  )

  return (
    <div className={classes.room} data-bars={areOver ? 'over' : 'beside'} data-faded={areFaded}>
      <header className={`${classes.head} ${colors.stage}`} data-bar="start" ref={focusRef} tabIndex={-1}>
        <PageTitle>{topic}</PageTitle>
        <span className={classes.facts}>
          <RoomClock />
          <PlannedEnd />
          {hasBreakout && (
            <Suspense fallback={null}>
              <BreakoutPlace />
            </Suspense>
          )}
          {speech.isRunning && <IconSubtitles size={18} role="img" aria-label={t('call:captions.speech.on')} />}
          {snapshot.hostView?.locked === true && <IconLock size={18} role="img" aria-label={t('call:host.isLocked')} />}
          <span className={classes.count}>
            <IconUsers size={18} aria-hidden />
            {t('app:people', { count: allParticipants(snapshot).length })}
          </span>
        </span>
      </header>
      <div className={classes.middle}>
        <div className={`${classes.over} ${colors.over}`}>
          <Notices
            tools={tools}
            waiting={panel === 'people' ? [] : waiting}
            hands={panel === 'people' ? [] : hands}
            onSeePeople={() => setPanel('people')}
            chatOpen={panel === 'chat'}
            onReply={(to) => {
              setDraft((written) => ({ ...written, to }))
              setPanel('chat')
            }}
          >
            {hasBreakout && (
              <Suspense fallback={null}>
                <BreakoutNotices onManage={() => setDialog('breakout')} />
              </Suspense>
            )}
            {panel !== 'captions' && <OwnSpeechQuestion speech={speech} onSettings={() => setPanel('captions')} />}
          </Notices>
          <ShownReactions />
        </div>
        <section className={`${classes.stage} ${colors.stage}`} aria-label={t('call:stage.title')}>
          <CaptionedStage captions={captions}>
            <Tiles
              choice={layout}
              onShowVideoless={() => setLayout({ hidesVideoless: false })}
              onStopSharing={tools.toggleScreen}
            />
          </CaptionedStage>
        </section>
        {panel === 'chat' && <ChatPanel draft={draft} onDraft={setDraft} onClose={closePanel} />}
        {panel === 'people' && <PeoplePanel waiting={waiting} onClose={closePanel} />}
        {panel === 'captions' && <CaptionsPanel captions={captions} speech={speech} onClose={closePanel} />}
      </div>
      <Toolbar
        {...actions}
        panel={panel}
        unread={unread}
        waiting={waiting.length}
        hands={hands.length}
        view={layout.view}
        onCallWindow={onCallWindow}
      />
      {callWindow !== undefined && (
        <CallWindow
          opened={callWindow}
          tools={tools}
          onLeave={() => {
            closeCallWindow()
            // A host decides in the page what becomes of the call.
            window.focus()
            actions.onLeave()
          }}
        />
      )}
      <AudioPlayers />
      <Announcer />
      <LeaveGuard />
      {dialog === 'invite' && <InviteToRoomDialog onClose={closeDialog} />}
      {dialog === 'devices' && <DevicesDialog onClose={closeDialog} />}
      {dialog === 'layout' && <LayoutDialog choice={layout} onChoose={setLayout} onClose={closeDialog} />}
      {dialog === 'breakout' && (
        <Suspense fallback={null}>
          <BreakoutDialog onClose={closeDialog} />
        </Suspense>
      )}
      {dialog === 'leave' && <LeaveDialog onClose={closeDialog} />}
    </div>
  )
}

const viewKeptUnder = 'parley-room-view'

/** The caller's layout, kept for the next meetings on this device. */
function useViewChoice(): [ViewChoice, (changed: Partial<ViewChoice>) => void] {
  const [choice, setChoice] = useState(() => readViewChoice(localStorage.getItem(viewKeptUnder)))
  const change = (changed: Partial<ViewChoice>) => {
    const next = { ...choice, ...changed }
    setChoice(next)
    localStorage.setItem(viewKeptUnder, JSON.stringify(next))
  }
  return [choice, change]
}

/** The number of messages from others since the chat was last open. */
function useUnread(messages: readonly ChatMessage[], open: boolean): number {
  const latest = messages.at(-1)?.id ?? 0
  const [read, setRead] = useState(0)
  if (open && read !== latest) setRead(latest)
  return open ? 0 : messages.filter(({ id, isMine }) => id > read && !isMine).length
}

const tickMs = 1_000

/** The time of day and the time since joining, unless the profile hides them. */
export function RoomClock() {
  const { t } = useTranslation(['room', 'call'])
  const { time } = useDates()
  const now = useNow(tickMs)
  const [sinceMs] = useState(readClockMs)
  const showsElapsed = useQuery(sessionQuery).data?.showConnectedTime ?? true
  return (
    <>
      <time dateTime={now.toISOString()}>{time(now)}</time>
      {showsElapsed && (
        <span className={classes.elapsed}>
          <span aria-hidden>{t('call:clock.connected')}</span>
          <span role="timer" aria-label={t('call:clock.connected')}>
            {writeElapsed(now.getTime() - sinceMs)}
          </span>
        </span>
      )}
    </>
  )
}

/** Play the audio of all other participants, shown or not. */
export function AudioPlayers() {
  const { others } = useSnapshot()
  return others.flatMap(({ id, microphone, screenAudio }) => [
    ...(microphone === null ? [] : [<PlayedSound key={`${id} microphone`} sound={microphone} />]),
    ...(screenAudio === null ? [] : [<PlayedSound key={`${id} screen`} sound={screenAudio} />]),
  ])
}

function PlayedSound({ sound }: { sound: RoomTrack }) {
  const audio = useRef<HTMLAudioElement>(null)
  useEffect(() => (audio.current === null ? undefined : sound.attach(audio.current)), [sound])
  // biome-ignore lint/a11y/useMediaCaption: live audio has no captions
  return <audio ref={audio} autoPlay />
}

/** Other participants with a raised hand, in the order in which they were raised. */
export const raisedHands = ({ others }: Pick<RoomSnapshot, 'others'>): readonly Participant[] =>
  others.filter(({ handPlace }) => handPlace !== null).toSorted((a, b) => Number(a.handPlace) - Number(b.handPlace))
