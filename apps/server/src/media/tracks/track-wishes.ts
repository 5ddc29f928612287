import { type VideoLayer, VideoQuality } from '@livekit/protocol'

/** What a subscriber asks for of a track. */
export type TrackWishes = { disabled: boolean; quality: VideoQuality; width: number; height: number }

export const everything: TrackWishes = { disabled: false, quality: VideoQuality.HIGH, width: 0, height: 0 }

/** The layer that is asked for: by quality, or the smallest that fills the size on the screen. */
export function wantedLayerOf({ quality, width, height }: TrackWishes, layers: readonly VideoLayer[]): number {
  if (width === 0 || height === 0 || layers.length === 0) return quality
  const smallest = layers.findIndex((layer) => layer.width >= width && layer.height >= height)
  return smallest === -1 ? VideoQuality.HIGH : smallest
}
