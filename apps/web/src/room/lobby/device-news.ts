import type { DeviceIds, DeviceRole } from './device-choice.ts'
import type { Devices } from './use-devices.ts'

/** What was plugged in or out; one thing, such as a headset, can be several devices. */
type DeviceNews = { added: readonly { label: string; ids: DeviceIds }[]; removed: readonly string[] }

const roles: readonly DeviceRole[] = ['camera', 'microphone', 'speaker']

/** Chromium lists the system's default devices a second time, under these ids. */
const aliases = ['default', 'communications']

const named = (devices: Devices, role: DeviceRole) =>
  devices[role].filter(({ id, label }) => label !== '' && !aliases.includes(id))

/**
 * Compare two lists of devices. A kind that had no named device is skipped: the browser names devices only once the
 * person has allowed one of them.
 */
export function compareDevices(before: Devices, after: Devices): DeviceNews {
  const added = new Map<string, DeviceIds>()
  const removed = new Set<string>()
  for (const role of roles) {
    const [was, is] = [named(before, role), named(after, role)]
    if (was.length === 0) continue
    for (const { id, label } of is)
      if (!was.some((one) => one.id === id)) added.set(label, { ...added.get(label), [role]: id })
    for (const { id, label } of was) if (!is.some((one) => one.id === id)) removed.add(label)
  }
  return { added: [...added].map(([label, ids]) => ({ label, ids })), removed: [...removed] }
}
