import { ProblemError } from '@parley/client'
import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query'
import { markSessionExpired } from './expiry.ts'

const maxRetries = 2
/** Answers are shown at once when a page is opened again, and asked for anew behind it after so long. */
const freshForMs = 10_000

/** Reads are tried again where waiting helps; changes are not, since nobody knows whether they were made. */
export const createQueryClient = () =>
  new QueryClient({
    queryCache: new QueryCache({ onError: noticeExpiry }),
    mutationCache: new MutationCache({ onError: noticeExpiry }),
    defaultOptions: {
      queries: { staleTime: freshForMs, retry: (failures, error) => failures < maxRetries && mayPass(error) },
    },
  })

/** No answer at all, or one that says 'later'. 429 is left alone: to try again would make it worse. */
const mayPass = (error: unknown) => !(error instanceof ProblemError) || error.problem.status >= 502

/** `wrong_credentials` is a 401 too, and says nothing of the session. */
function noticeExpiry(error: unknown) {
  if (error instanceof ProblemError && error.problem.code === 'unauthorized') markSessionExpired()
}
