import { type LocalParticipant, Track } from 'livekit-client'
import { blurBackground, canBlurBackground } from '../background-blur.ts'

export type CameraBlur = {
  /** Switch the blur for the current camera and for each that is switched on later. */
  set(me: LocalParticipant, on: boolean): Promise<void>
  /**
   * Whether the current camera is blurred; null where it does not support it. Apply the setting to a camera that has
   * just been switched on.
   */
  refresh(me: LocalParticipant, changed: () => void): boolean | null
}

export function createCameraBlur(initiallyOn: boolean): CameraBlur {
  let wanted = initiallyOn
  let latest: MediaStreamTrack | undefined
  return {
    async set(me, on) {
      wanted = on
      const camera = cameraOf(me)
      if (camera !== undefined) await blurBackground(camera, on)
    },
    refresh(me, changed) {
      const camera = cameraOf(me)
      if (camera !== latest) {
        latest = camera
        // A camera that refuses the constraint shows its image unchanged.
        if (camera !== undefined && wanted) void blurBackground(camera, true).then(changed, changed)
      }
      return camera !== undefined && canBlurBackground(camera) ? isBlurred(camera) : null
    },
  }
}

function cameraOf(me: LocalParticipant): MediaStreamTrack | undefined {
  const publication = me.getTrackPublication(Track.Source.Camera)
  return publication?.isMuted === false ? publication.track?.mediaStreamTrack : undefined
}

const isBlurred = (camera: MediaStreamTrack): boolean => Object(camera.getSettings()).backgroundBlur === true
