import { tooManyRequests } from './http/problem.ts'

const retryMs = 1_000

/** Run work for a key, unless as much of it is in progress as may be. @throws too_many_requests */
type RunFor = <Result>(key: string, work: () => Promise<Result>) => Promise<Result>

/** Limit the work in progress for each key, such as an account, in this process: it is its event loop that others share. */
export function limitInProgress(max: number): RunFor {
  const inProgress = new Map<string, number>()
  return async (key, work) => {
    const others = inProgress.get(key) ?? 0
    if (others >= max) throw tooManyRequests(retryMs)
    inProgress.set(key, others + 1)
    try {
      return await work()
    } finally {
      const left = (inProgress.get(key) ?? 1) - 1
      if (left === 0) inProgress.delete(key)
      else inProgress.set(key, left)
    }
  }
}
