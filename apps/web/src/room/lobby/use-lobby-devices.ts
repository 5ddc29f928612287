import type { Entering } from '@parley/contract'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { sessionQuery } from '../../session/session.ts'
import type { BackgroundName } from '../effects/background.ts'
import type { EffectEnd } from '../effects/background-messages.ts'
import type { DeviceIds, DeviceRole, Kept } from './device-choice.ts'
import type { DeviceState } from './device-state.ts'
import { startingDevices } from './device-state.ts'
import { useBackgroundPreview } from './use-background-preview.ts'
import {
  constraintsOf,
  type DeviceKind,
  type Devices,
  type Preview,
  stopTracks,
  transferTrack,
  useDevicePreview,
  useDevices,
  useOnceAllowed,
} from './use-devices.ts'
import { type PermissionQuestion, usePermissionQuestion } from './use-permission-question.ts'

type LobbyDevice = { on: boolean; onToggle(): void; preview: Preview }

export type LobbyDevices = {
  camera: LobbyDevice
  microphone: LobbyDevice & { locked: boolean }
  available: Devices
  chosen: DeviceIds
  choose(kind: DeviceRole, id: string): void
  /** Hand the track of a device that is on over to the room, which stops it in the end. */
  takeTrack(kind: DeviceKind): MediaStreamTrack | undefined
  /** To be answered before the browser asks. */
  question: PermissionQuestion | undefined
  effects: LobbyEffectChoice
}

export type LobbyEffectChoice = {
  background: BackgroundName
  /** The chosen background is being started. */
  busy: boolean
  /** Why the last background has ended by itself. */
  ended: EffectEnd | undefined
  chooseBackground(name: BackgroundName): void
  reducesNoise: boolean
  reduceNoise(on: boolean): void
}

type LobbyOptions = {
  start: Entering['devices']
  kept: Kept
  /** The last state of the devices in this window. */
  left: DeviceState | undefined
  open: boolean
  /** The person has not asked to join yet. */
  inLobby: boolean
}

/**
 * Camera and microphone in the lobby, in their last state or as the meeting's settings say. Requests both permissions
 * at once.
 */
export function useLobbyDevices({ start, kept, left, open, inLobby }: LobbyOptions): LobbyDevices {
  const locked = start?.hardMuted ?? false
  const [chosen, setChosen] = useState(kept.devices)
  const [background, setBackground] = useState(kept.background)
  const [reducesNoise, setReducesNoise] = useState(kept.reducesNoise)
  const [ended, setEnded] = useState<EffectEnd>()
  const person = useQuery({ ...sessionQuery, enabled: false }).data
  const atFirst = startingDevices({ left, start, person })
  const cameraSwitch = useSwitch(atFirst.camera)
  const microphoneSwitch = useSwitch(atFirst.microphone)
  const switches = { camera: cameraSwitch, microphone: microphoneSwitch }
  const wanted = (['camera', 'microphone'] as const).filter((kind) => switches[kind].wanted)
  const { question, mayAsk } = usePermissionQuestion(open ? wanted : [], {
    inLobby,
    onDecline: (declined) => declined.map((kind) => switches[kind].toggle()),
  })
  const { prompted, takeOpened, stopRest } = usePromptForBoth(open && wanted.length === 2, { chosen, mayAsk })
  const mayOpen = open && prompted && mayAsk
  const camera = useLobbyDevice('camera', cameraSwitch, { mayOpen, deviceId: chosen.camera, takeOpened })
  const microphone = useLobbyDevice('microphone', microphoneSwitch, {
    mayOpen,
    deviceId: chosen.microphone,
    takeOpened,
  })
  // After the effects of the previews, which have taken what they need.
  useEffect(() => {
    if (prompted) stopRest()
  }, [prompted, stopRest])
  const shown = useBackgroundPreview(camera.preview.stream, background, (reason) => {
    setEnded(reason)
    setBackground('none')
  })
  return {
    camera: { ...camera, preview: withStream(camera.preview, shown.stream) },
    microphone: { ...microphone, locked },
    effects: {
      background,
      busy: camera.preview.stream !== undefined && !shown.isCurrent,
      ended,
      chooseBackground(name) {
        setEnded(undefined)
        setBackground(name)
      },
      reducesNoise,
      reduceNoise: setReducesNoise,
    },
    available: useDevices(`${camera.preview.stream?.id} ${microphone.preview.stream?.id}`),
    chosen,
    choose: (kind, id) => setChosen({ ...chosen, [kind]: id }),
    question,
    takeTrack: (kind) => transferTrack((kind === 'camera' ? camera : microphone).preview),
  }
}

const withStream = ({ stream: _raw, ...preview }: Preview, stream: MediaStream | undefined): Preview =>
  stream === undefined ? preview : { ...preview, stream }

type Switch = { wanted: boolean; tries: number; toggle(): void; tryAgain(): void }

function useSwitch(atFirst: boolean): Switch {
  const [wanted, setWanted] = useState(atFirst)
  const [tries, setTries] = useState(0)
  return { wanted, tries, toggle: () => setWanted(!wanted), tryAgain: () => setTries(tries + 1) }
}

type DeviceOptions = {
  mayOpen: boolean
  deviceId: string | undefined
  takeOpened(kind: DeviceKind): MediaStream | undefined
}

/** A device that failed is off; switching it on tries again. */
function useLobbyDevice(
  kind: DeviceKind,
  { wanted, tries, toggle, tryAgain }: Switch,
  { mayOpen, deviceId, takeOpened }: DeviceOptions,
): LobbyDevice {
  const preview = useDevicePreview({ kind, on: wanted && mayOpen, deviceId, tries, takeOpened })
  const failed = preview.trouble !== undefined
  useOnceAllowed(kind, preview.trouble === 'refused', tryAgain)
  return { on: wanted && !failed, onToggle: failed ? tryAgain : toggle, preview }
}

type Prompt = {
  prompted: boolean
  /** The stream of the device that the prompt has opened; undefined from the second call on. */
  takeOpened(kind: DeviceKind): MediaStream | undefined
  /** Stop what was not taken. */
  stopRest(): void
}

/**
 * When both start switched on, the browser asks for both permissions in one prompt, and opens both devices. Where one of
 * them fails, each is opened on its own.
 */
function usePromptForBoth(both: boolean, { chosen, mayAsk }: { chosen: DeviceIds; mayAsk: boolean }): Prompt {
  const [prompted, setPrompted] = useState(!both)
  const [opened] = useState(() => new Map<DeviceKind, MediaStream>())
  const [actions] = useState(() => ({
    takeOpened(kind: DeviceKind) {
      const stream = opened.get(kind)
      opened.delete(kind)
      return stream
    },
    stopRest() {
      for (const stream of opened.values()) stopTracks(stream)
      opened.clear()
    },
  }))
  const latest = useRef({ both, chosen })
  latest.current = { both, chosen }
  useEffect(() => {
    if (prompted || !mayAsk) return
    // The person has switched one of them off before the browser was to ask.
    if (!latest.current.both) return setPrompted(true)
    let gone = false
    const { camera, microphone } = latest.current.chosen
    const ask = async () =>
      navigator.mediaDevices.getUserMedia({
        ...constraintsOf('camera', camera),
        ...constraintsOf('microphone', microphone),
      })
    ask()
      .then((stream) => {
        if (gone) return stopTracks(stream)
        opened.set('camera', new MediaStream(stream.getVideoTracks()))
        opened.set('microphone', new MediaStream(stream.getAudioTracks()))
      })
      // Each device reports its own error.
      .catch(() => undefined)
      .finally(() => !gone && setPrompted(true))
    return () => {
      gone = true
    }
  }, [prompted, opened, mayAsk])
  return { prompted, ...actions }
}
