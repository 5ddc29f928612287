import { problem } from '../platform/problem.ts'

export type InTurn = <T>(work: () => Promise<T>) => Promise<T>

/** A turn takes fractions of a second; whoever comes back after this finds a shorter queue. */
const retryAfterSeconds = '2'

/** Runs work so much at a time, the rest in the order in which it came. @throws unavailable when too many wait */
export function createTurns({ mostAtOnce, mostWaiting }: { mostAtOnce: number; mostWaiting: number }): InTurn {
  const waiting: (() => void)[] = []
  let running = 0
  return async (work) => {
    if (running >= mostAtOnce) {
      if (waiting.length >= mostWaiting) throw problem('unavailable', { headers: { 'retry-after': retryAfterSeconds } })
      await new Promise<void>((resolve) => waiting.push(resolve))
    } else {
      running++
    }
    try {
      return await work()
    } finally {
      // The turn goes on to the next one, so that nobody who comes meanwhile takes it.
      const next = waiting.shift()
      if (next === undefined) running--
      else next()
    }
  }
}
