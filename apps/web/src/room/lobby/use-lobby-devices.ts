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
  const [wanted, setWanted] = useState({
    camera: start?.camera ?? true,
    microphone: (start?.microphone ?? true) && !locked,
  })
  /** Raised to try once more where a device could not be had. */
  const [tries, setTries] = useState({ camera: 0, microphone: 0 })
  const asked = useAskedForBoth(open && wanted.camera && wanted.microphone)

  const parts = { camera: usePart('camera'), microphone: usePart('microphone') }
  const names = `${parts.camera.preview.stream?.id} ${parts.microphone.preview.stream?.id}`
  return {
    camera: parts.camera,
    microphone: { ...parts.microphone, locked },
    available: useDevices(names),
    chosen,
    choose: (kind, id) => setChosen({ ...chosen, [kind]: id }),
  }

  function usePart(kind: 'camera' | 'microphone'): Part {
    const on = open && wanted[kind] && asked
    const preview = usePreview({ kind, on, deviceId: chosen[kind], tries: tries[kind] })
    const onToggle = () =>
      preview.trouble === undefined
        ? setWanted({ ...wanted, [kind]: !wanted[kind] })
        : setTries({ ...tries, [kind]: tries[kind] + 1 })
    return { on: wanted[kind] && preview.trouble === undefined, onToggle, preview }
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
