import { ProblemError } from '@parley/client'
import { type Profile, readService, readSession, signOut } from '@parley/contract'
import { queryOptions, useMutation, useQueryClient, useSuspenseQuery } from '@tanstack/react-query'
import { client } from './client.ts'
import { clearSecrets } from './kept-secrets.ts'

/** Whether the service is new changes once. */
const freshForMs = 60_000

/**
 * Who is signed in; null for nobody. It is read once a visit: a session that ends shows with the next answer that is a
 * 401 (expiry.ts), and whoever changes the profile puts the answer here.
 */
export const sessionQuery = queryOptions({
  queryKey: ['session'],
  staleTime: Number.POSITIVE_INFINITY,
  gcTime: Number.POSITIVE_INFINITY,
  queryFn: async (): Promise<Profile | null> => (await client.call(readSession)).user,
})

/** What somebody who is not signed in may know of the service: whether it is new, and who may sign up. */
export const serviceQuery = queryOptions({
  queryKey: ['service'],
  staleTime: freshForMs,
  queryFn: () => client.call(readService),
})

/** The person who is signed in; only for pages of the house, where somebody is. While a session is over, the last one. */
export function usePerson(): Profile {
  const { data } = useSuspenseQuery(sessionQuery)
  if (data === null) throw new TypeError('This page is for people who are signed in.')
  return data
}

/** Ends the session, forgets all that was read in it, and begins anew at the sign-in page. */
export function useSignOut() {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: async () => {
      try {
        await client.call(signOut)
      } catch (error) {
        // A session that has ended by itself is signed out already.
        if (!(error instanceof ProblemError && error.problem.status === 401)) throw error
      }
    },
    onSuccess: () => {
      queryClient.clear()
      clearSecrets(sessionStorage)
      // A whole new page: nothing of the person who leaves stays in memory.
      window.location.assign('/sign-in')
    },
  })
}
