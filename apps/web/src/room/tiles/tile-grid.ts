export type Area = { width: number; height: number }
export type Grid = { columns: number; rows: number }

/** As cameras see: 16 wide, 9 high. More is cut off at the sides, down to 4 by 3, where that makes a face larger. */
const widestAspect = 16 / 9
const narrowestAspect = 4 / 3
/** Between two tiles, as Tiles.module.css has it. */
const gapPixels = 8
/** A face on less cannot be made out. */
const narrowestTilePixels = 150
const lowestTilePixels = 110
/** More pictures at a time are more than a browser decodes well. */
export const maxTilesOnAPage = 16

/** How large each tile is when so many columns and rows share the area. */
function tileOf({ width, height }: Area, { columns, rows }: Grid): Area {
  const cellWidth = Math.max((width - gapPixels * (columns - 1)) / columns, 0)
  const cellHeight = Math.max((height - gapPixels * (rows - 1)) / rows, 0)
  return {
    width: Math.floor(Math.min(cellWidth, cellHeight * widestAspect)),
    height: Math.floor(Math.min(cellHeight, cellWidth / narrowestAspect)),
  }
}

export type GridPlan = Grid & { tile: Area }

/** The columns and rows in which so many tiles are largest; of equal ones, the fewer columns. */
export function planGrid(count: number, area: Area): GridPlan {
  const wanted = Math.max(count, 1)
  const plans = Array.from({ length: wanted }, (_, index): GridPlan => {
    const grid = { columns: index + 1, rows: Math.ceil(wanted / (index + 1)) }
    return { ...grid, tile: tileOf(area, grid) }
  })
  const size = ({ tile }: GridPlan) => tile.width * tile.height
  return plans.reduce((best, plan) => (size(plan) > size(best) ? plan : best))
}

/** How many tiles fit on one page so that each can still be made out; at least one. */
export function tilesThatFit({ width, height }: Area): number {
  const columns = Math.max(1, Math.floor((width + gapPixels) / (narrowestTilePixels + gapPixels)))
  const rows = Math.max(1, Math.floor((height + gapPixels) / (lowestTilePixels + gapPixels)))
  return Math.min(columns * rows, maxTilesOnAPage)
}
