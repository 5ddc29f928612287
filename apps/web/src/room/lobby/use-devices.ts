import { useEffect, useRef, useState } from 'react'
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

export type DeviceKind = 'camera' | 'microphone'

/** The size that a room sends. Without it, browsers open a camera with 640 × 480, for all who ask for it later too. */
const cameraSize = { width: { ideal: 1280 }, height: { ideal: 720 } } as const

/** What to ask of the browser. A remembered device that is gone falls back to the default one. */
export function constraintsOf(kind: DeviceKind, deviceId: string | undefined): MediaStreamConstraints {
  const chosen = deviceId === undefined ? {} : { deviceId }
  return kind === 'camera' ? { video: { ...cameraSize, ...chosen } } : { audio: deviceId === undefined || chosen }
}

export type Preview = { stream?: MediaStream; trouble?: DeviceErrorKind }

const tracksOfRooms = new WeakSet<MediaStreamTrack>()

/** Hand the live track of a preview over to a room, which stops it in the end. */
export function transferTrack(preview: Preview): MediaStreamTrack | undefined {
  const [track] = preview.stream?.getTracks() ?? []
  if (track?.readyState !== 'live') return undefined
  tracksOfRooms.add(track)
  return track
}

/** Stop the tracks that no room has taken over. */
export function stopTracks(stream: MediaStream): void {
  for (const track of stream.getTracks()) if (!tracksOfRooms.has(track)) track.stop()
}

type Wanted = {
  kind: DeviceKind
  on: boolean
  deviceId: string | undefined
  tries: number
  /** A stream of the device that is open already; undefined from the second call on. */
  takeOpened(kind: DeviceKind): MediaStream | undefined
}

/** A local preview of a camera or microphone, while it is on and the component is mounted. */
export function useDevicePreview({ kind, on, deviceId, tries, takeOpened }: Wanted): Preview {
  const [preview, setPreview] = useState<Preview>({})
  // biome-ignore lint/correctness/useExhaustiveDependencies: another attempt changes `tries`
  useEffect(() => {
    if (!on) return
    let gone = false
    let opened: MediaStream | undefined
    const open = async () =>
      takeOpened(kind) ?? (await navigator.mediaDevices.getUserMedia(constraintsOf(kind, deviceId)))
    open().then(
      (stream) => {
        opened = stream
        if (gone) stopTracks(stream)
        else setPreview({ stream })
      },
      (error) => !gone && setPreview({ trouble: classifyDeviceError(error, window.isSecureContext) }),
    )
    return () => {
      gone = true
      if (opened !== undefined) stopTracks(opened)
      setPreview({})
    }
  }, [kind, on, deviceId, tries])
  return preview
}

/** Call back when the person has allowed the device after all, in the browser's own settings. */
export function useOnceAllowed(kind: DeviceKind, isRefused: boolean, onAllowed: () => void): void {
  const latest = useRef(onAllowed)
  latest.current = onAllowed
  useEffect(() => {
    if (!isRefused) return
    const gone = new AbortController()
    const watch = async () => {
      const permission = await navigator.permissions.query({ name: kind })
      permission.addEventListener('change', () => permission.state === 'granted' && latest.current(), gone)
    }
    // Firefox before 132 does not know these permissions: there the switch tries again.
    void watch().catch(() => {})
    return () => gone.abort()
  }, [kind, isRefused])
}
