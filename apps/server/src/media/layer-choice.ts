/** What is known of a layer when one is chosen. */
export type LayerState = { index: number; active: boolean; bitsPerSecond: number }

/** A layer that does not fit is left only when the line bears this much less than it takes, and taken again with as much more. */
const SHORTAGE = 0.9
const SURPLUS = 1.2

/**
 * The layer to send: the best that is wanted, is being sent and fits into `bitsPerSecond`; the smallest when none fits.
 * Undefined when none is being sent. `current` is given up reluctantly, so that an estimate that wavers changes nothing.
 */
export function chooseLayer(
  layers: readonly LayerState[],
  wanted: number,
  bitsPerSecond: number,
  current: number | undefined,
): number | undefined {
  const active = layers.filter((layer) => layer.active)
  const allowed = active.filter(({ index }) => index <= wanted)
  // When nothing as small as is wanted is sent, the next larger is better than nothing.
  const candidates = allowed.length > 0 ? allowed : active.slice(0, 1)
  const fitting = candidates.filter(
    (layer) => layer.bitsPerSecond * (layer.index === current ? SHORTAGE : SURPLUS) <= bitsPerSecond,
  )
  return (fitting.at(-1) ?? candidates[0])?.index
}
