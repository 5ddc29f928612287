import {
  type AudioCaptureOptions,
  AudioPresets,
  LocalAudioTrack,
  type LocalParticipant,
  type LocalTrack,
  LocalVideoTrack,
  Track,
  type TrackPublishOptions,
} from 'livekit-client'
import type { CameraBlur } from './camera-blur.ts'
import { countLayers } from './camera-layers.ts'
import { type RoomConnection, receiveVideo } from './inside.ts'
import { maySpeak } from './participant-view.ts'
import type { DeviceKind, EffectDevice, Room, RoomSnapshot, TakeTrack } from './room.ts'
import { deviceReasonOf, RoomError } from './room-error.ts'
import type { Store } from './store.ts'
import type { TrackEffects } from './track-effects.ts'

type Devices = Pick<
  Room,
  | 'setMicrophone'
  | 'setCamera'
  | 'shareScreen'
  | 'switchDevice'
  | 'startSound'
  | 'setReceivesVideo'
  | 'setBackgroundBlur'
  | 'setEffect'
>

type Dependencies = {
  store: Store<RoomSnapshot>
  blur: CameraBlur
  takeTrack: TakeTrack
  effects: TrackEffects
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

const sources = { microphone: Track.Source.Microphone, camera: Track.Source.Camera } as const

/** The caller's microphone, camera, screen and speaker. */
export function createDevices({ store, blur, effects, takeTrack, inside, requireAllowed }: Dependencies): Devices {
  const publishing: Partial<Record<EffectDevice, Promise<unknown>>> = {}

  /** Publish a track that the caller has opened, as LiveKit's client publishes its own. */
  async function publish(me: LocalParticipant, device: EffectDevice, track: MediaStreamTrack) {
    const local = toLocalTrack(device, track)
    try {
      if (device === 'camera') await effects.prepare(local)
      await me.publishTrack(local, { source: sources[device] })
    } catch (error) {
      local.stop()
      throw error
    }
  }

  async function turn(me: LocalParticipant, device: EffectDevice, on: boolean) {
    // Otherwise LiveKit's client would open the device a second time.
    if (publishing[device] !== undefined) await publishing[device].catch(() => {})
    const isPublished = me.getTrackPublication(sources[device]) !== undefined
    const track = on && !isPublished ? takeTrack(device) : undefined
    if (track?.readyState === 'live') {
      const published = publish(me, device, track)
      publishing[device] = published
      await published.finally(() => delete publishing[device])
    } else {
      await (device === 'camera' ? me.setCameraEnabled(on, effects.cameraOptions()) : me.setMicrophoneEnabled(on))
      if (on && device === 'camera' && isPublished) await keepLayers(me)
    }
  }

  async function start(device: EffectDevice, on: boolean) {
    const { livekit, refresh } = inside()
    try {
      await turn(livekit.localParticipant, device, on)
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
      await start('microphone', on)
      // Without the effect, the person is still heard.
      if (on) await effects.restore(inside().livekit.localParticipant).catch(() => {})
    },
    async setCamera(on) {
      if (on) requireAllowed('camera')
      await start('camera', on)
    },
    async setEffect(device, effect) {
      const { livekit, refresh } = inside()
      try {
        await effects.set(livekit.localParticipant, device, effect)
      } finally {
        refresh()
      }
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
        if (kind === 'camera') await keepLayers(livekit.localParticipant)
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
    setReceivesVideo(on) {
      const { livekit, refresh } = inside()
      store.change({ receivesVideo: on })
      for (const { videoTrackPublications } of livekit.remoteParticipants.values())
        for (const publication of videoTrackPublications.values()) receiveVideo(publication, on)
      refresh()
    },
    async startSound() {
      const { livekit, refresh } = inside()
      await livekit.startAudio()
      refresh()
    },
  }
}

/** A track of LiveKit's client that it stops and opens again as its own, by the constraints with which it was opened. */
const toLocalTrack = (device: EffectDevice, track: MediaStreamTrack): LocalTrack =>
  // The library's own types differ in an optional property only.
  (device === 'camera'
    ? new LocalVideoTrack(track, undefined, false)
    : new LocalAudioTrack(track, undefined, false)) as LocalTrack

/**
 * Publish the camera anew when its size takes another number of layers than it was published with: a browser cannot add
 * a layer to a sender.
 */
async function keepLayers(me: LocalParticipant): Promise<void> {
  const publication = me.getTrackPublication(Track.Source.Camera)
  const track = publication?.videoTrack
  if (!(track instanceof LocalVideoTrack) || track.sender === undefined || track.isMuted) return
  const wanted = countLayers(await track.waitForDimensions())
  if (track.sender.getParameters().encodings.length === wanted) return
  await me.unpublishTrack(track, false)
  await me.publishTrack(track, { source: Track.Source.Camera })
}
