/** Of one picture: fewer than twelve a second look like a fault of the camera. */
export const pictureBudgetMs = 80
/** Of ten milliseconds of sound. Above, the browser does not finish in time whenever another program works as well. */
export const soundBudgetMs = 5
/** Short peaks, as when another program starts, pass by themselves. */
export const slowForMs = 5_000
/** The first moments take longer: code is compiled, and the processor's clock is still low. */
const warmUpMs = 3_000

/**
 * Watch how long pictures or pieces of sound take. The result of `add` is true once they have taken longer than the
 * budget on average for `slowForMs`.
 */
export function createLoadWatch(startedMs: number, budgetMs: number): { add(nowMs: number, tookMs: number): boolean } {
  let windowFromMs = startedMs + warmUpMs
  let spentMs = 0
  let pieces = 0
  return {
    add(nowMs, tookMs) {
      if (nowMs < windowFromMs) return false
      spentMs += tookMs
      pieces += 1
      if (nowMs - windowFromMs < slowForMs) return false
      const isSlow = spentMs / pieces > budgetMs
      windowFromMs = nowMs
      spentMs = 0
      pieces = 0
      return isSlow
    },
  }
}
