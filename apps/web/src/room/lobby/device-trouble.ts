/** Why a camera or a microphone cannot be had; each has a sentence that says what to do. */
export type DeviceTrouble = 'refused' | 'missing' | 'busy' | 'insecure' | 'unknown'

/** By the name of the error that getUserMedia throws (Media Capture and Streams, 10.2); older browsers have others. */
const byErrorName: Record<string, DeviceTrouble> = {
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

export function deviceTrouble(error: unknown, secure: boolean): DeviceTrouble {
  if (!secure) return 'insecure'
  const name = typeof error === 'object' && error !== null && 'name' in error ? String(error.name) : ''
  return byErrorName[name] ?? 'unknown'
}
