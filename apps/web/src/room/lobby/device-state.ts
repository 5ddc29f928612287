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
