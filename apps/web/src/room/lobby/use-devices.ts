import { useEffect, useState } from 'react'
import type { DeviceRole } from './device-choice.ts'

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
