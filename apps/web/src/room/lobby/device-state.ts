import type { Entering, Profile } from '@parley/contract'

/** Which devices are switched on in a meeting. */
export type DeviceState = { microphone: boolean; camera: boolean }

const keyOf = (code: string) => `parley-devices-${code}`

/**
 * The last state in this window, for a reload and for rejoining: a muted participant comes back muted. Other windows
 * start with the meeting's settings.
 */
export function keptDeviceState(storage: Storage, code: string): DeviceState | undefined {
  try {
    const { microphone, camera } = Object(JSON.parse(storage.getItem(keyOf(code)) ?? ''))
    return typeof microphone === 'boolean' && typeof camera === 'boolean' ? { microphone, camera } : undefined
  } catch {
    return undefined
  }
}

/** Update a part of it; missing values are those that the lobby began with. */
export function keepDeviceState(storage: Storage, code: string, changed: Partial<DeviceState>): void {
  const { microphone = false, camera = false } = { ...keptDeviceState(storage, code), ...changed }
  storage.setItem(keyOf(code), JSON.stringify({ microphone, camera }))
}

type Start = {
  /** The last state of the devices in this window. */
  left: DeviceState | undefined
  /** The meeting's settings. */
  start: Entering['devices']
  /** The settings of the profile, for accounts. */
  person: Pick<Profile, 'microphoneOff' | 'videoOff'> | null | undefined
}

/**
 * The initial devices: the last state in this window, otherwise on unless the meeting or the profile switches them off.
 */
export function startingDevices({ left, start, person }: Start): DeviceState {
  const camera = left?.camera ?? ((start?.camera ?? true) && !person?.videoOff)
  const microphone = left?.microphone ?? ((start?.microphone ?? true) && !person?.microphoneOff)
  return { camera: camera && (start?.allowed.camera ?? true), microphone: microphone && !(start?.hardMuted ?? false) }
}

/** Why a camera or microphone is unavailable; each has a text that says what to do. */
export type DeviceErrorKind = 'refused' | 'missing' | 'busy' | 'insecure' | 'unknown'

/**
 * By the name of the error that getUserMedia throws (Media Capture and Streams, 10.2) and of those of older browsers.
 */
const byErrorName: Record<string, DeviceErrorKind> = {
  NotAllowedError: 'refused',
  PermissionDeniedError: 'refused',
  SecurityError: 'refused',
  NotFoundError: 'missing',
  DevicesNotFoundError: 'missing',
  OverconstrainedError: 'missing',
  NotReadableError: 'busy',
  TrackStartError: 'busy',
  AbortError: 'busy',
}

export function classifyDeviceError(error: unknown, secure: boolean): DeviceErrorKind {
  if (!secure) return 'insecure'
  const name = typeof error === 'object' && error !== null && 'name' in error ? String(error.name) : ''
  return byErrorName[name] ?? 'unknown'
}
