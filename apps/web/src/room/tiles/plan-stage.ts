import { cameraRatio, narrowestTileRatio } from './fit-video.ts'

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

type Area = { width: number; height: number }
type Grid = { columns: number; rows: number }

/** The sides are cropped where that makes a face larger. */
const widestAspect = cameraRatio
const narrowestAspect = narrowestTileRatio
/** The gap between tiles, the same as in Tiles.module.css. */
const gapPixels = 8
/** Below this size a face is not recognizable. */
const narrowestTilePixels = 150
const lowestTilePixels = 110
/** Browsers decode more simultaneous videos poorly. */
export const maxTilesOnAPage = 16

/** The size of each tile in a grid of so many columns and rows. */
function tileOf({ width, height }: Area, { columns, rows }: Grid): Area {
  const cellWidth = Math.max((width - gapPixels * (columns - 1)) / columns, 0)
  const cellHeight = Math.max((height - gapPixels * (rows - 1)) / rows, 0)
  return {
    width: Math.floor(Math.min(cellWidth, cellHeight * widestAspect)),
    height: Math.floor(Math.min(cellHeight, cellWidth / narrowestAspect)),
  }
}

type GridPlan = Grid & { tile: Area }

/** The columns and rows with the largest tiles; on a tie, fewer columns. */
export function planGrid(count: number, area: Area): GridPlan {
  const wanted = Math.max(count, 1)
  const plans = Array.from({ length: wanted }, (_, index): GridPlan => {
    const grid = { columns: index + 1, rows: Math.ceil(wanted / (index + 1)) }
    return { ...grid, tile: tileOf(area, grid) }
  })
  const size = ({ tile }: GridPlan) => tile.width * tile.height
  return plans.reduce((best, plan) => (size(plan) > size(best) ? plan : best))
}

/** How many recognizable tiles fit on one page; at least one. */
export function tilesThatFit({ width, height }: Area): number {
  const columns = Math.max(1, Math.floor((width + gapPixels) / (narrowestTilePixels + gapPixels)))
  const rows = Math.max(1, Math.floor((height + gapPixels) / (lowestTilePixels + gapPixels)))
  return Math.min(columns * rows, maxTilesOnAPage)
}
