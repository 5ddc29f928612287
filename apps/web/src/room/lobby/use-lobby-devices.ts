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
  const [chosen, setChosen] = useState(kept)
  const cameraSwitch = useSwitch(start?.camera ?? true)
  const microphoneSwitch = useSwitch((start?.microphone ?? true) && !locked)
  const asked = useAskedForBoth(open && cameraSwitch.wanted && microphoneSwitch.wanted)
  const mayOpen = open && asked
  const camera = usePart('camera', cameraSwitch, { mayOpen, deviceId: chosen.camera })
  const microphone = usePart('microphone', microphoneSwitch, { mayOpen, deviceId: chosen.microphone })
  return {
    camera,
    microphone: { ...microphone, locked },
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

type Means = { mayOpen: boolean; deviceId: string | undefined }

/** What cannot be had is off, and to switch it on is to try again. */
function usePart(kind: 'camera' | 'microphone', { wanted, tries, toggle, tryAgain }: Switch, means: Means): Part {
  const preview = usePreview({ kind, on: wanted && means.mayOpen, deviceId: means.deviceId, tries })
  const failed = preview.trouble !== undefined
  return { on: wanted && !failed, onToggle: failed ? tryAgain : toggle, preview }
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
