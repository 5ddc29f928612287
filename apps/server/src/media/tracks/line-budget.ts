/** What is believed of the way to one client. */
export type LineBudget = {
  /** Bits a second of video that it bears; infinite as long as nothing speaks against it. */
  limit: number
  lastEstimate: number
  /** When more is tried again, and after how long once that fails. */
  nextTrialMs: number
  trialIntervalMs: number
  /** More was tried since the limit was lowered. */
  isOnTrial: boolean
}

const minTrialIntervalMs = 4000
const maxTrialIntervalMs = 60_000
/** The line of a picture that can still be made out. */
const minLimit = 60_000
const trialFactor = 1.5
/** An estimate that falls by less than this wavers. */
const decrease = 0.97
const heavyLoss = 0.1

export const untriedLine: LineBudget = {
  limit: Number.POSITIVE_INFINITY,
  lastEstimate: 0,
  nextTrialMs: 0,
  trialIntervalMs: minTrialIntervalMs,
  isOnTrial: false,
}

/**
 * The client has estimated its line. A browser's estimate follows what it gets and so says little about what it could get; but
 * when it falls below what is sent, packets have begun to queue up.
 */
export function afterEstimate(budget: LineBudget, estimate: number, sent: number, nowMs: number): LineBudget {
  const isFalling = estimate < budget.lastEstimate * decrease && estimate < sent
  const noted = { ...budget, lastEstimate: estimate }
  return isFalling ? lowered(noted, estimate, nowMs) : noted
}

/** The client has lost this part of what was sent. A little loss is repaired, and is no reason to send less. */
export function afterLoss(budget: LineBudget, lost: number, sent: number, nowMs: number): LineBudget {
  return lost < heavyLoss ? budget : lowered(budget, Math.min(budget.limit, sent) * (1 - lost / 2), nowMs)
}

/** Nothing was heard of trouble: at times a little more is tried. `wanted` is what would be sent without a limit. */
export function afterQuiet(budget: LineBudget, wanted: number, nowMs: number): LineBudget {
  if (budget.limit === Number.POSITIVE_INFINITY || nowMs < budget.nextTrialMs) return budget
  const limit = budget.limit * trialFactor
  return limit > wanted * trialFactor
    ? { ...untriedLine, lastEstimate: budget.lastEstimate }
    : { ...budget, limit, isOnTrial: true, nextTrialMs: nowMs + budget.trialIntervalMs }
}

function lowered(budget: LineBudget, limit: number, nowMs: number): LineBudget {
  // One disturbance lowers it several times, and is one trial that failed, or none.
  const factor = budget.isOnTrial ? 2 : 1
  const trialIntervalMs = Math.min(budget.trialIntervalMs * factor, maxTrialIntervalMs)
  const lower = Math.max(minLimit, Math.min(budget.limit, limit))
  return { ...budget, limit: lower, nextTrialMs: nowMs + trialIntervalMs, trialIntervalMs, isOnTrial: false }
}
