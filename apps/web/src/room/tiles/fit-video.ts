/** The largest share of a video's width or height that a tile may cut off: more would cut off a face. */
const maxCrop = 0.15
/** Sizes are whole pixels. */
const tolerance = 0.005

/** Whether a video may fill a box of this ratio of width to height; otherwise it is shown whole. */
export function mayFill(videoRatio: number, boxRatio: number): boolean {
  const shown = Math.min(videoRatio / boxRatio, boxRatio / videoRatio)
  return shown >= 1 - maxCrop - tolerance
}

/** The ratios that a large tile may have: the sides of a video may be cut off, its top, where the hair is, may not. */
export const largeTileRatios = (videoRatio: number) => ({ widest: videoRatio, narrowest: videoRatio * (1 - maxCrop) })

/** The ratio of most cameras. */
export const cameraRatio = 16 / 9

/** The narrowest tile that such a camera may fill. */
export const narrowestTileRatio = largeTileRatios(cameraRatio).narrowest

/** The narrowest tile for phones held upright, whose cameras (9:16) may fill it. */
export const uprightTileRatio = 0.66
