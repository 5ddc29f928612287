import { type BodyOf, deletePhoto, type Profile, updatePhoto, updateProfile } from '@parley/contract'
import { useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { client } from '../session/client.ts'
import { sessionQuery } from '../session/session.ts'
import { useChange } from '../session/use-change.ts'
import { useMutation } from '../ui/hooks/use-mutation.ts'
import { showToast } from '../ui/toast.ts'

export type ProfileChanges = BodyOf<typeof updateProfile>

/** Changes, and the name of the changed field on the page. */
type NamedChanges = { what: string; changes: ProfileChanges }

/** Toasts about the same subject replace each other; several would cover the page. Each has its own undo. */
export const subjectOfToasts = 'settings'

type Parts = Record<string, unknown>

const isObject = (value: unknown): value is Parts => typeof value === 'object' && value !== null

/** The current values of what `changes` names, at each depth. */
const currentParts = (values: Parts, changes: Parts): Parts =>
  Object.fromEntries(
    Object.entries(changes).map(([name, change]) => {
      const value = values[name]
      return [name, isObject(value) && isObject(change) ? currentParts(value, change) : value]
    }),
  )

/** `values` with these changes; what they do not name stays, at each depth. */
const withParts = (values: Parts, changes: Parts): Parts => ({
  ...values,
  ...Object.fromEntries(
    Object.entries(changes).map(([name, change]) => {
      const value = values[name]
      return [name, isObject(value) && isObject(change) ? withParts(value, change) : change]
    }),
  ),
})

const currentValues = (profile: Profile, changes: ProfileChanges): ProfileChanges => currentParts(profile, changes)

/**
 * Save parts of the profile, one request at a time, and offer undo. Pass only what differs, because another window may
 * have changed the rest. `atOnce` shows the change before the service has accepted it, which suits switches; typed values
 * may be refused.
 */
export function useSaveProfile({ atOnce }: { atOnce: boolean }) {
  const { t } = useTranslation(['settings', 'app'])
  const queryClient = useQueryClient()
  const { queryKey } = sessionQuery
  const show = (parts: ProfileChanges) =>
    queryClient.setQueryData(queryKey, (profile) => profile && (withParts(profile, parts) as Profile))
  const save = async (changes: ProfileChanges) =>
    show(currentValues(await client.call(updateProfile, { body: changes }), changes))
  const undoSaving = (before: ProfileChanges) =>
    save(before).then(
      () => showToast({ about: subjectOfToasts, message: t('undone') }),
      () => showToast({ kind: 'problem', message: t('app:undoFailed') }),
    )

  return useMutation({
    scope: { id: 'profile' },
    mutationFn: ({ changes }: NamedChanges) => save(changes),
    onMutate: ({ changes }) => {
      const profile = queryClient.getQueryData(queryKey)
      const before = profile ? currentValues(profile, changes) : {}
      if (atOnce) show(changes)
      return before
    },
    onSuccess: (_, { what }, before) =>
      showToast({ about: subjectOfToasts, message: t('saved', { what }), undo: () => void undoSaving(before) }),
    onError: (_, __, before) => {
      if (before !== undefined) show(before)
    },
  })
}

/** Set the photo to an image in base64, or remove it; every list of people is read again. */
export function useChangePhoto() {
  const queryClient = useQueryClient()
  const { queryKey } = sessionQuery
  return useChange(
    {
      mutationFn: (image: string | null) =>
        image === null ? client.call(deletePhoto) : client.call(updatePhoto, { body: { image } }),
      refreshes: ['meetings'],
    },
    {
      onSaved: ({ imageMeta }) => queryClient.setQueryData(queryKey, (profile) => profile && { ...profile, imageMeta }),
    },
  )
}
