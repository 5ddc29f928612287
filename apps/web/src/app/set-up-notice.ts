import type { QueryClient } from '@tanstack/react-query'
import { sessionQuery } from '../session/session.ts'
import { loadTexts } from '../texts/i18n.ts'

/** The parts of the checklist that an administrator has hidden, in this browser. */
export const hiddenSetUpKey = 'parley-set-up-notice'

/** Fetch the checklist of an administrator with the start page, which it would push down later. */
export async function loadSetUpNotice(queryClient: QueryClient): Promise<void> {
  const person = queryClient.getQueryData(sessionQuery.queryKey)
  const mayShow = person?.roleIds.includes('administrator') && localStorage.getItem(hiddenSetUpKey) === null
  if (!mayShow) return
  // On failure the start page is shown without it.
  const part = import('../administration/set-up-queries.ts').then(({ setUpQuery }) =>
    queryClient.prefetchQuery(setUpQuery),
  )
  await Promise.allSettled([part, import('./SetUpNotice.tsx'), loadTexts('administration')])
}
