import type { TrackSource } from '@livekit/protocol'

/**
 * LiveKit's numbers for what a track shows (`TrackSource` of livekit_models.proto). They are here because the package
 * that holds them is loaded with the first call only (decision 0106).
 */
export const trackSources = {
  camera: 1 satisfies TrackSource.CAMERA,
  microphone: 2 satisfies TrackSource.MICROPHONE,
  screen: 3 satisfies TrackSource.SCREEN_SHARE,
  screenAudio: 4 satisfies TrackSource.SCREEN_SHARE_AUDIO,
}
