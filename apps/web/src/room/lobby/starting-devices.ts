import type { Entering, Profile } from '@parley/contract'
import type { DeviceState } from './device-state.ts'

type Start = {
  /** How the devices were left in this window. */
  left: DeviceState | undefined
  /** What the meeting begins with. */
  start: Entering['devices']
  /** What the profile of somebody who is signed in says. */
  person: Pick<Profile, 'microphoneOff' | 'videoOff'> | null | undefined
}

/** With what one comes in: as one left it here, else what neither the meeting nor the own profile switches off. */
export function startingDevices({ left, start, person }: Start): DeviceState {
  const camera = left?.camera ?? ((start?.camera ?? true) && !person?.videoOff)
  const microphone = left?.microphone ?? ((start?.microphone ?? true) && !person?.microphoneOff)
  return { camera, microphone: microphone && !(start?.hardMuted ?? false) }
}
