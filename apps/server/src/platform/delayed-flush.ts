type DelayedFlush = {
  /** Flush after the delay, unless that is due already. */
  schedule(): void
  /** Flush now. */
  flush(): Promise<void>
}

/**
 * Write what requests have collected, together and outside of them.
 * @param flush writes everything that is pending, and must not throw
 */
export function createDelayedFlush(delayMs: number, flush: () => Promise<void>): DelayedFlush {
  let timer: NodeJS.Timeout | undefined
  function flushNow() {
    clearTimeout(timer)
    timer = undefined
    return flush()
  }
  return {
    schedule() {
      timer ??= setTimeout(() => void flushNow(), delayMs).unref()
    },
    flush: flushNow,
  }
}
