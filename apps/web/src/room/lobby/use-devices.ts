import { useEffect, useState } from 'react'
import type { DeviceRole } from './device-choice.ts'
import { classifyDeviceError, type DeviceErrorKind } from './device-state.ts'

type Device = { id: string; label: string }
export type Devices = Record<DeviceRole, readonly Device[]>

const none: Devices = { camera: [], microphone: [], speaker: [] }

/**
 * The devices of this machine, updated as they are plugged in and out. They have no names before a permission is
 * granted; `again` changes when one may have been.
 */
export function useDevices(again: unknown): Devices {
  const [devices, setDevices] = useState(none)
  // biome-ignore lint/correctness/useExhaustiveDependencies: a granted permission changes the names
  useEffect(() => {
    // Absent without HTTPS.
    const { mediaDevices } = navigator as { mediaDevices?: MediaDevices }
    if (mediaDevices === undefined) return
    let gone = false
    const look = async () => {
      const all = await mediaDevices.enumerateDevices().catch(() => [])
      if (!gone) setDevices(sorted(all))
    }
    void look()
    mediaDevices.addEventListener('devicechange', look)
    return () => {
      gone = true
      mediaDevices.removeEventListener('devicechange', look)
    }
  }, [again])
  return devices
}

function sorted(all: readonly MediaDeviceInfo[]): Devices {
  const of = (kind: MediaDeviceKind) =>
    all
      .filter((device) => device.kind === kind && device.deviceId !== '')
      .map(({ deviceId, label }) => ({ id: deviceId, label }))
  return { camera: of('videoinput'), microphone: of('audioinput'), speaker: of('audiooutput') }
}

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
