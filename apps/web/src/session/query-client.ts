import { ProblemError } from '@parley/client'
import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query'
import { markSessionExpired } from './expiry.ts'

const maxRetries = 2
/** Cached replies are shown at once and refetched in the background when older than this. */
const freshForMs = 10_000

/** Reads are retried where waiting helps; changes are not, because the first attempt may have succeeded. */
export const createQueryClient = () =>
  new QueryClient({
    queryCache: new QueryCache({ onError: noticeExpiry }),
    mutationCache: new MutationCache({ onError: noticeExpiry }),
    defaultOptions: {
      queries: { staleTime: freshForMs, retry: (failures, error) => failures < maxRetries && mayPass(error) },
      // Fail while offline. A change that waits unseen for a connection is made after its author has given it up.
      mutations: { networkMode: 'always' },
    },
  })

/** No response, or one that asks to retry later. 429 is not retried, because that would count as well. */
const mayPass = (error: unknown) => !(error instanceof ProblemError) || error.problem.status >= 502

/** `wrong_credentials` is a 401 too, but does not concern the session. */
function noticeExpiry(error: unknown) {
  if (error instanceof ProblemError && error.problem.code === 'unauthorized') markSessionExpired()
}
