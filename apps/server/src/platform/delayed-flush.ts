type DelayedFlush = {
  /** Flush after the delay, unless that is due already. */
  schedule(): void
  /** Flush now. Resolve once everything that was pending is written, also by a flush that had begun before. */
  flush(): Promise<void>
}

/**
 * Write what requests have collected, together and outside of them.
 * @param flush writes everything that is pending, and must not throw
 */
export function createDelayedFlush(delayMs: number, flush: () => Promise<void>): DelayedFlush {
  let timer: NodeJS.Timeout | undefined
  let running = Promise.resolve()
  function flushNow() {
    clearTimeout(timer)
    timer = undefined
    running = running.then(flush)
    return running
  }
  return {
    schedule() {
      timer ??= setTimeout(() => void flushNow(), delayMs).unref()
    },
    flush: flushNow,
  }
}
