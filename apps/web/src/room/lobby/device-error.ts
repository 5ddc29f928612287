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
