import type { Entering } from '@parley/contract'
import { useEffect, useState } from 'react'
import type { DeviceIds, DeviceKind } from './device-choice.ts'
import { type Devices, useDevices } from './use-devices.ts'
import { type Preview, usePreview } from './use-preview.ts'

type Part = { on: boolean; onToggle(): void; preview: Preview }

export type LobbyDevices = {
  camera: Part
  microphone: Part & { locked: boolean }
  available: Devices
  chosen: DeviceIds
  choose(kind: DeviceKind, id: string): void
}

/** Camera and microphone before one goes in: as the meeting begins with, then as one likes. Asks for both at once. */
export function useLobbyDevices(start: Entering['devices'], kept: DeviceIds, open: boolean): LobbyDevices {
  const locked = start?.hardMuted ?? false
  const [cameraOn, setCameraOn] = useState(start?.camera ?? true)
  const [microphoneOn, setMicrophoneOn] = useState((start?.microphone ?? true) && !locked)
  const [chosen, setChosen] = useState(kept)
  const asked = useAskedForBoth(open && cameraOn && microphoneOn)
  const camera = usePreview({ kind: 'camera', on: open && cameraOn && asked, deviceId: chosen.camera })
  const microphone = usePreview({ kind: 'microphone', on: open && microphoneOn && asked, deviceId: chosen.microphone })
  const available = useDevices(`${camera.stream?.id} ${microphone.stream?.id}`)
  return {
    camera: { on: cameraOn, onToggle: () => setCameraOn(!cameraOn), preview: camera },
    microphone: { on: microphoneOn, onToggle: () => setMicrophoneOn(!microphoneOn), preview: microphone, locked },
    available,
    chosen,
    choose: (kind, id) => setChosen({ ...chosen, [kind]: id }),
  }
}

/** Where both are wanted at the beginning, the browser puts one question for both; each is then opened by itself. */
function useAskedForBoth(both: boolean): boolean {
  const [asked, setAsked] = useState(!both)
  useEffect(() => {
    if (asked) return
    const ask = async () => navigator.mediaDevices.getUserMedia({ video: true, audio: true })
    ask()
      .then((stream) => {
        for (const track of stream.getTracks()) track.stop()
      })
      // Each says by itself what is the matter with it.
      .catch(() => undefined)
      .finally(() => setAsked(true))
  }, [asked])
  return asked
}
