import { listen } from '@parley/client'
import type { JoinStatus, Room } from '@parley/client/join'
import { type Entering, renameAdmission, watchAdmission } from '@parley/contract'
import { type ReactNode, useEffect, useRef, useState, useSyncExternalStore } from 'react'
import { client, connection } from '../session/client.ts'
import { loadTexts } from '../texts/i18n.ts'
import { type RoomEffects, useRoomEffects } from './effects/use-room-effects.ts'
import { useReportedRoom } from './embedding.ts'
import { type Kept, keepChoice, keptChoice } from './lobby/device-choice.ts'
import { keepDeviceState, keptDeviceState } from './lobby/device-state.ts'
import { useInsideHere } from './lobby/use-inside-here.ts'
import { type LobbyDevices, useLobbyDevices } from './lobby/use-lobby-devices.ts'

export type VisitProps = {
  code: string
  pin: string | undefined
  hostKey: string | undefined
  entering: Entering
  /** The signed-in account's name. */
  accountName: string | undefined
  /** A host has declined the person, who asks again. */
  asksAgain: boolean
  /** Whether the person has asked to join on the page before; true once. */
  joinsAtOnce(): boolean
  /** The meeting's heading, above everything except the room itself. */
  heading: ReactNode
  /** The answer to entering may have changed. */
  onEntryChange(): void
  /** The person wants to ask the host again. */
  onAskAgain(): void
}

type VisitPhase = 'lobby' | 'requesting' | 'waiting' | 'inside' | 'over'

type VisitState = {
  room: Room | undefined
  effects: RoomEffects
  phase: VisitPhase
  status: JoinStatus | undefined
  devices: LobbyDevices
  kept: Kept
  start(chosen: Kept): Promise<void>
  stop(): void
  /** The room's code could not be fetched. */
  error: unknown
}

const phases: Record<JoinStatus['phase'], VisitPhase> = {
  requesting: 'requesting',
  connecting: 'requesting',
  waiting: 'waiting',
  inside: 'inside',
  reconnecting: 'inside',
  over: 'over',
}

/** The state of one visit: the devices in the lobby, the room once entering was requested, and the choices. */
export function useVisit({
  code,
  pin,
  hostKey,
  entering,
  accountName,
  asksAgain,
  joinsAtOnce,
  onEntryChange,
}: VisitProps): VisitState {
  const [room, setRoom] = useState<Room>()
  const [loading, setLoading] = useState(false)
  const [error, setError] = useState<unknown>()
  const [kept, setKept] = useState(() => keptChoice(localStorage))
  const effects = useRoomEffects(room)
  useReportedRoom(room)
  const status = useVisitStatus(room)
  const phase = status === undefined ? (loading ? 'requesting' : 'lobby') : phases[status.phase]
  const [left] = useState(() => keptDeviceState(sessionStorage, code))
  const [startedRoom, setStartedRoom] = useState<Room>()
  // Inside, the previews stay until the room has taken over their tracks.
  const open = phase !== 'over' && (phase !== 'inside' || startedRoom !== room)
  const devices = useLobbyDevices({ start: entering.devices, kept, left, open, inLobby: phase === 'lobby' })
  const [microphoneOn, cameraOn] = [devices.microphone.on, devices.camera.on]
  useEffect(() => {
    // Once inside, the room's own switches record their state.
    if (open) keepDeviceState(sessionStorage, code, { microphone: microphoneOn, camera: cameraOn })
  }, [open, code, microphoneOn, cameraOn])
  const latest = useRef(devices)
  latest.current = devices
  useKeptPlace({ code, entering, keep: phase === 'lobby' && accountName !== undefined })
  useOwnStart({ room: phase === 'inside' ? room : undefined, devices, start: entering.devices, onDone: setStartedRoom })
  useWaitingAfterReload({ code, entering, phase, goOn: () => void start(kept) })
  useRoomCodeEarly(devices)
  useInsideHere(code, phase === 'inside')
  const atFirst = useRef(() => joinsAtOnce() && void start(kept))
  useEffect(() => void atFirst.current(), [])
  // Navigating away leaves the room.
  useEffect(() => () => void room?.leave(), [room])

  const refused = status?.phase === 'over' && status.end.reason === 'refused'
  const notifyEntryChange = useRef(onEntryChange)
  notifyEntryChange.current = onEntryChange
  useEffect(() => {
    if (!refused) return
    setRoom(undefined)
    notifyEntryChange.current()
  }, [refused])

  /** `name`: the one that the person has entered in the lobby; undefined where the page goes on by itself. */
  async function start(chosen: Kept, name?: string) {
    setKept(chosen)
    keepChoice(localStorage, { ...chosen, name: accountName ?? chosen.name })
    setLoading(true)
    setError(undefined)
    try {
      if (accountName !== undefined && name !== undefined) await renameAccount(code, entering, accountName, name)
      const [{ join }] = await fetchRoomCode()
      const { camera, microphone, speaker } = chosen.devices
      const [background, noise] = [effects.background(chosen.background), effects.noise(chosen.reducesNoise)]
      setRoom(
        join({
          base: connection.base,
          ...(connection.token !== undefined && { accessToken: connection.token }),
          ...(connection.fetch && { fetch: connection.fetch }),
          svcMeetId: code,
          ...(pin !== undefined && { pin }),
          ...(hostKey !== undefined && { hostKey }),
          ...(accountName === undefined && { name: chosen.name }),
          ...(asksAgain && { askAgain: true }),
          ...(camera !== undefined && { cameraId: camera }),
          ...(microphone !== undefined && { microphoneId: microphone }),
          ...(speaker !== undefined && { speakerId: speaker }),
          effects: {
            ...(background !== null && { camera: background }),
            ...(noise !== null && { microphone: noise }),
          },
          // Read on joining, because the switches may change while waiting.
          get microphone() {
            return latest.current.microphone.on
          },
          get camera() {
            return latest.current.camera.on
          },
          takeTrack: (kind) => latest.current.takeTrack(kind),
        }),
      )
    } catch (failure) {
      setError(failure)
    }
    setLoading(false)
  }
  const startByPerson = (chosen: Kept) => start(chosen, chosen.name)
  return { room, effects, phase, status, devices, kept, start: startByPerson, stop: () => setRoom(undefined), error }
}

/** Accounts have a name that a person may have changed in the lobby; guests send theirs on entering. */
async function renameAccount(
  svcMeetId: string,
  { admissionId, name: before }: Entering,
  accountName: string,
  name: string,
): Promise<void> {
  if (admissionId === undefined || name === (before ?? accountName)) return
  await client.call(renameAdmission, { params: { svcMeetId, admissionId }, body: { name } })
}

/** LiveKit's client, and the room's page with its texts: larger than the lobby. */
const fetchRoomCode = () =>
  Promise.all([
    import('@parley/client/join'),
    import('./RoomPage.tsx'),
    loadTexts('call'),
    import('./lobby/Ending.tsx'),
    import('./lobby/WaitingPanel.tsx'),
  ])

/** A camera that has not started by then waits for the person's permission, or for nothing. */
const startsWithinMs = 2_000

/** Fetch the room's code while the person is in the lobby, once the lobby and its preview need the line no longer. */
function useRoomCodeEarly({ camera }: LobbyDevices): void {
  const isShown = camera.preview.stream !== undefined || !camera.on
  useEffect(() => {
    const { connection } = navigator as { connection?: { saveData?: boolean } }
    if (connection?.saveData === true) return
    // On failure, joining fetches it and shows why it cannot.
    const fetchEarly = () => void fetchRoomCode().catch(() => {})
    const timer = setTimeout(fetchEarly, isShown ? 0 : startsWithinMs)
    return () => clearTimeout(timer)
  }, [isShown])
}

const nothing = () => () => {}

const useVisitStatus = (room: Room | undefined): JoinStatus | undefined =>
  useSyncExternalStore(room?.subscribe ?? nothing, () => room?.snapshot().status)

type OwnStart = {
  /** Undefined until the person is inside. */
  room: Room | undefined
  devices: LobbyDevices
  start: Entering['devices']
  onDone(room: Room): void
}

/** A person who switches on a device that the meeting keeps off at the start has it on. */
function useOwnStart({ room, devices: { camera, microphone }, start, onDone }: OwnStart): void {
  const done = useRef<Room>(undefined)
  useEffect(() => {
    if (room === undefined || done.current === room) return
    done.current = room
    const started = [
      ...(start?.microphone === false && microphone.on ? [room.setMicrophone(true)] : []),
      ...(start?.camera === false && camera.on ? [room.setCamera(true)] : []),
    ]
    // Failures are in the snapshot, and the page shows them.
    void Promise.allSettled(started)
    onDone(room)
  }, [room, camera.on, microphone.on, start, onDone])
}

type KeptPlace = { code: string; entering: Entering; keep: boolean }

/**
 * Keep the place in the waiting room while the lobby is open. Accounts wait from the moment the page opens; guests
 * enter a name first. An open stream keeps the place; the button requests the current state again.
 */
function useKeptPlace({ code, entering: { state, admissionId }, keep }: KeptPlace): void {
  const waits = keep && (state === 'waiting' || state === 'waiting_for_host')
  useEffect(() => {
    if (!waits || admissionId === undefined) return
    const over = new AbortController()
    void hold(code, admissionId, over.signal)
    return () => over.abort()
  }, [waits, code, admissionId])
}

async function hold(svcMeetId: string, admissionId: string, signal: AbortSignal): Promise<void> {
  try {
    for await (const { state } of listen(
      connection,
      watchAdmission,
      { params: { svcMeetId, admissionId } },
      { signal },
    )) {
      if (state !== 'waiting' && state !== 'waiting_for_host') return
    }
  } catch {
    // The place is lost; the button requests it again.
  }
}

const prefix = 'parley-asked:'

type Waiting = {
  code: string
  entering: Entering
  phase: 'lobby' | 'requesting' | 'waiting' | 'inside' | 'over'
  goOn(): void
}

/**
 * Continue waiting after a reload, before the service gives up the place. A person who was admitted in the meantime, or
 * was inside, stays in the lobby, so that a reload never turns camera or microphone on.
 */
function useWaitingAfterReload({ code, entering: { state }, phase, goOn }: Waiting): void {
  const key = prefix + code
  const latest = useRef(goOn)
  latest.current = goOn
  const waits = state === 'waiting' || state === 'waiting_for_host'
  useEffect(() => {
    if (waits && sessionStorage.getItem(key) !== null) latest.current()
  }, [key, waits])
  const asks = phase === 'requesting' || phase === 'waiting'
  useEffect(() => {
    if (!asks) return
    sessionStorage.setItem(key, 'true')
    // A reload skips this cleanup; navigating away or joining runs it.
    return () => sessionStorage.removeItem(key)
  }, [key, asks])
}
