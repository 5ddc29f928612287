import { blurBackground, canBlurBackground } from '@parley/client/background-blur'
import type { Entering } from '@parley/contract'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { sessionQuery } from '../../session/session.ts'
import type { DeviceIds, DeviceRole, Kept } from './device-choice.ts'
import type { DeviceState } from './device-state.ts'
import { startingDevices } from './device-state.ts'
import { type Devices, type Preview, useDevicePreview, useDevices } from './use-devices.ts'

type LobbyDevice = { on: boolean; onToggle(): void; preview: Preview }

export type LobbyDevices = {
  camera: LobbyDevice
  microphone: LobbyDevice & { locked: boolean }
  available: Devices
  chosen: DeviceIds
  choose(kind: DeviceRole, id: string): void
  /** Background blur of the camera; null where the camera does not support it, or is off. */
  blur: { on: boolean; set(on: boolean): void } | null
}

type LobbyOptions = {
  start: Entering['devices']
  kept: Kept
  /** The last state of the devices in this window. */
  left: DeviceState | undefined
  open: boolean
}

/**
 * Camera and microphone in the lobby, in their last state or as the meeting's settings say. Requests both permissions
 * at once.
 */
export function useLobbyDevices({ start, kept, left, open }: LobbyOptions): LobbyDevices {
  const locked = start?.hardMuted ?? false
  const [chosen, setChosen] = useState(kept.devices)
  const [blurred, setBlurred] = useState(kept.blur)
  const person = useQuery({ ...sessionQuery, enabled: false }).data
  const atFirst = startingDevices({ left, start, person })
  const cameraSwitch = useSwitch(atFirst.camera)
  const microphoneSwitch = useSwitch(atFirst.microphone)
  const prompted = usePromptForBoth(open && cameraSwitch.wanted && microphoneSwitch.wanted)
  const mayOpen = open && prompted
  const camera = useLobbyDevice('camera', cameraSwitch, { mayOpen, deviceId: chosen.camera })
  const microphone = useLobbyDevice('microphone', microphoneSwitch, { mayOpen, deviceId: chosen.microphone })
  const canBlur = useBlurredPreview(camera.preview.stream, blurred)
  return {
    camera,
    microphone: { ...microphone, locked },
    blur: canBlur ? { on: blurred, set: setBlurred } : null,
    available: useDevices(`${camera.preview.stream?.id} ${microphone.preview.stream?.id}`),
    chosen,
    choose: (kind, id) => setChosen({ ...chosen, [kind]: id }),
  }
}

type Switch = { wanted: boolean; tries: number; toggle(): void; tryAgain(): void }

function useSwitch(atFirst: boolean): Switch {
  const [wanted, setWanted] = useState(atFirst)
  const [tries, setTries] = useState(0)
  return { wanted, tries, toggle: () => setWanted(!wanted), tryAgain: () => setTries(tries + 1) }
}

type DeviceOptions = { mayOpen: boolean; deviceId: string | undefined }

/** A device that failed is off; switching it on tries again. */
function useLobbyDevice(
  kind: 'camera' | 'microphone',
  { wanted, tries, toggle, tryAgain }: Switch,
  options: DeviceOptions,
): LobbyDevice {
  const preview = useDevicePreview({ kind, on: wanted && options.mayOpen, deviceId: options.deviceId, tries })
  const failed = preview.trouble !== undefined
  return { on: wanted && !failed, onToggle: failed ? tryAgain : toggle, preview }
}

/**
 * When both start switched on, the browser asks for both permissions in one prompt; each device is then opened on its
 * own.
 */
function usePromptForBoth(both: boolean): boolean {
  const [prompted, setPrompted] = useState(!both)
  useEffect(() => {
    if (prompted) return
    const ask = async () => navigator.mediaDevices.getUserMedia({ video: true, audio: true })
    ask()
      .then((stream) => {
        for (const track of stream.getTracks()) track.stop()
      })
      // Each device reports its own error.
      .catch(() => undefined)
      .finally(() => setPrompted(true))
  }, [prompted])
  return prompted
}

/** Apply the blur to the preview, and report whether the camera supports it. */
function useBlurredPreview(stream: MediaStream | undefined, blurred: boolean): boolean {
  const [camera] = stream?.getVideoTracks() ?? []
  useEffect(() => {
    // A camera that refuses the constraint shows its image unchanged.
    if (camera !== undefined) void blurBackground(camera, blurred).catch(() => {})
  }, [camera, blurred])
  return camera !== undefined && canBlurBackground(camera)
}
