import type { Observation } from './sent-traffic.ts'

/** The bandwidth of the line to one client, audio included. */
export type BandwidthBudget = {
  /** Bits per second; infinite until the first congestion. */
  limit: number
  /** The client reports arrivals, by which congestion shows at once and a probe has a result. */
  isObserved: boolean
  /** The client's last own estimate, of clients that send no other reports. */
  lastEstimate: number
  /** Successive observations of a long queue. */
  delayed: number
  /** Until then, reports are about packets from before the limit was lowered. */
  settlingUntilMs: number
  nextProbeMs: number
  probeIntervalMs: number
  probe: Probe | undefined
}

/** A higher rate that is tried with padding, and the number of reports on it so far. */
type Probe = { from: number; target: number; startedMs: number; observations: number; delayed: number }

const minProbeIntervalMs = 2000
const maxProbeIntervalMs = 10_000
/** After more was allowed, the larger layer starts; then the next one may be tried. */
const afterSuccessMs = 1000
const probeMs = 800
/** The rate of a probe grows at first, so that a line that is too thin shows it before its queue is full. */
const rampMs = 400
const maxProbeFactor = 2
/** With fewer observations the client has not reported on the probe. */
const minProbeObservations = 2
/** Less than a voice. */
const minLimit = 30_000
/** What is left for others, and for the peaks of an encoder. */
const usable = 0.9
const drainMs = 300

/**
 * A queue of this length that stays for so many observations is congestion, even where nothing is lost. A client that
 * is busy for a moment, and reads its socket late, shows the same for a shorter time.
 */
const longQueueMs = 100
const minDelayed = 4
/** With a queue, this loss is congestion; without one it comes from radio, and less video would not lessen it. */
const shortQueueMs = 30
const minLost = 3
const heavyLoss = 0.1
/** A router that drops instead of queueing. */
const policedLoss = 0.4
const reportedPolicedLoss = 0.2
/** A probe ends before anything is lost: at the second observation of a queue. */
const probeQueueMs = 50
const minProbeDelayed = 2

/** An estimate that decreases by less than 3 % is noise. */
const decrease = 0.97
/** Without reports on arrivals a higher limit is tried with video itself. */
const blindFactor = 1.5

export const unlimitedBudget: BandwidthBudget = {
  limit: Number.POSITIVE_INFINITY,
  isObserved: false,
  lastEstimate: 0,
  delayed: 0,
  settlingUntilMs: 0,
  nextProbeMs: 0,
  probeIntervalMs: minProbeIntervalMs,
  probe: undefined,
}

/** Apply what the client's reports on arrivals say: lower the limit when the line is congested, end a failed probe. */
export function applyObservation(budget: BandwidthBudget, seen: Observation, nowMs: number): BandwidthBudget {
  const delayed = seen.queueMs >= longQueueMs ? budget.delayed + 1 : 0
  const noted = { ...budget, isObserved: true, delayed }
  const loses = seen.lost >= minLost && seen.loss >= heavyLoss
  const isCongested = delayed >= minDelayed || seen.loss >= policedLoss || (loses && seen.queueMs >= shortQueueMs)
  // While a probe overfills the line, what arrives is more than the limit, which stays.
  const found = Math.max(minLimit, seen.bitsPerSecond * usable)
  if (isCongested && nowMs >= budget.settlingUntilMs && found < budget.limit) {
    return lowerLimit({ ...noted, delayed: 0, settlingUntilMs: nowMs + drainMs }, found, nowMs)
  }
  if (budget.probe === undefined) return noted
  const probe = { ...budget.probe, delayed: seen.queueMs >= probeQueueMs ? budget.probe.delayed + 1 : 0 }
  if (loses || probe.delayed >= minProbeDelayed || delayed > 0) return failProbe(noted, nowMs)
  return { ...noted, probe: { ...probe, observations: probe.observations + 1 } }
}

/**
 * Apply a client's own bandwidth estimate. It follows the received bitrate, so it says little about the available
 * bandwidth; but when it falls below the sent bitrate, packets have begun to queue.
 */
export function applyEstimate(budget: BandwidthBudget, estimate: number, sent: number, nowMs: number): BandwidthBudget {
  const isFalling = estimate < budget.lastEstimate * decrease && estimate < sent
  const noted = { ...budget, lastEstimate: estimate }
  return isFalling ? lowerLimit(noted, estimate, nowMs) : noted
}

/**
 * Apply a loss report (fraction from 0 to 1) of a client that does not report arrivals. Light loss is repaired by
 * retransmissions and does not lower the limit.
 */
export function applyLoss(budget: BandwidthBudget, lost: number, sent: number, nowMs: number): BandwidthBudget {
  if (lost < reportedPolicedLoss || budget.isObserved) return budget
  return lowerLimit(budget, Math.min(budget.limit, sent) * (1 - lost / 2), nowMs)
}

/** Try a higher limit when that is due. `target` is what the next layer needs; undefined while nothing is missing. */
export function startProbe(budget: BandwidthBudget, target: number | undefined, nowMs: number): BandwidthBudget {
  if (target === undefined || budget.probe !== undefined || nowMs < budget.nextProbeMs) return budget
  // Layers have become smaller than when the line was full.
  if (target <= budget.limit) return budget
  if (budget.isObserved) {
    const probe = { from: budget.limit, target: Math.min(target, budget.limit * maxProbeFactor) }
    return { ...budget, probe: { ...probe, startedMs: nowMs, observations: 0, delayed: 0 } }
  }
  return { ...budget, limit: Math.min(target, budget.limit * blindFactor), nextProbeMs: nowMs + budget.probeIntervalMs }
}

/** How much a probe has to have sent by now, media included. */
export function octetsDue({ from, target, startedMs }: Probe, nowMs: number): number {
  const elapsedMs = nowMs - startedMs
  const rampedMs = Math.min(elapsedMs, rampMs)
  const bits = target * elapsedMs - (target - from) * (rampedMs - rampedMs ** 2 / (2 * rampMs))
  return bits / 8000
}

/** End a probe that has lasted long enough: all its packets arrived in time, so the line carries the target. */
export function endProbe(budget: BandwidthBudget, nowMs: number): BandwidthBudget {
  const { probe } = budget
  if (probe === undefined || nowMs - probe.startedMs < probeMs) return budget
  if (probe.observations < minProbeObservations) return failProbe(budget, nowMs)
  const nextProbeMs = nowMs + afterSuccessMs
  return { ...budget, probe: undefined, limit: probe.target, nextProbeMs, probeIntervalMs: minProbeIntervalMs }
}

function failProbe(budget: BandwidthBudget, nowMs: number): BandwidthBudget {
  const probeIntervalMs = Math.min(budget.probeIntervalMs * 2, maxProbeIntervalMs)
  return {
    ...budget,
    probe: undefined,
    delayed: 0,
    settlingUntilMs: nowMs + drainMs,
    nextProbeMs: nowMs + budget.probeIntervalMs,
    probeIntervalMs,
  }
}

const lowerLimit = (budget: BandwidthBudget, limit: number, nowMs: number): BandwidthBudget => ({
  ...budget,
  limit: Math.max(minLimit, Math.min(budget.limit, limit)),
  nextProbeMs: nowMs + budget.probeIntervalMs,
  probe: undefined,
})
