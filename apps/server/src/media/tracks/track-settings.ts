import { type VideoLayer, VideoQuality } from '@livekit/protocol'

/** A subscriber's settings of a track (LiveKit's UpdateTrackSettings). */
export type TrackSettings = { disabled: boolean; quality: VideoQuality; width: number; height: number }

export const defaultTrackSettings: TrackSettings = { disabled: false, quality: VideoQuality.HIGH, width: 0, height: 0 }

/** The index of the wanted layer: by quality, or the smallest that fills the size on the screen. */
export function wantedLayerOf({ quality, width, height }: TrackSettings, layers: readonly VideoLayer[]): number {
  if (width === 0 || height === 0 || layers.length === 0) return quality
  const smallest = layers.findIndex((layer) => layer.width >= width && layer.height >= height)
  return smallest === -1 ? VideoQuality.HIGH : smallest
}
