import { cameraRatio, mayFill, narrowestTileRatio, uprightTileRatio } from './fit-video.ts'

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

/** Divide the stage when a tile is large, and compute how many others fit on a page of at most `maxTiles`. */
export function planStage({ width, height }: Area, hasMain: boolean, maxTiles: number): StagePlan {
  const strip = width > height ? 'beside' : 'below'
  const rest =
    strip === 'beside'
      ? { width: Math.floor(Math.max(width * stripShare, narrowestStripPixels)), height }
      : { width, height: Math.floor(Math.max(height * stripShare, lowestStripPixels)) }
  const fit = tilesThatFit(hasMain ? rest : { width, height })
  return { strip, rest, pageSize: Math.min(fit, hasMain ? maxInStrip : maxTiles) }
}

/** The area of the large tiles: all of it where there is no strip. */
export function largeArea({ width, height }: Area, stage: Pick<StagePlan, 'strip' | 'rest'> | undefined): Area {
  if (stage === undefined) return { width, height }
  return stage.strip === 'beside'
    ? { width: Math.max(width - stage.rest.width - gapPixels, 0), height }
    : { width, height: Math.max(height - stage.rest.height - gapPixels, 0) }
}

type Area = { width: number; height: number }
type Grid = { columns: number; rows: number }

/** The gap between tiles, the same as in Tiles.module.css. */
const gapPixels = 8
/** Below this size a face is not recognizable. Rows are lower where the window is, such as on a phone on its side. */
const narrowestTilePixels = 150
const lowestTilePixels = { tall: 110, wide: 84 }

/** The size of each tile in a grid of so many columns and rows. The sides are cropped where that makes a face larger. */
function tileOf({ width, height }: Area, { columns, rows }: Grid, narrowestAspect: number): Area {
  const cellWidth = Math.max((width - gapPixels * (columns - 1)) / columns, 0)
  const cellHeight = Math.max((height - gapPixels * (rows - 1)) / rows, 0)
  return {
    width: Math.floor(Math.min(cellWidth, cellHeight * cameraRatio)),
    height: Math.floor(Math.min(cellHeight, cellWidth / narrowestAspect)),
  }
}

type GridPlan = Grid & { tile: Area }

/** The ratio of each tile's picture; undefined until it is known, and for a portrait, which suits every tile. */
type PictureRatios = readonly (number | undefined)[]

/**
 * The columns and rows with the largest pictures; on a tie, fewer columns. Tiles are upright where most cameras are, and
 * in a tall window where there is none.
 */
export function planGrid(ratios: PictureRatios, area: Area): GridPlan {
  const wanted = Math.max(ratios.length, 1)
  const pictures = ratios.filter((ratio) => ratio !== undefined)
  const narrowest = areTilesUpright(pictures, area) ? uprightTileRatio : narrowestTileRatio
  const plans = Array.from({ length: wanted }, (_, index): GridPlan => {
    const grid = { columns: index + 1, rows: Math.ceil(wanted / (index + 1)) }
    return { ...grid, tile: tileOf(area, grid, narrowest) }
  })
  const seen = ({ tile }: GridPlan) =>
    pictures.length === 0 ? sizeOf(tile) : pictures.reduce((sum, ratio) => sum + shownSize(ratio, tile), 0)
  return plans.reduce((best, plan) => (seen(plan) > seen(best) ? plan : best))
}

const areTilesUpright = (pictures: readonly number[], { width, height }: Area): boolean =>
  pictures.length === 0 ? height > width : pictures.filter((ratio) => ratio < 1).length > pictures.length / 2

const sizeOf = ({ width, height }: Area) => width * height

/** The pixels of a picture that fills its tile, or is shown whole. */
function shownSize(ratio: number, tile: Area): number {
  if (tile.height === 0 || mayFill(ratio, tile.width / tile.height)) return sizeOf(tile)
  return Math.min(tile.width, tile.height * ratio) * Math.min(tile.height, tile.width / ratio)
}

/** How many recognizable tiles fit into an area; at least one. */
export function tilesThatFit({ width, height }: Area): number {
  const lowest = height > width ? lowestTilePixels.tall : lowestTilePixels.wide
  const columns = Math.max(1, Math.floor((width + gapPixels) / (narrowestTilePixels + gapPixels)))
  const rows = Math.max(1, Math.floor((height + gapPixels) / (lowest + gapPixels)))
  return columns * rows
}
