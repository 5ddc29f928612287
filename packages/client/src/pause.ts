/** Resolve after the duration, or earlier when the signal is aborted. */
export const pause = (durationMs: number, signal?: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal?.aborted) return resolve()
    const done = () => {
      clearTimeout(timer)
      signal?.removeEventListener('abort', done)
      resolve()
    }
    const timer = setTimeout(done, durationMs)
    signal?.addEventListener('abort', done)
  })
