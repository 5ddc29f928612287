import type { View } from './arrange-tiles.ts'

/** How a person sees the rooms on this device. */
export type ViewChoice = {
  view: View
  /** At most as many tiles on a page. */
  maxTiles: number
  hidesSelf: boolean
  hidesVideoless: boolean
}

/** Browsers decode more simultaneous videos than 16 poorly on slow devices, whose owners choose fewer. */
export const tileCounts = [4, 9, 16, 25, 49] as const

export const defaultView: ViewChoice = { view: 'grid', maxTiles: 25, hidesSelf: false, hidesVideoless: false }

/** Validated, because other versions of the page or the user may have written any value. */
export function readViewChoice(value: string | null | undefined): ViewChoice {
  const { view, maxTiles, hidesSelf, hidesVideoless } = parsed(value)
  return {
    view: view === 'speaker' ? 'speaker' : defaultView.view,
    maxTiles: tileCounts.find((count) => count === maxTiles) ?? defaultView.maxTiles,
    hidesSelf: hidesSelf === true,
    hidesVideoless: hidesVideoless === true,
  }
}

function parsed(value: string | null | undefined) {
  try {
    return Object(JSON.parse(value ?? ''))
  } catch {
    return {}
  }
}
