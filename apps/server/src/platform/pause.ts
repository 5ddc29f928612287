export type Pause = { over: Promise<void>; cancel(): void }

/** Start a timer. If it is cancelled, its promise never resolves. */
export function startPause(durationMs: number): Pause {
  const { promise, resolve } = Promise.withResolvers<void>()
  const timer = setTimeout(resolve, durationMs)
  return { over: promise, cancel: () => clearTimeout(timer) }
}
