import { ProblemError } from '@parley/client'
import type { Profile } from '@parley/contract'
import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query'
import { setTimeFormat } from '../texts/i18n.ts'
import { markSessionExpired } from './expiry.ts'
import { followOtherTabs } from './other-tabs.ts'

const maxRetries = 2
/** Cached replies are shown at once and refetched in the background when older than this. */
const freshForMs = 10_000

/** Reads are retried where waiting helps; changes are not, because the first attempt may have succeeded. */
export function createQueryClient(): QueryClient {
  const client = new QueryClient({
    queryCache: new QueryCache({ onError: noticeExpiry }),
    mutationCache: new MutationCache({ onError: noticeExpiry }),
    defaultOptions: {
      queries: { staleTime: freshForMs, retry: (failures, error) => failures < maxRetries && mayPass(error) },
      // Fail while offline. A change that waits unseen for a connection is made after its author has given it up.
      mutations: { networkMode: 'always' },
    },
  })
  // Before anything that is signed in is shown, and with each change of the profile in any page.
  client.getQueryCache().subscribe(({ type, query }) => {
    const person: Profile | null | undefined = query.queryKey[0] === 'session' ? query.state.data : undefined
    if (type === 'updated' && person) setTimeFormat(person)
  })
  followOtherTabs(client)
  return client
}

/** No response, or one that asks to retry later. 429 is not retried, because that would count as well. */
const mayPass = (error: unknown) => !(error instanceof ProblemError) || error.problem.status >= 502

/** `wrong_credentials` is a 401 too, but does not concern the session. */
function noticeExpiry(error: unknown) {
  if (error instanceof ProblemError && error.problem.code === 'unauthorized') markSessionExpired()
}
