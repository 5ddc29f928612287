import { ProblemError } from '@parley/client'
import { type Profile, readService, readSession, signOut } from '@parley/contract'
import { type QueryClient, queryOptions, useQueryClient, useSuspenseQuery } from '@tanstack/react-query'
import { useMutation } from '../ui/hooks/use-mutation.ts'
import { client } from './client.ts'
import { clearSecrets } from './kept-secrets.ts'
import { organisationQuery } from './organisation.ts'

/** Changes when the first account is created, and with the configuration. */
const freshForMs = 60_000

/**
 * The signed-in account; null without one. It is read once per page load: an ended session is reported by the next 401
 * (expiry.ts), and changes of the profile update the cache.
 */
export const sessionQuery = queryOptions({
  queryKey: ['session'],
  staleTime: Number.POSITIVE_INFINITY,
  gcTime: Number.POSITIVE_INFINITY,
  queryFn: async ({ client: queryClient }): Promise<Profile | null> => {
    const { user, organisation } = await client.call(readSession)
    queryClient.setQueryData(organisationQuery.queryKey, organisation)
    return user
  },
})

/** Begin the session of a person who has signed in on this page, in the look of their organisation. */
export function beginSession(queryClient: QueryClient, user: Profile): void {
  queryClient.setQueryData(sessionQuery.queryKey, user)
  void queryClient.fetchQuery({ ...organisationQuery, staleTime: 0 }).catch(() => undefined)
}

/** Public facts about the service: whether it has an account yet, who may sign up, and whether email leaves it. */
export const serviceQuery = queryOptions({
  queryKey: ['service'],
  staleTime: freshForMs,
  queryFn: async ({ client: queryClient }) => {
    const service = await client.call(readService)
    queryClient.setQueryData(organisationQuery.queryKey, (known) =>
      known === undefined ? service.organisation : known,
    )
    return service
  },
})

/** The signed-in account, for pages that require one. After the session has ended, the last one. */
export function usePerson(): Profile {
  const { data } = useSuspenseQuery(sessionQuery)
  if (data === null) throw new TypeError('This page is for people who are signed in.')
  return data
}

/**
 * Whether email leaves the service, and whether its links open on other machines. Without a mail server, emails are
 * files that reach no one. A text that promises an email therefore has two versions, `sent` and `kept`, of which `mail`
 * selects the one that is true (test/source/repeated-texts.test.ts): t(`invite.asked.${mail}`).
 */
export function useMail() {
  const { mailIsSent, linksAreLocal } = useSuspenseQuery(serviceQuery).data
  return { mailIsSent, linksAreLocal, mail: mailIsSent ? ('sent' as const) : ('kept' as const) }
}

/** End the session, clear all its data, and reload at the sign-in page. */
export function useSignOut() {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: async () => {
      try {
        await client.call(signOut)
      } catch (error) {
        // A session that has already ended counts as signed out.
        if (!(error instanceof ProblemError && error.problem.status === 401)) throw error
      }
    },
    onSuccess: async () => {
      // Fetched here: few pages need it. Without it, the server has ended the subscription with the session.
      await import('./device-notifications.ts').then(({ clearDevice }) => clearDevice()).catch(() => undefined)
      queryClient.clear()
      clearSecrets(sessionStorage)
      // A full page load, so that no data stays in memory.
      window.location.assign('/sign-in')
    },
  })
}
