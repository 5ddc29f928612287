/** The state of a layer for layer selection. */
export type LayerState = { index: number; active: boolean; bitsPerSecond: number }

/** Choose the largest active layer up to `wanted`, else the smallest active one. Undefined if none is active. */
export function chooseLayer(layers: readonly LayerState[], wanted: number): number | undefined {
  const active = layers.filter((layer) => layer.active)
  return (active.findLast(({ index }) => index <= wanted) ?? active[0])?.index
}

/** The layers of a subscribed track, with the wanted and the current layer. */
export type Demand = {
  layers: readonly LayerState[]
  wanted: number
  current: number | undefined
  /** Shared screens have priority over cameras. */
  isScreen: boolean
}

/** Hysteresis: keep the current layer down to 90 % of its bitrate, and switch to a larger one only with 110 %. */
const shortage = 0.9
const surplus = 1.1

/**
 * Allocate `limit` bits per second. Return the largest layer for each demand. Every track gets its smallest layer,
 * even beyond the limit; the rest goes to screens first, then to each track's next larger layer in turn.
 */
export function allocateLayers(limit: number, demands: readonly Demand[]): number[] {
  if (limit === Number.POSITIVE_INFINITY) return demands.map(({ wanted }) => wanted)
  const shares = demands.map((demand) => {
    const steps = demand.layers.filter(
      ({ active, index }, position) => active && (position === 0 || index <= demand.wanted),
    )
    return { demand, steps, taken: 0, allowed: steps[0]?.index ?? 0 }
  })
  let left = limit - shares.reduce((sum, { demand, steps }) => sum + costOf(demand, steps[0]), 0)
  const served = [...shares.filter(({ demand }) => demand.isScreen), ...shares.filter(({ demand }) => !demand.isScreen)]
  let isGrowing = true
  while (isGrowing) {
    isGrowing = false
    for (const share of served) {
      const next = share.steps[share.taken + 1]
      const more = costOf(share.demand, next) - costOf(share.demand, share.steps[share.taken])
      if (next === undefined || more > left) continue
      left -= more
      share.taken += 1
      share.allowed = next.index
      isGrowing = true
    }
  }
  return shares.map(({ allowed }) => allowed)
}

const costOf = ({ current }: Demand, layer: LayerState | undefined) =>
  layer === undefined ? 0 : layer.bitsPerSecond * (layer.index === current ? shortage : surplus)
