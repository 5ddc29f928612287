/** The state of a layer for layer selection. */
export type LayerState = { index: number; active: boolean; bitsPerSecond: number }

/** Choose the largest active layer up to `wanted`, else the smallest active one. Undefined if none is active. */
export function chooseLayer(layers: readonly LayerState[], wanted: number): number | undefined {
  const active = layers.filter((layer) => layer.active)
  return (active.findLast(({ index }) => index <= wanted) ?? active[0])?.index
}

/** In place of a layer: the video is paused, because not even the smallest layer fits. */
export const noLayer = -1

/** The layers of a subscribed track, with the wanted and the current layer. */
export type Demand = {
  layers: readonly LayerState[]
  wanted: number
  /** Undefined while none is sent. */
  current: number | undefined
  isPaused: boolean
  /** Shared screens have priority over cameras. */
  isScreen: boolean
}

type Allocation = {
  /** The largest layer for each demand, or `noLayer`. */
  allowed: number[]
  /** The limit at which one more layer fits; undefined if all that is wanted was allowed. */
  nextLimit: number | undefined
  /** The allowed bits per second as a share of the wanted ones. */
  share: number
}

/** Hysteresis: keep the current layer down to 90 % of its bitrate, and switch to a larger one only with 110 %. */
const shortage = 0.9
const surplus = 1.1
/** What to find room for before the switch: a bitrate varies. */
const searched = 1.2

type Share = { demand: Demand; steps: readonly LayerState[]; taken: number }

/**
 * Allocate `limit` bits per second: the smallest layer of each track as far as they fit, screens and large tiles first,
 * then each track's next larger layer in turn.
 */
export function allocateLayers(limit: number, demands: readonly Demand[]): Allocation {
  if (limit === Number.POSITIVE_INFINITY) {
    return { allowed: demands.map(({ wanted }) => wanted), nextLimit: undefined, share: 1 }
  }
  const shares = demands.map((demand): Share => {
    const steps = demand.layers.filter(({ active }) => active)
    return { demand, steps: steps.filter(({ index }, at) => at === 0 || index <= demand.wanted), taken: -1 }
  })
  const served = shares.toSorted(
    (a, b) => Number(b.demand.isScreen) - Number(a.demand.isScreen) || b.demand.wanted - a.demand.wanted,
  )
  let left = limit
  const grow = (share: Share) => {
    const { demand, steps, taken } = share
    const next = steps[taken + 1]
    const more = costOf(demand, next) - costOf(demand, steps[taken])
    if (next === undefined || more > left) return false
    left -= more
    share.taken += 1
    return true
  }
  for (const share of served) grow(share)
  let isGrowing = true
  while (isGrowing) {
    isGrowing = false
    for (const share of served) if (share.taken >= 0 && grow(share)) isGrowing = true
  }
  return { allowed: shares.map(allowedOf), ...summarize(shares) }
}

/** Without an active layer there is nothing to decide: a paused video stays paused. */
function allowedOf({ demand, steps, taken }: Share): number {
  if (steps.length === 0) return demand.isPaused ? noLayer : 0
  return steps[taken]?.index ?? noLayer
}

function summarize(shares: readonly Share[]): Pick<Allocation, 'nextLimit' | 'share'> {
  const rate = (layer: LayerState | undefined) => layer?.bitsPerSecond ?? 0
  const sum = (rates: number[]) => rates.reduce((total, one) => total + one, 0)
  const allowed = sum(shares.map(({ steps, taken }) => rate(steps[taken])))
  const wanted = sum(shares.map(({ steps }) => rate(steps.at(-1))))
  const steps = shares.flatMap(({ steps, taken }) => {
    const next = steps[taken + 1]
    return next === undefined ? [] : [rate(next) - rate(steps[taken])]
  })
  return {
    nextLimit: steps.length === 0 ? undefined : (allowed + Math.max(0, Math.min(...steps))) * searched,
    share: wanted === 0 ? 1 : allowed / wanted,
  }
}

const costOf = ({ current }: Demand, layer: LayerState | undefined) =>
  layer === undefined ? 0 : layer.bitsPerSecond * (layer.index === current ? shortage : surplus)
