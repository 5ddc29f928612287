import { type BackgroundName, isBackgroundName } from '../effects/background.ts'

export type DeviceRole = 'camera' | 'microphone' | 'speaker'

/** The chosen devices; absent means the browser's default. */
export type DeviceIds = Partial<Record<DeviceRole, string>>

const keptUnder = 'parley-room'

/** The stored choices for joining. */
export type Kept = {
  name: string
  devices: DeviceIds
  background: BackgroundName
  reducesNoise: boolean
}

const nothingKept: Kept = { name: '', devices: {}, background: 'none', reducesNoise: false }

/** The last choices in this browser. */
export function keptChoice(storage: Storage): Kept {
  try {
    return readKept(JSON.parse(storage.getItem(keptUnder) ?? ''))
  } catch {
    return nothingKept
  }
}

export const keepChoice = (storage: Storage, { name, devices, background, reducesNoise }: Kept): void =>
  storage.setItem(keptUnder, JSON.stringify({ name, devices, background, reducesNoise }))

/** Validated, because other versions of the page or the user may have written any value. */
export function readKept(value: unknown): Kept {
  const { name, devices, background, reducesNoise } = Object(value)
  const ids = Object(devices)
  const kinds = ['camera', 'microphone', 'speaker'] as const
  return {
    name: typeof name === 'string' ? name : '',
    devices: Object.fromEntries(kinds.flatMap((kind) => (typeof ids[kind] === 'string' ? [[kind, ids[kind]]] : []))),
    background: isBackgroundName(background) ? background : 'none',
    reducesNoise: reducesNoise === true,
  }
}
