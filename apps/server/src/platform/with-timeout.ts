/** What `withTimeout` resolves with when the time is over. */
export const timedOut = Symbol('timed out')

/**
 * Wait for `work` for `timeoutMs` at most. The timer keeps the process alive until then, and no longer than `work`
 * takes.
 * @param work receives a signal that is aborted when the time is over; what it does afterwards is ignored
 * @throws what `work` throws in time
 */
export async function withTimeout<Result>(
  timeoutMs: number,
  work: (signal: AbortSignal) => Promise<Result>,
): Promise<Result | typeof timedOut> {
  const controller = new AbortController()
  const { promise: over, resolve } = Promise.withResolvers<typeof timedOut>()
  const timer = setTimeout(() => {
    resolve(timedOut)
    controller.abort()
  }, timeoutMs)
  try {
    return await Promise.race([work(controller.signal), over])
  } finally {
    clearTimeout(timer)
  }
}
