import type { Room, Standing } from '@parley/client/join'
import type { Entering } from '@parley/contract'
import { type ReactNode, useEffect, useRef, useState, useSyncExternalStore } from 'react'
import { type Kept, keepChoice, keptChoice } from './lobby/device-choice.ts'
import { keepDeviceState, keptDeviceState } from './lobby/device-state.ts'
import { useKeptPlace } from './lobby/use-kept-place.ts'
import { type LobbyDevices, useLobbyDevices } from './lobby/use-lobby-devices.ts'
import { useWaitingAfterReload } from './lobby/use-waiting-after-reload.ts'

export type VisitProps = {
  code: string
  pin: string | undefined
  hostKey: string | undefined
  entering: Entering
  /** Of who is signed in. */
  accountName: string | undefined
  /** A host has turned them away, and is asked once more. */
  asksAgain: boolean
  /** What the meeting is, above all that is not the room itself. */
  heading: ReactNode
  /** Something else holds at the door now. */
  onEntryChange(): void
  /** They want to ask once more. */
  onAskAgain(): void
}

type VisitPhase = 'lobby' | 'asking' | 'waiting' | 'inside' | 'over'

export type VisitState = {
  room: Room | undefined
  phase: VisitPhase
  standing: Standing | undefined
  devices: LobbyDevices
  kept: Kept
  start(chosen: Kept): Promise<void>
  stop(): void
  /** Why the code of the room could not be fetched. */
  error: unknown
}

const phases: Record<Standing['phase'], VisitPhase> = {
  asking: 'asking',
  connecting: 'asking',
  waiting: 'waiting',
  inside: 'inside',
  reconnecting: 'inside',
  over: 'over',
}

/** One visit to a room: the devices before it, the room once one has asked to enter, and what one chose. */
export function useVisit({
  code,
  pin,
  hostKey,
  entering,
  accountName,
  asksAgain,
  onEntryChange,
}: VisitProps): VisitState {
  const [room, setRoom] = useState<Room>()
  const [loading, setLoading] = useState(false)
  const [error, setError] = useState<unknown>()
  const [kept, setKept] = useState(() => keptChoice(localStorage))
  const standing = useStanding(room)
  const phase = standing === undefined ? (loading ? 'asking' : 'lobby') : phases[standing.phase]
  const [left] = useState(() => keptDeviceState(sessionStorage, code))
  const open = phase !== 'inside' && phase !== 'over'
  const devices = useLobbyDevices({ start: entering.devices, kept, left, open })
  const [microphoneOn, cameraOn] = [devices.microphone.on, devices.camera.on]
  useEffect(() => {
    // Once the room has begun, its own switches say how they are left.
    if (open) keepDeviceState(sessionStorage, code, { microphone: microphoneOn, camera: cameraOn })
  }, [open, code, microphoneOn, cameraOn])
  const latest = useRef(devices)
  latest.current = devices
  useKeptPlace({ code, entering, keep: phase === 'lobby' && accountName !== undefined })
  useOwnStart({ room, phase, devices, start: entering.devices })
  useWaitingAfterReload({ code, entering, phase, goOn: () => void start(kept) })
  // Who goes to another page has left.
  useEffect(() => () => void room?.leave(), [room])

  const refused = standing?.phase === 'over' && standing.end.reason === 'refused'
  const notifyEntryChange = useRef(onEntryChange)
  notifyEntryChange.current = onEntryChange
  useEffect(() => {
    if (!refused) return
    setRoom(undefined)
    notifyEntryChange.current()
  }, [refused])

  async function start(chosen: Kept) {
    setKept(chosen)
    keepChoice(localStorage, chosen)
    setLoading(true)
    setError(undefined)
    try {
      // LiveKit's client is large, and comes for those alone who go in; so does the page that they come to.
      const [{ join }] = await Promise.all([import('@parley/client/join'), import('./RoomPage.tsx')])
      const { camera, microphone, speaker } = chosen.devices
      setRoom(
        join({
          ...{ base: '', svcMeetId: code },
          ...(pin !== undefined && { pin }),
          ...(hostKey !== undefined && { hostKey }),
          ...(accountName === undefined && { name: chosen.name }),
          ...(asksAgain && { askAgain: true }),
          ...(camera !== undefined && { cameraId: camera }),
          ...(microphone !== undefined && { microphoneId: microphone }),
          ...(speaker !== undefined && { speakerId: speaker }),
          backgroundBlur: chosen.blur,
          // Read when one comes in: while waiting, one may switch them.
          get microphone() {
            return latest.current.microphone.on
          },
          get camera() {
            return latest.current.camera.on
          },
        }),
      )
    } catch (failure) {
      setError(failure)
    }
    setLoading(false)
  }
  return { room, phase, standing, devices, kept, start, stop: () => setRoom(undefined), error }
}

const nothing = () => () => {}

const useStanding = (room: Room | undefined): Standing | undefined =>
  useSyncExternalStore(room?.subscribe ?? nothing, () => room?.snapshot().standing)

type OwnStart = { room: Room | undefined; phase: VisitPhase; devices: LobbyDevices; start: Entering['devices'] }

/** Who was told that the meeting begins without camera or sound, and switched it on, has it on. */
function useOwnStart({ room, phase, devices: { camera, microphone }, start }: OwnStart): void {
  const done = useRef<Room>(undefined)
  useEffect(() => {
    if (room === undefined || phase !== 'inside' || done.current === room) return
    done.current = room
    const started = [
      ...(start?.microphone === false && microphone.on ? [room.setMicrophone(true)] : []),
      ...(start?.camera === false && camera.on ? [room.setCamera(true)] : []),
    ]
    // What fails stands in the snapshot, and the page says it.
    void Promise.allSettled(started)
  }, [room, phase, camera.on, microphone.on, start])
}
