export type DeviceKind = 'camera' | 'microphone' | 'speaker'

/** Which devices somebody wants; absent means the browser's own choice. */
export type DeviceIds = Partial<Record<DeviceKind, string>>

const keptUnder = 'parley-room'

/** What is remembered of how somebody comes in. */
export type Kept = { name: string; devices: DeviceIds; blur: boolean }

/** What was chosen the last time in this browser. */
export function keptChoice(storage: Storage): Kept {
  try {
    return readKept(JSON.parse(storage.getItem(keptUnder) ?? ''))
  } catch {
    return { name: '', devices: {}, blur: false }
  }
}

export const keepChoice = (storage: Storage, { name, devices, blur }: Kept): void =>
  storage.setItem(keptUnder, JSON.stringify({ name, devices, blur }))

/** Other versions of the page, or a person with its tools, may have written anything there. */
export function readKept(value: unknown): Kept {
  const { name, devices, blur } = Object(value)
  const ids = Object(devices)
  const kinds = ['camera', 'microphone', 'speaker'] as const
  return {
    name: typeof name === 'string' ? name : '',
    devices: Object.fromEntries(kinds.flatMap((kind) => (typeof ids[kind] === 'string' ? [[kind, ids[kind]]] : []))),
    blur: blur === true,
  }
}
