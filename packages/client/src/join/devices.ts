import {
  type AudioCaptureOptions,
  AudioPresets,
  type LocalParticipant,
  type LocalTrack,
  Track,
  type TrackPublishOptions,
} from 'livekit-client'
import type { CameraBlur } from './camera-blur.ts'
import type { RoomConnection } from './inside.ts'
import type { DeviceKind, Room, RoomSnapshot } from './room.ts'
import { deviceReasonOf, RoomError } from './room-error.ts'
import type { Store } from './store.ts'

type Devices = Pick<
  Room,
  'setMicrophone' | 'setCamera' | 'shareScreen' | 'switchDevice' | 'startSound' | 'setBackgroundBlur'
>

type Dependencies = {
  store: Store<RoomSnapshot>
  blur: CameraBlur
  /** @throws RoomError `not_inside` */
  inside(): RoomConnection
  /** @throws RoomError */
  requireAllowed(right: 'camera' | 'screen'): void
}

const browserKinds: Record<DeviceKind, MediaDeviceKind> = {
  microphone: 'audioinput',
  camera: 'videoinput',
  speaker: 'audiooutput',
}

/** What removes noise and echo from speech distorts music and films. */
const unprocessedSound: AudioCaptureOptions = {
  echoCancellation: false,
  noiseSuppression: false,
  autoGainControl: false,
  channelCount: 2,
}

/** Stereo at 128 kbit/s, without pauses in silence (DTX), which cut the quiet ends of notes off. */
const musicOptions: TrackPublishOptions = {
  audioPreset: AudioPresets.musicHighQualityStereo,
  forceStereo: true,
  dtx: false,
  red: false,
}

/** How to publish a track again, on a new connection. */
export const publishOptionsOf = ({ source }: LocalTrack): TrackPublishOptions =>
  source === Track.Source.ScreenShareAudio ? musicOptions : {}

/** The caller's microphone, camera, screen and speaker. */
export function createDevices({ store, blur, inside, requireAllowed }: Dependencies): Devices {
  async function start(device: 'microphone' | 'camera', change: (me: LocalParticipant) => Promise<unknown>) {
    const { livekit, refresh } = inside()
    try {
      await change(livekit.localParticipant)
      if (store.snapshot().deviceProblem?.device === device) store.change({ deviceProblem: null })
    } catch (error) {
      const reason = deviceReasonOf(error, false)
      store.change({ deviceProblem: { device, reason } })
      throw new RoomError(reason, error)
    } finally {
      refresh()
    }
  }

  return {
    async setMicrophone(on) {
      const { livekit } = inside()
      // The media server refuses it as well; this gives the reason.
      const { hardMuted } = store.snapshot()
      if (on && (hardMuted || !maySpeak(livekit.localParticipant))) throw new RoomError('hard_muted')
      await start('microphone', (me) => me.setMicrophoneEnabled(on))
    },
    async setCamera(on) {
      if (on) requireAllowed('camera')
      await start('camera', (me) => me.setCameraEnabled(on))
    },
    async shareScreen(on) {
      const { livekit, refresh } = inside()
      if (on) requireAllowed('screen')
      try {
        await livekit.localParticipant.setScreenShareEnabled(on, { audio: unprocessedSound }, musicOptions)
      } catch (error) {
        throw new RoomError(deviceReasonOf(error, true), error)
      } finally {
        refresh()
      }
    },
    async switchDevice(kind, deviceId) {
      const { livekit } = inside()
      try {
        await livekit.switchActiveDevice(browserKinds[kind], deviceId)
      } catch (error) {
        throw new RoomError(deviceReasonOf(error, false), error)
      }
    },
    async setBackgroundBlur(on) {
      const { livekit, refresh } = inside()
      try {
        await blur.set(livekit.localParticipant, on)
      } catch (error) {
        throw new RoomError(deviceReasonOf(error, false), error)
      } finally {
        refresh()
      }
    },
    async startSound() {
      const { livekit, refresh } = inside()
      await livekit.startAudio()
      refresh()
    },
  }
}

/** An empty list of sources means all of them. Before the server has sent permissions, it decides. */
function maySpeak({ permissions }: LocalParticipant): boolean {
  if (permissions === undefined) return true
  const { canPublish, canPublishSources } = permissions
  const isListed = canPublishSources.some((source) => source === Track.sourceToProto(Track.Source.Microphone))
  return canPublish && (canPublishSources.length === 0 || isListed)
}
