import { useEffect, useState } from 'react'
import { classifyDeviceError, type DeviceErrorKind } from './device-error.ts'

export type Preview = { stream?: MediaStream; trouble?: DeviceErrorKind }

type Wanted = { kind: 'camera' | 'microphone'; on: boolean; deviceId: string | undefined; tries: number }

const stop = (stream: MediaStream) => {
  for (const track of stream.getTracks()) track.stop()
}

/** A local preview of a camera or microphone, while it is on and the component is mounted. */
export function useDevicePreview({ kind, on, deviceId, tries }: Wanted): Preview {
  const [preview, setPreview] = useState<Preview>({})
  // biome-ignore lint/correctness/useExhaustiveDependencies: another attempt changes `tries`
  useEffect(() => {
    if (!on) return
    let gone = false
    let opened: MediaStream | undefined
    // A remembered device that is gone falls back to the default one.
    const one = deviceId === undefined ? true : { deviceId }
    const open = async () => navigator.mediaDevices.getUserMedia(kind === 'camera' ? { video: one } : { audio: one })
    open().then(
      (stream) => {
        opened = stream
        if (gone) stop(stream)
        else setPreview({ stream })
      },
      (error) => !gone && setPreview({ trouble: classifyDeviceError(error, window.isSecureContext) }),
    )
    return () => {
      gone = true
      if (opened !== undefined) stop(opened)
      setPreview({})
    }
  }, [kind, on, deviceId, tries])
  return preview
}
