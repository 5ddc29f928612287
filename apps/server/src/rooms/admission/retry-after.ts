import { ProblemError } from '../../platform/http/problem.ts'

/** The seconds after which `attempt` may be made again; undefined when it was not one too many. */
export async function retryAfterOf(attempt: () => Promise<unknown>): Promise<number | undefined> {
  try {
    await attempt()
    return undefined
  } catch (error) {
    if (!(error instanceof ProblemError) || error.code !== 'too_many_requests') throw error
    return Number(error.headers['retry-after'] ?? 1)
  }
}
