import type { Entering, Profile } from '@parley/contract'
import type { DeviceState } from './device-state.ts'

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
  return { camera, microphone: microphone && !(start?.hardMuted ?? false) }
}
