/** The estimated bandwidth of the downlink to one client. */
type BandwidthBudget = {
  /** Bits per second for video; infinite until the first congestion. */
  limit: number
  lastEstimate: number
  /** The time of the next probe, and the interval after a failed one. */
  nextProbeMs: number
  probeIntervalMs: number
  /** The limit was raised since it was last lowerLimit. */
  isProbing: boolean
}

const minProbeIntervalMs = 4000
const maxProbeIntervalMs = 60_000
/** The bitrate of a barely recognizable video. */
const minLimit = 60_000
const probeFactor = 1.5
/** An estimate that decreases by less than 3 % is noise. */
const decrease = 0.97
const heavyLoss = 0.1

export const unlimitedBudget: BandwidthBudget = {
  limit: Number.POSITIVE_INFINITY,
  lastEstimate: 0,
  nextProbeMs: 0,
  probeIntervalMs: minProbeIntervalMs,
  isProbing: false,
}

/**
 * Apply a bandwidth estimate of the client. A browser's estimate follows the received bitrate, so it says little about
 * the available bandwidth; but when it falls below the sent bitrate, packets have begun to queue.
 */
export function applyEstimate(budget: BandwidthBudget, estimate: number, sent: number, nowMs: number): BandwidthBudget {
  const isFalling = estimate < budget.lastEstimate * decrease && estimate < sent
  const noted = { ...budget, lastEstimate: estimate }
  return isFalling ? lowerLimit(noted, estimate, nowMs) : noted
}

/**
 * Apply a loss report (fraction from 0 to 1). Light loss is repaired by retransmissions and does not lower the limit.
 */
export function applyLoss(budget: BandwidthBudget, lost: number, sent: number, nowMs: number): BandwidthBudget {
  return lost < heavyLoss ? budget : lowerLimit(budget, Math.min(budget.limit, sent) * (1 - lost / 2), nowMs)
}

/** Probe for more bandwidth when it is due. `wanted` is the bitrate that would be sent without a limit. */
export function probeBandwidth(budget: BandwidthBudget, wanted: number, nowMs: number): BandwidthBudget {
  if (budget.limit === Number.POSITIVE_INFINITY || nowMs < budget.nextProbeMs) return budget
  const limit = budget.limit * probeFactor
  return limit > wanted * probeFactor
    ? { ...unlimitedBudget, lastEstimate: budget.lastEstimate }
    : { ...budget, limit, isProbing: true, nextProbeMs: nowMs + budget.probeIntervalMs }
}

function lowerLimit(budget: BandwidthBudget, limit: number, nowMs: number): BandwidthBudget {
  // One congestion may lower the limit several times, but counts as one failed probe at most.
  const factor = budget.isProbing ? 2 : 1
  const probeIntervalMs = Math.min(budget.probeIntervalMs * factor, maxProbeIntervalMs)
  const lower = Math.max(minLimit, Math.min(budget.limit, limit))
  return { ...budget, limit: lower, nextProbeMs: nowMs + probeIntervalMs, probeIntervalMs, isProbing: false }
}
