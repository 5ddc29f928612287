/** Which devices a person has switched on in a meeting. */
export type DeviceState = { microphone: boolean; camera: boolean }

const keyOf = (code: string) => `parley-devices-${code}`

/**
 * As they were left in this window, for a reload and for joining again: a person who was muted comes back muted. Another
 * window, and another day, begin as the meeting does.
 */
export function keptDeviceState(storage: Storage, code: string): DeviceState | undefined {
  try {
    const { microphone, camera } = Object(JSON.parse(storage.getItem(keyOf(code)) ?? ''))
    return typeof microphone === 'boolean' && typeof camera === 'boolean' ? { microphone, camera } : undefined
  } catch {
    return undefined
  }
}

/** Change some of it; what was never kept is what the lobby began with. */
export function keepDeviceState(storage: Storage, code: string, changed: Partial<DeviceState>): void {
  const { microphone = false, camera = false } = { ...keptDeviceState(storage, code), ...changed }
  storage.setItem(keyOf(code), JSON.stringify({ microphone, camera }))
}
