import { type LocalParticipant, type LocalTrack, Track, type TrackProcessor } from 'livekit-client'
import type { ChosenEffects, EffectDevice, ProcessedTrack, TrackEffect } from './room.ts'
import { RoomError } from './room-error.ts'

type Processor = TrackProcessor<Track.Kind>

export type TrackEffects = {
  /** Options for capturing the camera: nothing of it is sent without the effect. */
  cameraOptions(): { processor?: TrackProcessor<Track.Kind.Video> }
  /** Apply the camera's effect to a track before it is sent. @throws RoomError `effect_failed` */
  prepare(camera: LocalTrack): Promise<void>
  /** Choose another effect. The device that is on changes at once. @throws RoomError `effect_failed` */
  set(me: LocalParticipant, device: EffectDevice, effect: TrackEffect | null): Promise<void>
  /** Apply the microphone's effect to a track that has none, as after a reconnect, which ends it. */
  restore(me: LocalParticipant): Promise<void>
}

const sources = { camera: Track.Source.Camera, microphone: Track.Source.Microphone } as const

export function createTrackEffects(initial: ChosenEffects): TrackEffects {
  const chosen = new Map<EffectDevice, TrackEffect>(
    (['camera', 'microphone'] as const).flatMap((device) => {
      const effect = initial[device]
      return effect === undefined ? [] : [[device, effect]]
    }),
  )

  async function apply(track: LocalTrack, device: EffectDevice) {
    const effect = chosen.get(device)
    if (effect === undefined) return void (track.getProcessor() && (await track.stopProcessor()))
    try {
      await track.setProcessor(toProcessor(effect, false))
    } catch (error) {
      throw new RoomError('effect_failed', error)
    }
  }

  return {
    cameraOptions() {
      const effect = chosen.get('camera')
      return effect === undefined ? {} : { processor: toProcessor(effect, true) }
    },
    prepare: (camera) => apply(camera, 'camera'),
    async set(me, device, effect) {
      const before = chosen.get(device)
      if (effect === null) chosen.delete(device)
      else chosen.set(device, effect)
      const track = me.getTrackPublication(sources[device])?.track
      if (track === undefined) return
      try {
        // A camera that is off is captured anew when it is switched on, and then by the options of its capture.
        await apply(track, device)
      } catch (error) {
        if (before === undefined) chosen.delete(device)
        else chosen.set(device, before)
        throw error
      }
    },
    async restore(me) {
      const track = me.getTrackPublication(Track.Source.Microphone)?.track
      if (track !== undefined && track.getProcessor() === undefined) await apply(track, 'microphone')
    },
  }
}

/**
 * An effect in the form of LiveKit's client. `isFirst` is true for a track that has not been sent yet: when
 * the effect fails, the track is released, because the device would stay on for nothing.
 */
function toProcessor(effect: TrackEffect, isFirst: boolean): Processor {
  let current: ProcessedTrack | undefined
  const processor: Processor = {
    name: 'effect',
    init: ({ track }) => process(track, isFirst),
    // The new picture of a camera that is switched on, or of another camera.
    restart: ({ track }) => process(track, true),
    async destroy() {
      await current?.stop()
      current = undefined
    },
  }
  async function process(track: MediaStreamTrack, releases: boolean) {
    // A camera that is off: it is captured anew when it is switched on.
    if (track.readyState === 'ended') return
    const before = current
    try {
      current = await effect.process(track)
    } catch (error) {
      if (releases) track.stop()
      throw new RoomError('effect_failed', error)
    }
    if (current.track === track) delete processor.processedTrack
    else processor.processedTrack = current.track
    await before?.stop()
  }
  return processor
}
