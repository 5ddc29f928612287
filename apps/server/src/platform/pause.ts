export type Pause = { over: Promise<void>; cancel(): void }

/** A time that runs from now on. Cancelled, it is never over. */
export function startPause(durationMs: number): Pause {
  const { promise, resolve } = Promise.withResolvers<void>()
  const timer = setTimeout(resolve, durationMs)
  return { over: promise, cancel: () => clearTimeout(timer) }
}
