import { type Area, tilesThatFit } from './tile-grid.ts'

export type StagePlan = {
  /** Where the others are beside the large one. */
  strip: 'below' | 'beside'
  /** The area of the others. */
  rest: Area
  pageSize: number
}

/** As Tiles.module.css has it. The others get a fifth beside the large picture; on a high window they are below it. */
const stripShare = 0.22
const narrowestStripPixels = 160
const lowestStripPixels = 112
/** More small faces at a time draw the eyes away from what is large. */
const maxInStrip = 6

/** How the stage is divided when something is large, and how many others a page holds. */
export function planStage({ width, height }: Area, hasMain: boolean): StagePlan {
  const strip = width > height ? 'beside' : 'below'
  const rest =
    strip === 'beside'
      ? { width: Math.floor(Math.max(width * stripShare, narrowestStripPixels)), height }
      : { width, height: Math.floor(Math.max(height * stripShare, lowestStripPixels)) }
  const pageSize = hasMain ? Math.min(tilesThatFit(rest), maxInStrip) : tilesThatFit({ width, height })
  return { strip, rest, pageSize }
}
