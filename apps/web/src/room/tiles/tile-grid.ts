export type Area = { width: number; height: number }
type Grid = { columns: number; rows: number }

/** A camera's aspect ratio, 16:9. The sides are cropped, down to 4:3, where that makes a face larger. */
const widestAspect = 16 / 9
const narrowestAspect = 4 / 3
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
