import { type BodyOf, type Profile, updateProfile } from '@parley/contract'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { client } from '../session/client.ts'
import { sessionQuery } from '../session/session.ts'
import { showToast } from '../ui/toast.ts'

export type ProfileChanges = BodyOf<typeof updateProfile>

/** Changes, and what the page calls that which they change. */
export type NamedChanges = { what: string; changes: ProfileChanges }

/** One toast tells what was saved last; each has its own undo, and a row of them would cover the page. */
const about = 'profile'

/** The parts of a profile that changes name, as they are there. */
export function partsOf(profile: Profile, changes: ProfileChanges): ProfileChanges {
  return Object.fromEntries(Object.keys(changes).map((name) => [name, profile[name as keyof Profile]]))
}

/**
 * Saves parts of one's profile, one change after the other, and offers to take each back. `atOnce`: the page shows the
 * change before the service has taken it, for switches; what is typed may be refused.
 */
export function useSaveProfile({ atOnce }: { atOnce: boolean }) {
  const { t } = useTranslation('profile')
  const queryClient = useQueryClient()
  const { queryKey } = sessionQuery
  const show = (parts: ProfileChanges) =>
    queryClient.setQueryData(queryKey, (profile) => profile && ({ ...profile, ...parts } as Profile))
  const save = async (changes: ProfileChanges) =>
    show(partsOf(await client.call(updateProfile, { body: changes }), changes))
  const takeBack = (before: ProfileChanges) =>
    save(before).then(
      () => showToast({ about, message: t('undone') }),
      () => showToast({ kind: 'problem', message: t('undoFailed') }),
    )

  return useMutation({
    scope: { id: 'profile' },
    mutationFn: ({ changes }: NamedChanges) => save(changes),
    onMutate: ({ changes }) => {
      const profile = queryClient.getQueryData(queryKey)
      const before = profile ? partsOf(profile, changes) : {}
      if (atOnce) show(changes)
      return before
    },
    onSuccess: (_, { what }, before) =>
      showToast({ about, message: t('saved', { what }), undo: () => void takeBack(before) }),
    onError: (_, __, before) => {
      if (before !== undefined) show(before)
    },
  })
}
