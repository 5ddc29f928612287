import { type LocalParticipant, Track } from 'livekit-client'
import { blurBackground, canBlurBackground } from '../background-blur.ts'

export type CameraBlur = {
  /** Blur from now on, or no longer: this camera, and each that is switched on later. */
  set(me: LocalParticipant, on: boolean): Promise<void>
  /** Whether the camera that is on is blurred; null where it cannot be. A camera that has just come on is told what is wanted. */
  look(me: LocalParticipant, changed: () => void): boolean | null
}

export function createCameraBlur(atFirst: boolean): CameraBlur {
  let wanted = atFirst
  let latest: MediaStreamTrack | undefined
  return {
    async set(me, on) {
      wanted = on
      const camera = cameraOf(me)
      if (camera !== undefined) await blurBackground(camera, on)
    },
    look(me, changed) {
      const camera = cameraOf(me)
      if (camera !== latest) {
        latest = camera
        // A camera that refuses shows its picture as it is.
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
