/** What is known of a layer when one is chosen. */
export type LayerState = { index: number; active: boolean; bitsPerSecond: number }

/** The best layer that is wanted and is being sent; the smallest when all are larger. Undefined when none is being sent. */
export function chooseLayer(layers: readonly LayerState[], wanted: number): number | undefined {
  const active = layers.filter((layer) => layer.active)
  return (active.findLast(({ index }) => index <= wanted) ?? active[0])?.index
}

/** A track that somebody gets: what of it there is, what is wanted, and what is sent now. */
export type Demand = {
  layers: readonly LayerState[]
  wanted: number
  current: number | undefined
  /** A shared screen is read, and served before faces. */
  isScreen: boolean
}

/** A layer that does not fit is left only when the line bears this much less than it takes, and taken again with as much more. */
const shortage = 0.9
const surplus = 1.1

/**
 * Divides a line of `limit` bits a second: the largest layer that each track may have. Every track has its smallest layer,
 * whether it fits or not; what is left goes to screens first, then to everybody's next larger layer in turn.
 */
export function divideLine(limit: number, demands: readonly Demand[]): number[] {
  if (limit === Number.POSITIVE_INFINITY) return demands.map(({ wanted }) => wanted)
  const shares = demands.map((demand) => {
    const steps = demand.layers.filter(({ active, index }, at) => active && (at === 0 || index <= demand.wanted))
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
