import { type Area, tilesThatFit } from './tile-grid.ts'

type StagePlan = {
  /** The position of the other tiles relative to the large one. */
  strip: 'below' | 'beside'
  /** The area for the other tiles. */
  rest: Area
  pageSize: number
}

/**
 * The same numbers as in Tiles.module.css: a fifth of the width next to the large tile, or below it in a tall window.
 */
const stripShare = 0.22
const narrowestStripPixels = 160
const lowestStripPixels = 112
/** More small tiles distract from the large one. */
const maxInStrip = 6

/** Divide the stage when a tile is large, and compute how many others fit on a page. */
export function planStage({ width, height }: Area, hasMain: boolean): StagePlan {
  const strip = width > height ? 'beside' : 'below'
  const rest =
    strip === 'beside'
      ? { width: Math.floor(Math.max(width * stripShare, narrowestStripPixels)), height }
      : { width, height: Math.floor(Math.max(height * stripShare, lowestStripPixels)) }
  const pageSize = hasMain ? Math.min(tilesThatFit(rest), maxInStrip) : tilesThatFit({ width, height })
  return { strip, rest, pageSize }
}
